import { limits, page } from "@cloud-compute/server";
import { deadlineOf } from "@plumbline/server-runtime";
import type { Area } from "../context.js";
import type { Rows } from "../store/rows.js";
import { iso } from "../store/tx.js";
import type { Work } from "../work.js";

export const devices: Area<"listDevices" | "getDevice" | "deleteDevice"> = {
  listDevices: async ({ query, visible }, { work }) => {
    // Expiries are whole seconds: the first that is not over.
    const where = { expiry: { atLeast: iso(work.now + 1000) } };
    const { items, total } = await work.tx.devices.list(where, { query, visible });
    return { status: 200, body: page(query, items, total) };
  },

  getDevice: ({ target }) => ({ status: 200, body: target }),

  deleteDevice: async ({ target: { id } }, { work }) => {
    await work.tx.devices.remove([id]);
    return { status: 200, body: {} };
  },
};

/** When the session of a computer ends that is remembered from a time on, both in milliseconds since 1970. */
export function sessionEnd(created: number): number {
  return deadlineOf(limits.deviceSession, created).getTime();
}

/** Whether a computer is still remembered. */
export function isRemembered({ expiry }: Rows["devices"], { now }: Work): boolean {
  return Date.parse(expiry) > now;
}
