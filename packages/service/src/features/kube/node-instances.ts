import { errors, instanceStatus, type PoolDisk } from "@cloud-compute/server";
import { typesById } from "../../platform/catalogue.js";
import { addDisk, sizeOf } from "../../platform/disks.js";
import type { DiskRow, InstanceRow, NodeRow, PoolRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { devicesOf, plainConfig } from "../configs/lifecycle.js";
import { instanceEntity } from "../events/lifecycle.js";
import { deleteInstance, newInstance, removeInstance, startProvisioning } from "../instances/lifecycle.js";

/**
 * Checks that partitions fit the plan, together too. `field` is the location of the pool in the request.
 *
 * @throws when they do not fit
 */
export function assertDisksFit(
  type: string,
  { disks, field }: { readonly disks: readonly PoolDisk[]; readonly field: string },
): void {
  const { disk } = planOf(type);
  if (sizeOf(disks) > disk)
    throw errors.poolDiskTooLarge({
      field,
      reason: "The disks are larger together than the disk of the instance type",
    });
}

/** Adds the instance of a node to the account. It runs when it is provisioned. */
export async function addNodeInstance(work: UnitOfWork, node: NodeRow): Promise<InstanceRow> {
  const { tx } = work;
  const { region } = await tx.clusters.getOrThrow(node.cluster);
  const pool = await tx.pools.getOrThrow(node.pool);
  const draft = await newInstance(work, {
    id: await tx.instances.nextId(),
    account: node.account,
    type: planOf(pool.type),
    label: `kube${node.cluster}-${node.id}`,
    region,
    group: "",
    state: "provisioning",
    privateIp: true,
  });
  const image = `compute/debian12-kube-v${node.patch}`;
  const deployed = { ...draft, image, cluster: node.cluster };
  const instance = await tx.instances.add({ ...deployed, lastBooted: await deployNode(work, deployed, pool) });
  await startProvisioning(work, instance, { username: null, ends: "running" });
  return instance;
}

/** Deletes the instance of a node, if it has one, in any state: node-instance-deleted. */
export async function deleteNodeInstance(
  work: UnitOfWork,
  { instance_id: id }: Pick<NodeRow, "instance_id">,
  username: string,
): Promise<void> {
  const row = id === null ? undefined : await work.tx.instances.get(id);
  if (row === undefined) return;
  // The instance leaves its cluster first, since the cluster may be deleted earlier.
  const instance = await work.tx.instances.patch(row, { cluster: null });
  if (instance.state === "deleting") return;
  if (instanceStatus.can(instance.state, "deleteInstance")) return deleteInstance(work, instance, username);
  // A cloning or restoring instance cannot be deleted directly, but can be deleted with its node.
  await removeInstance(work, instance);
  const { account } = instance;
  await work.recordEvent({
    account,
    action: "compute_delete",
    username,
    entity: instanceEntity(instance),
    status: "finished",
  });
}

/** Adds the partitions of a node's instance, and a boot disk in the remaining space. Returns the id of the config that boots it. */
async function deployNode(work: UnitOfWork, { id, image, specs }: InstanceRow, { disks }: PoolRow): Promise<number> {
  const remaining = specs.disk - sizeOf(disks);
  const diskRows: DiskRow[] = [];
  if (remaining > 0)
    diskRows.push(
      await addDisk(work, { instance: id, label: "Kubernetes Disk", size: remaining, filesystem: "ext4", image }),
    );
  for (const [index, { size, type }] of disks.entries())
    diskRows.push(
      await addDisk(work, { instance: id, label: `Partition ${index + 1}`, size, filesystem: type, image: null }),
    );
  const config = await work.tx.configs.add({
    ...plainConfig(specs.memory),
    instance: id,
    label: "Kubernetes Profile",
    devices: devicesOf(diskRows),
    created: work.date,
    updated: work.date,
  });
  return config.id;
}

function planOf(type: string): NonNullable<ReturnType<(typeof typesById)["get"]>> {
  const plan = typesById.get(type);
  // The generated server has rejected unknown types.
  if (plan === undefined) throw new TypeError(`unknown instance type ${type}`);
  return plan;
}
