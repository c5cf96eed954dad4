import type { Handlers } from "@cloud-compute/server";
import type { Context } from "../context.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { Stored } from "../resources.js";
import { apps } from "./apps.js";
import { backupService, backupServiceJobs } from "./backup-service.js";
import { backupJobs, backups } from "./backups.js";
import { cloneJobs, clones } from "./clones.js";
import { clusterAccess } from "./cluster-access.js";
import { clusterJobs, clusters } from "./clusters.js";
import { configs } from "./configs.js";
import { devices } from "./devices.js";
import { domainCopies } from "./domain-copies.js";
import { domains } from "./domains.js";
import { events } from "./events.js";
import { forgettingJobs } from "./forgetting.js";
import { grantsShown } from "./grants-shown.js";
import { imageUploadJobs, imageUploads } from "./image-uploads.js";
import { imageJobs, images } from "./images.js";
import { instanceJobs, instances } from "./instances.js";
import { kubeVersions } from "./kube-versions.js";
import { logins } from "./logins.js";
import { nodeJobs, nodes } from "./nodes.js";
import { phone } from "./phone.js";
import { pools } from "./pools.js";
import { power, powerJobs } from "./power.js";
import { preferences } from "./preferences.js";
import { profile } from "./profile.js";
import { records } from "./records.js";
import { recycling } from "./recycling.js";
import { regions } from "./regions.js";
import { restore, restoreJobs } from "./restore.js";
import { answering } from "./security-questions.js";
import { sshkeys } from "./sshkeys.js";
import { tags } from "./tags.js";
import { tokens } from "./tokens.js";
import { twoFactor } from "./two-factor.js";
import { zoneJobs, zones } from "./zones.js";

/** What every operation does. */
export const handlers: Handlers<Context, Stored> = {
  ...answering,
  ...apps,
  ...backupService,
  ...backups,
  ...clones,
  ...clusterAccess,
  ...clusters,
  ...configs,
  ...devices,
  ...domainCopies,
  ...domains,
  ...events,
  ...grantsShown,
  ...imageUploads,
  ...images,
  ...instances,
  ...kubeVersions,
  ...logins,
  ...nodes,
  ...phone,
  ...pools,
  ...power,
  ...preferences,
  ...profile,
  ...records,
  ...recycling,
  ...regions,
  ...restore,
  ...sshkeys,
  ...tags,
  ...tokens,
  ...twoFactor,
  ...zones,
};

/** What the platform does later. */
export const jobs: JobHandlers = {
  ...backupJobs,
  ...backupServiceJobs,
  ...cloneJobs,
  ...clusterJobs,
  ...forgettingJobs,
  ...imageJobs,
  ...imageUploadJobs,
  ...instanceJobs,
  ...nodeJobs,
  ...powerJobs,
  ...restoreJobs,
  ...zoneJobs,
};

/** Operations that write nothing, or that write in a transaction of their own because they wait for others. */
export const reads: ReadonlySet<string> = new Set(
  Object.keys(handlers)
    .filter((name) => /^(get|list)[A-Z]/.test(name))
    .concat("putImageData", "importDomain"),
);
