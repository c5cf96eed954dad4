import { createFaults } from "./create-faults.js";
import { editErrors, editFeature } from "./edited-files.js";
import type { Fault } from "./fault.js";

/** Faults of jobs that do not end, or end in another state. */
export const stuckJobFaults: readonly Fault[] = createFaults("stuck", 56, [
  [
    "bootInstance",
    "an instance stays in the state booting",
    ["instance.moves.booting", "instance.create.booted-by-boot", "instance.boot.operation"],
    editFeature("instances/jobs")(
      "export function createInstanceJobs(",
      'boot: (work, job) => transientEnds(work, job, "running")',
      'boot: (work, job) => transientEnds(work, job, "booting")',
    ),
  ],
  [
    "createInstance/offline",
    "an instance is offline when it is provisioned",
    ["instance.create.booted", "instance.create.booted-default", "instance.create.runs"],
    editFeature("instances/jobs")(
      "provision: async",
      'data["ends"] === "running" ? "running" : "offline"',
      '"offline"',
    ),
  ],
  [
    "createInstance/at-once",
    "an instance runs before it is provisioned",
    ["instance.create.response", "instance.create.booted", "instance.create.deployed"],
    editFeature("instances/handlers")(
      "createInstance: async",
      "state: begins.to,",
      "state: begins.then[0] ?? begins.to,",
    ),
  ],
  [
    "createInstanceSnapshot",
    "a snapshot never succeeds",
    ["backup.status", "backup.status.values.states", "backup.status.moves.open", "backup.snapshot.operation"],
    editFeature("backups/jobs")("    backup: async", "await succeed(work, backup);", ""),
  ],
  [
    "createCluster",
    "a cluster is never ready",
    ["cluster.states.open", "cluster.ready.time", "cluster.create.operation"],
    editFeature("kube/jobs")(
      "export const kubeJobs",
      'data["ends"] === "ready" ? "ready" : cluster.status',
      "cluster.status",
    ),
  ],
  [
    "createImage",
    "an image stays in the state creating",
    ["image.status", "image.status.values", "image.create.operation", "image.moves.created"],
    editFeature("images/jobs")(
      "async function markImageReady(",
      'imageStatus.clientState(data["ends"]) ?? image.status',
      "image.status",
    ),
  ],
  [
    "restoreInstanceBackup",
    "an instance runs when it is restored",
    ["backup.restore.operation"],
    editFeature("backups/jobs")(
      "restore: async",
      'await setInstanceState(work, target, "offline", { before: null });',
      'await setInstanceState(work, target, "running", { before: null });',
    ),
  ],
  [
    "cloneInstance/source",
    "a cloned instance stays in the state cloning",
    ["instance.clone.operation"],
    editFeature("instances/clones")(
      "async function releaseSource(",
      'await setInstanceState(work, source, source.before ?? "offline", { before: null });',
      "",
    ),
  ],
  [
    "cloneInstance/target",
    "a clone runs as soon as it exists",
    ["instance.clone.operation", "instance.clone.new"],
    editFeature("instances/jobs")("    clone: async", 'target.before ?? "offline"', '"running"'),
  ],
  [
    "createClusterPool",
    "the nodes of a pool are never ready",
    ["node.states.open", "pool.create.operation"],
    editFeature("kube/jobs")(
      "    nodeJoin: async",
      'job.data["ends"] === "ready" ? "ready" : node.status',
      "node.status",
    ),
  ],
  [
    "listClusterApiEndpoints",
    "endpoints are shown before the cluster is ready",
    ["cluster.ready.time", "endpoints.list.operation"],
    editErrors(
      "    listClusterApiEndpoints: [",
      "target: checkStatusNotReady",
      'target: (_value, issues) => void issues.push({ path: [], code: "false" })',
    ),
  ],
]);
