import type { Handlers } from "@cloud-compute/server";
import type { Context } from "../context.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { StoredRows } from "../server/resources.js";
import { appHandlers } from "./profile/apps.js";
import { backupServiceHandlers, backupServiceJobs } from "./backups/schedule.js";
import { backupJobs, backupHandlers } from "./backups/lifecycle.js";
import { cloneJobs, cloneHandlers } from "./instances/clones.js";
import { clusterAccessHandlers } from "./kube/kubeconfig.js";
import { clusterJobs, clusterHandlers } from "./kube/clusters.js";
import { configHandlers } from "./configs/handlers.js";
import { deviceHandlers } from "./profile/devices.js";
import { domainCopyHandlers } from "./domains/copies.js";
import { domainHandlers } from "./domains/handlers.js";
import { eventHandlers } from "./events/handlers.js";
import { purgeJobs } from "../platform/purge-expired.js";
import { grantHandlers } from "./profile/grants.js";
import { imageUploadJobs, imageUploadHandlers } from "./images/uploads.js";
import { imageJobs, imageHandlers } from "./images/lifecycle.js";
import { instanceJobs, instanceHandlers } from "./instances/lifecycle.js";
import { kubeVersionHandlers } from "./kube/handlers.js";
import { loginHandlers } from "./profile/logins.js";
import { nodeJobs, nodeHandlers } from "./kube/nodes.js";
import { phoneHandlers } from "./profile/phone.js";
import { poolHandlers } from "./kube/pools.js";
import { powerHandlers, powerJobs } from "./instances/power.js";
import { preferencesHandlers } from "./profile/preferences.js";
import { profileHandlers } from "./profile/handlers.js";
import { recordHandlers } from "./domains/records.js";
import { recycleHandlers } from "./kube/recycle.js";
import { regionHandlers } from "./regions/handlers.js";
import { restoreHandlers, restoreJobs } from "./backups/restore.js";
import { securityQuestionHandlers } from "./profile/security-questions.js";
import { sshKeyHandlers } from "./profile/ssh-keys.js";
import { tagHandlers } from "./tags/handlers.js";
import { tokenHandlers } from "./profile/tokens.js";
import { twoFactorHandlers } from "./profile/two-factor.js";
import { zoneJobs, zoneHandlers } from "./domains/zones.js";

/** The handlers of all operations. */
export const handlers: Handlers<Context, StoredRows> = {
  ...securityQuestionHandlers,
  ...appHandlers,
  ...backupServiceHandlers,
  ...backupHandlers,
  ...cloneHandlers,
  ...clusterAccessHandlers,
  ...clusterHandlers,
  ...configHandlers,
  ...deviceHandlers,
  ...domainCopyHandlers,
  ...domainHandlers,
  ...eventHandlers,
  ...grantHandlers,
  ...imageUploadHandlers,
  ...imageHandlers,
  ...instanceHandlers,
  ...kubeVersionHandlers,
  ...loginHandlers,
  ...nodeHandlers,
  ...phoneHandlers,
  ...poolHandlers,
  ...powerHandlers,
  ...preferencesHandlers,
  ...profileHandlers,
  ...recordHandlers,
  ...recycleHandlers,
  ...regionHandlers,
  ...restoreHandlers,
  ...sshKeyHandlers,
  ...tagHandlers,
  ...tokenHandlers,
  ...twoFactorHandlers,
  ...zoneHandlers,
};

/** The handlers of all jobs. */
export const jobs: JobHandlers = {
  ...backupJobs,
  ...backupServiceJobs,
  ...cloneJobs,
  ...clusterJobs,
  ...purgeJobs,
  ...imageJobs,
  ...imageUploadJobs,
  ...instanceJobs,
  ...nodeJobs,
  ...powerJobs,
  ...restoreJobs,
  ...zoneJobs,
};

/** Operations that write nothing, or that write in their own transaction because they wait for other systems. */
export const reads: ReadonlySet<string> = new Set(
  Object.keys(handlers)
    .filter((name) => /^(get|list)[A-Z]/.test(name))
    .concat("putImageData", "importDomain"),
);
