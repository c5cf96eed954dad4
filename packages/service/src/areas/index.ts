import type { Handlers } from "@cloud-compute/server";
import type { Context } from "../context.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { Stored } from "../resources.js";
import { events } from "./events.js";
import { profile } from "./profile.js";
import { regions } from "./regions.js";

/** What every operation does. */
export const handlers: Partial<Handlers<Context, Stored>> = {
  ...events,
  ...profile,
  ...regions,
};

/** What the platform does later. */
export const jobs: JobHandlers = {};

/** Operations that write nothing, or that write in a transaction of their own because they wait for others. */
export const reads: ReadonlySet<string> = new Set(
  Object.keys(handlers)
    .filter((name) => /^(get|list)[A-Z]/.test(name))
    .concat("putImageData", "importDomain"),
);
