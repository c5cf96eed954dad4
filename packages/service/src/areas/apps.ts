import { filterable, page } from "@cloud-compute/server";
import type { Area } from "../context.js";

export const apps: Area<"listApps" | "getApp" | "deleteApp"> = {
  listApps: async ({ query, headers, visible }, { work }) => {
    const wish = { query, visible, filter: headers["X-Filter"], filterable: filterable.listApps };
    const { items, total } = await work.tx.apps.list({}, wish);
    return { status: 200, body: page(query, items, total) };
  },

  getApp: ({ target }) => ({ status: 200, body: target }),

  deleteApp: async ({ target: { id } }, { work }) => {
    await work.tx.apps.remove([id]);
    // app-token-ends
    await work.tx.tokens.take({ app: id });
    return { status: 200, body: {} };
  },
};
