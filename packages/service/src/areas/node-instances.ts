import { errors, instanceStatus, type PoolDisk } from "@cloud-compute/server";
import { typesById } from "../platform/catalogue.js";
import type { DiskRow, InstanceRow, NodeRow, PoolRow } from "../store/rows.js";
import type { Work } from "../work.js";
import { addDisk, devicesOf, plainConfig, sizeOf } from "./disks.js";
import { deleteInstance, newInstance, removeInstance } from "./instances.js";
import { entityOf, subjectOf } from "./states.js";

/** Throws the refusal of partitions that are larger than the plan, together too. They stand in a field of the request. */
export function judgeDisks(
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

/** The machine of a node, which is an instance of the account. It runs when it is provisioned. */
export async function addNodeInstance(work: Work, node: NodeRow): Promise<InstanceRow> {
  const { tx } = work;
  const { region } = await tx.clusters.only(node.cluster);
  const pool = await tx.pools.only(node.pool);
  const made = await newInstance(work, {
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
  const deployed = { ...made, image, cluster: node.cluster };
  const instance = await tx.instances.add({ ...deployed, lastBooted: await deployNode(work, deployed, pool) });
  const event = await work.tell({
    account: node.account,
    action: "compute_create",
    entity: entityOf(instance),
    status: "started",
  });
  await work.begin({
    account: node.account,
    kind: "provision",
    subject: subjectOf(instance),
    takes: "provision",
    event: event.id,
    data: { ends: "running" },
  });
  return instance;
}

/** Deletes the instance of a node, if it has one, whatever that is doing. */
export async function nodeInstanceDeleted(
  work: Work,
  { instance_id: id }: Pick<NodeRow, "instance_id">,
  username: string,
): Promise<void> {
  const found = id === null ? undefined : await work.tx.instances.get(id);
  if (found === undefined) return;
  // Whatever becomes of it, it is of no cluster any more, which may be gone before it is.
  const instance = await work.tx.instances.change(found, { cluster: null });
  if (instance.state === "deleting") return;
  if (instanceStatus.can(instance.state, "deleteInstance")) return deleteInstance(work, instance, username);
  // One that is cloned or restored cannot be deleted by itself; with its node it can.
  await removeInstance(work, instance);
  const { account } = instance;
  await work.tell({ account, action: "compute_delete", username, entity: entityOf(instance), status: "finished" });
}

/** Gives a node's instance its partitions, and what they leave to the boot disk. Gives the config that boots it. */
async function deployNode(work: Work, { id, image, specs }: InstanceRow, { disks }: PoolRow): Promise<number> {
  const left = specs.disk - sizeOf(disks);
  const made: DiskRow[] = [];
  if (left > 0)
    made.push(await addDisk(work, { instance: id, label: "Kubernetes Disk", size: left, filesystem: "ext4", image }));
  for (const [index, { size, type }] of disks.entries())
    made.push(
      await addDisk(work, { instance: id, label: `Partition ${index + 1}`, size, filesystem: type, image: null }),
    );
  const config = await work.tx.configs.add({
    ...plainConfig(specs.memory),
    instance: id,
    label: "Kubernetes Profile",
    devices: devicesOf(made),
    created: work.date,
    updated: work.date,
  });
  return config.id;
}

function planOf(type: string): NonNullable<ReturnType<(typeof typesById)["get"]>> {
  const plan = typesById.get(type);
  // The stubs have refused a type that there is not.
  if (plan === undefined) throw new TypeError(`there is no instance type ${type}`);
  return plan;
}
