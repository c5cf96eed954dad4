import { page } from "@cloud-compute/server";
import type { Area } from "../context.js";

export const regions: Area<"listRegions" | "getRegion"> = {
  listRegions: async ({ query }, { work }) => {
    const { items, total } = await work.tx.regions.list({}, { query });
    return { status: 200, body: page(query, items, total) };
  },
  getRegion: ({ target }) => ({ status: 200, body: target }),
};
