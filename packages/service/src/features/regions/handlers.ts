import { page } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";

export const regionHandlers: TagHandlers<"listRegions" | "getRegion"> = {
  listRegions: async ({ query }, { work }) => {
    const { items, total } = await work.tx.regions.list({}, { query });
    return { status: 200, body: page(query, items, total) };
  },
  getRegion: ({ target }) => ({ status: 200, body: target }),
};
