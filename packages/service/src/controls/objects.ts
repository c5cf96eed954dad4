import { grantsEnd } from "../access/grants.js";
import { bootstrapAccount } from "../bootstrap.js";
import { addNodeBalancer } from "../features/kube/lifecycle.js";
import { errors } from "../gen/errors.js";
import type { CreateVolumeHandlerInput } from "../gen/handlers.js";
import type { Rows } from "../store/rows.js";
import type { Transaction } from "../store/transaction.js";
import type { UnitOfWork } from "../unit-of-work.js";
import type { ControlHandlers, Controls } from "./context.js";

/** Objects and states that the API itself cannot create. */
export function objects({
  store,
  clock,
  works,
}: Controls): ControlHandlers<
  "createStackScript" | "deleteStackScript" | "setRegion" | "createPayment" | "createVolume" | "createNodeBalancer"
> {
  const write = <T>(account: string | null, run: (work: UnitOfWork) => Promise<T>): Promise<T> =>
    works.write({ account, now: clock.now() }, run);
  return {
    createStackScript: ({ body: { label, images, user_defined_fields = [], account = bootstrapAccount } }) =>
      write(account, async ({ tx }) => {
        await ensureAccount(tx, account);
        const { id } = await tx.stackscripts.add({ account, label, images, user_defined_fields });
        return { status: 201, body: { id } };
      }),

    deleteStackScript: async ({ path: { id } }) => {
      const script = await store.survey(clock.now(), (tx) => tx.stackscripts.get(id));
      if (script === undefined) throw errors.notFound();
      return write(script.account, async (work) => {
        await work.tx.stackscripts.remove([id]);
        await grantsEnd(work, { account: script.account, kind: "stackscript", id });
        return { status: 204 };
      });
    },

    setRegion: ({ path: { id }, body }) =>
      write(null, async ({ tx }) => {
        const region = await tx.regions.get(id);
        if (region === undefined) throw errors.notFound();
        const { status = region.status, capabilities = region.capabilities } = body;
        return { status: 200, body: await tx.regions.patch(region, { status, capabilities }) };
      }),

    createPayment: ({ body: { usd, account = bootstrapAccount } }) =>
      write(account, async ({ tx }) => {
        const row = await ensureAccount(tx, account);
        // In cents, since sums of fractions are not exact.
        const total_payments = (Math.round(row.total_payments * 100) + Math.round(usd * 100)) / 100;
        await tx.accounts.patch(row, { total_payments });
        return { status: 204 };
      }),

    createVolume: ({ body: { account = bootstrapAccount, ...volume } }) =>
      write(account, async (work) => ({ status: 201, body: await addVolume(work, { account, ...volume }) })),

    createNodeBalancer: ({ body: { label, region, account = bootstrapAccount } }) =>
      write(account, async (work) => {
        await ensurePlace(work.tx, account, region);
        if ((await work.tx.nodebalancers.first({ account, label })) !== undefined)
          throw errors.invalidRequest({ field: "label", reason: "There is a NodeBalancer of this label" });
        return { status: 201, body: await addNodeBalancer(work, { account, label, region, cluster: null, tags: [] }) };
      }),
  };
}

async function addVolume(
  { tx, date }: UnitOfWork,
  { account, compute_id, label, size, region }: CreateVolumeHandlerInput["body"] & { account: string },
): Promise<Rows["volumes"]> {
  await ensurePlace(tx, account, region);
  const instance = compute_id === undefined ? undefined : await tx.instances.get(compute_id);
  if (compute_id !== undefined && instance?.account !== account)
    throw errors.invalidRequest({ field: "compute_id", reason: "There is no such instance in this account" });
  return tx.volumes.add({
    account,
    label,
    size,
    region,
    status: "active",
    hardware_type: "nvme",
    tags: [],
    cluster: null,
    compute_id: instance?.id ?? null,
    compute_label: instance?.label ?? null,
    created: date,
    updated: date,
    filesystem_path: `/dev/disk/by-id/scsi-0Compute_Volume_${label}`,
  });
}

async function ensurePlace(tx: Transaction, account: string, region: string): Promise<void> {
  await ensureAccount(tx, account);
  if ((await tx.regions.get(region)) === undefined)
    throw errors.invalidRequest({ field: "region", reason: "There is no region of this name" });
}

async function ensureAccount(tx: Transaction, name: string): Promise<Rows["accounts"]> {
  const account = await tx.accounts.get(name);
  if (account === undefined) throw errors.notFound();
  return account;
}
