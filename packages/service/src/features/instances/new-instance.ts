import { instanceStatus, type InstanceType } from "@cloud-compute/server";
import { newHost } from "../../access/credentials.js";
import { jobSubject } from "../../platform/job-subjects.js";
import type { InstanceRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { noBackups } from "../backups/lifecycle.js";
import { instanceEntity } from "../events/lifecycle.js";
import { assignAddress, slaacAddress } from "./addresses.js";

/** A new instance with its addresses, not yet stored. */
export async function newInstance(
  work: UnitOfWork,
  fields: Pick<InstanceRow, "id" | "account" | "label" | "region" | "group" | "state"> & {
    readonly type: InstanceType;
    readonly privateIp: boolean;
  },
): Promise<InstanceRow> {
  const { id, account, label, region, group, state, type, privateIp } = fields;
  const publicAddress = await assignAddress(work, { account, instance: id, kind: "public" });
  const privateAddress = privateIp ? [await assignAddress(work, { account, instance: id, kind: "private" })] : [];
  const { disk, memory, transfer, vcpus, gpus } = type;
  return {
    id,
    account,
    label,
    region,
    group,
    state,
    type: type.id,
    image: null,
    tags: [],
    ipv4: [publicAddress, ...privateAddress],
    ipv6: slaacAddress(id),
    status: instanceStatus.clientState(state),
    hypervisor: "kvm",
    host_uuid: newHost(),
    created: work.date,
    updated: work.date,
    watchdog_enabled: true,
    specs: { disk, memory, transfer, vcpus, gpus },
    alerts: { cpu: 90 * vcpus, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
    backups: noBackups,
    before: null,
    rootPassHash: null,
    authorizedKeys: [],
    lastBooted: null,
    watchdogBoots: [],
    cluster: null,
  };
}

/** Starts provisioning a stored instance. It is in the state `ends` afterwards; without one, nothing is left to do. */
export async function startProvisioning(
  work: UnitOfWork,
  instance: InstanceRow,
  { username, ends }: { readonly username: string | null; readonly ends: string | undefined },
): Promise<void> {
  const { account } = instance;
  // create-event
  const event = await work.recordEvent({
    account,
    action: "compute_create",
    username,
    entity: instanceEntity(instance),
    status: ends === undefined ? "finished" : "started",
  });
  if (ends === undefined) return;
  await work.startJob({
    account,
    kind: "provision",
    subject: jobSubject("instance", instance.id),
    event: event.id,
    data: { ends },
  });
}
