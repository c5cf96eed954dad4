import { page } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { kubeVersions as known } from "../platform/catalogue.js";

export const kubeVersions: Area<"listKubeVersions" | "getKubeVersion"> = {
  listKubeVersions: ({ query }) => {
    const first = (query.page - 1) * query.page_size;
    return { status: 200, body: page(query, known.slice(first, first + query.page_size), known.length) };
  },
  getKubeVersion: ({ target }) => ({ status: 200, body: target }),
};
