import type { Handlers } from "@cloud-compute/server";
import type { Context } from "../context.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { Stored } from "../resources.js";
import { cloneJobs, clones } from "./clones.js";
import { clusterAccess } from "./cluster-access.js";
import { clusterJobs, clusters } from "./clusters.js";
import { configs } from "./configs.js";
import { events } from "./events.js";
import { instanceJobs, instances } from "./instances.js";
import { kubeVersions } from "./kube-versions.js";
import { nodeJobs, nodes } from "./nodes.js";
import { pools } from "./pools.js";
import { power, powerJobs } from "./power.js";
import { profile } from "./profile.js";
import { recycling } from "./recycling.js";
import { regions } from "./regions.js";

/** What every operation does. */
export const handlers: Partial<Handlers<Context, Stored>> = {
  ...clones,
  ...clusterAccess,
  ...clusters,
  ...configs,
  ...events,
  ...instances,
  ...kubeVersions,
  ...nodes,
  ...pools,
  ...power,
  ...profile,
  ...recycling,
  ...regions,
};

/** What the platform does later. */
export const jobs: JobHandlers = { ...cloneJobs, ...clusterJobs, ...instanceJobs, ...nodeJobs, ...powerJobs };

/** Operations that write nothing, or that write in a transaction of their own because they wait for others. */
export const reads: ReadonlySet<string> = new Set(
  Object.keys(handlers)
    .filter((name) => /^(get|list)[A-Z]/.test(name))
    .concat("putImageData", "importDomain"),
);
