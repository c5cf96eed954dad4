import type { Handlers } from "@cloud-compute/server";
import type { Context } from "../context.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { StoredRows } from "../resources.js";
import { appHandlers } from "./apps.js";
import { backupServiceHandlers, backupServiceJobs } from "./backup-service.js";
import { backupJobs, backupHandlers } from "./backups.js";
import { cloneJobs, cloneHandlers } from "./clones.js";
import { clusterAccessHandlers } from "./cluster-access.js";
import { clusterJobs, clusterHandlers } from "./clusters.js";
import { configHandlers } from "./configs.js";
import { deviceHandlers } from "./devices.js";
import { domainCopyHandlers } from "./domain-copies.js";
import { domainHandlers } from "./domains.js";
import { eventHandlers } from "./events.js";
import { purgeJobs } from "./purge-expired.js";
import { grantHandlers } from "./list-grants.js";
import { imageUploadJobs, imageUploadHandlers } from "./image-uploads.js";
import { imageJobs, imageHandlers } from "./images.js";
import { instanceJobs, instanceHandlers } from "./instances.js";
import { kubeVersionHandlers } from "./kube-versions.js";
import { loginHandlers } from "./logins.js";
import { nodeJobs, nodeHandlers } from "./nodes.js";
import { phoneHandlers } from "./phone.js";
import { poolHandlers } from "./pools.js";
import { powerHandlers, powerJobs } from "./power.js";
import { preferencesHandlers } from "./preferences.js";
import { profileHandlers } from "./profile.js";
import { recordHandlers } from "./records.js";
import { recycleHandlers } from "./recycle.js";
import { regionHandlers } from "./regions.js";
import { restoreHandlers, restoreJobs } from "./restore.js";
import { securityQuestionHandlers } from "./security-questions.js";
import { sshKeyHandlers } from "./sshkeys.js";
import { tagHandlers } from "./tags.js";
import { tokenHandlers } from "./tokens.js";
import { twoFactorHandlers } from "./two-factor.js";
import { zoneJobs, zoneHandlers } from "./zones.js";

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
