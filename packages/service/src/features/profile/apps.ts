import { filterable, page } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";

export const appHandlers: TagHandlers<"listApps" | "getApp" | "deleteApp"> = {
  listApps: async ({ query, headers, listScope }, { work }) => {
    const listQuery = { query, listScope, filter: headers["X-Filter"], filterable: filterable.listApps };
    const { items, total } = await work.tx.apps.list({}, listQuery);
    return { status: 200, body: page(query, items, total) };
  },

  getApp: ({ target }) => ({ status: 200, body: target }),

  deleteApp: async ({ target: { id } }, { work }) => {
    await work.tx.apps.remove([id]);
    // app-token-ends
    await work.tx.tokens.deleteReturning({ app: id });
    return { status: 200, body: {} };
  },
};
