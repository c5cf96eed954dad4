import { page } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import { kubeVersions } from "../../platform/catalogue.js";

export const kubeVersionHandlers: TagHandlers<"listKubeVersions" | "getKubeVersion"> = {
  listKubeVersions: ({ query }) => {
    const first = (query.page - 1) * query.page_size;
    return { status: 200, body: page(query, kubeVersions.slice(first, first + query.page_size), kubeVersions.length) };
  },
  getKubeVersion: ({ target }) => ({ status: 200, body: target }),
};
