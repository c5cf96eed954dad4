import { limits, page } from "@cloud-compute/server";
import { deadlineOf } from "@plumbline/server-runtime";
import type { TagHandlers } from "../../context.js";
import type { Rows } from "../../store/rows.js";
import { formatDate } from "../../store/transaction.js";
import type { UnitOfWork } from "../../unit-of-work.js";

export const deviceHandlers: TagHandlers<"listDevices" | "getDevice" | "deleteDevice"> = {
  listDevices: async ({ query, listScope }, { work }) => {
    // Expiries are in whole seconds: the first one that has not passed.
    const where = { expiry: { gte: formatDate(work.now + 1000) } };
    const { items, total } = await work.tx.devices.list(where, { query, listScope });
    return { status: 200, body: page(query, items, total) };
  },

  getDevice: ({ target }) => ({ status: 200, body: target }),

  deleteDevice: async ({ target: { id } }, { work }) => {
    await work.tx.devices.remove([id]);
    return { status: 200, body: {} };
  },
};

/** The end of a trusted device's session that starts at a time, both in milliseconds since 1970. */
export function sessionEnd(created: number): number {
  return deadlineOf(limits.deviceSession, created).getTime();
}

/** Whether a device is still trusted. */
export function isRemembered({ expiry }: Rows["devices"], { now }: UnitOfWork): boolean {
  return Date.parse(expiry) > now;
}
