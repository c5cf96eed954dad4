import type { Handlers, ServerOptions } from "@cloud-compute/server";
import type { Context, StoredRows } from "../context.js";
import type { JobHandlers } from "../platform/jobs.js";
import { purgeJobs } from "../platform/purge-expired.js";
import { backupHandlers } from "./backups/handlers.js";
import { backupJobs } from "./backups/jobs.js";
import { configHandlers } from "./configs/handlers.js";
import { domainHandlers } from "./domains/handlers.js";
import { domainJobs } from "./domains/jobs.js";
import { eventHandlers } from "./events/handlers.js";
import { imageHandlers } from "./images/handlers.js";
import { imageJobs } from "./images/jobs.js";
import { uploadRoute } from "./images/lifecycle.js";
import { instanceHandlers } from "./instances/handlers.js";
import { createInstanceJobs } from "./instances/jobs.js";
import { kubeHandlers } from "./kube/handlers.js";
import { kubeJobs } from "./kube/jobs.js";
import { removeNodeOfInstance } from "./kube/lifecycle.js";
import { credentialHandlers } from "./profile/credential-handlers.js";
import { profileHandlers } from "./profile/handlers.js";
import { regionHandlers } from "./regions/handlers.js";
import { tagHandlers } from "./tags/handlers.js";
import { tagJobs } from "./tags/jobs.js";

/** The handlers of all operations. */
export const handlers: Handlers<Context, StoredRows> = {
  ...backupHandlers,
  ...configHandlers,
  ...credentialHandlers,
  ...domainHandlers,
  ...eventHandlers,
  ...imageHandlers,
  ...instanceHandlers,
  ...kubeHandlers,
  ...profileHandlers,
  ...regionHandlers,
  ...tagHandlers,
};

/** The handlers of all jobs. */
export const jobs: JobHandlers = {
  ...backupJobs,
  ...domainJobs,
  ...imageJobs,
  // Instances do not know clusters: a node is deleted with its instance by this hook.
  ...createInstanceJobs({ onRemoved: removeNodeOfInstance }),
  ...kubeJobs,
  ...purgeJobs,
  ...tagJobs,
};

/** Routes of operations whose paths are not in the description. */
export const operationRoutes: ServerOptions<Context, StoredRows>["operationRoutes"] = { putImageData: uploadRoute };

/** Operations that write nothing, or that write in their own transactions: they wait for other systems, or change any number of rows. */
export const reads: ReadonlySet<string> = new Set(
  Object.keys(handlers)
    .filter((name) => /^(get|list)[A-Z]/.test(name))
    .concat("putImageData", "importDomain", "deleteTag"),
);
