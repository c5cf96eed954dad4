import type { Handlers } from "@cloud-compute/server";
import type { Context } from "../context.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { Stored } from "../resources.js";
import { cloneJobs, clones } from "./clones.js";
import { configs } from "./configs.js";
import { domainCopies } from "./domain-copies.js";
import { domains } from "./domains.js";
import { events } from "./events.js";
import { instanceJobs, instances } from "./instances.js";
import { power, powerJobs } from "./power.js";
import { profile } from "./profile.js";
import { records } from "./records.js";
import { regions } from "./regions.js";
import { zoneJobs, zones } from "./zones.js";

/** What every operation does. */
export const handlers: Partial<Handlers<Context, Stored>> = {
  ...clones,
  ...configs,
  ...domainCopies,
  ...domains,
  ...events,
  ...instances,
  ...power,
  ...profile,
  ...records,
  ...regions,
  ...zones,
};

/** What the platform does later. */
export const jobs: JobHandlers = { ...cloneJobs, ...instanceJobs, ...powerJobs, ...zoneJobs };

/** Operations that write nothing, or that write in a transaction of their own because they wait for others. */
export const reads: ReadonlySet<string> = new Set(
  Object.keys(handlers)
    .filter((name) => /^(get|list)[A-Z]/.test(name))
    .concat("putImageData", "importDomain"),
);
