import type { Volume } from "@cloud-compute/server";
import { grantsEnd } from "../access/grants.js";
import { bootstrapAccount } from "../bootstrap.js";
import { addNodeBalancer } from "../features/kube/lifecycle.js";
import { errors } from "../gen/errors.js";
import type { InstanceRow } from "../store/rows.js";
import type { UnitOfWork } from "../unit-of-work.js";
import type { ControlHandlers, Controls } from "./context.js";

/** Objects and states that the API itself cannot create. */
export function objects({
  clock,
  works,
}: Controls): ControlHandlers<
  "createStackScript" | "deleteStackScript" | "setRegion" | "createPayment" | "createVolume" | "createNodeBalancer"
> {
  const write = <T>(account: string, run: (work: UnitOfWork) => Promise<T>): Promise<T> =>
    works.write({ account, now: clock.now() }, run);
  /** Runs in an existing account and region. */
  const placed = <T>(
    { account = bootstrapAccount, region }: { readonly account?: string; readonly region: string },
    run: (work: UnitOfWork, account: string) => Promise<T>,
  ): Promise<T> =>
    write(account, async (work) => {
      if ((await work.tx.accounts.get(account)) === undefined) throw errors.notFound();
      if ((await work.tx.regions.get(region)) === undefined)
        throw errors.invalidRequest({ field: "region", reason: "There is no region of this name" });
      return run(work, account);
    });
  return {
    createStackScript: ({ body: { label, images, user_defined_fields = [], account = bootstrapAccount } }) =>
      write(account, async ({ tx }) => {
        if ((await tx.accounts.get(account)) === undefined) throw errors.notFound();
        const { id } = await tx.stackscripts.add({ account, label, images, user_defined_fields });
        return { status: 201, body: { id } };
      }),

    deleteStackScript: ({ path: { id } }) =>
      write(bootstrapAccount, async (work) => {
        const { tx } = work;
        const known = await tx.stackscripts.get(id);
        if (known === undefined) throw errors.notFound();
        await tx.stackscripts.remove([id]);
        await grantsEnd(work, { account: known.account, kind: "stackscript", id });
        return { status: 204 };
      }),

    setRegion: ({ path: { id }, body }) =>
      write(bootstrapAccount, async ({ tx }) => {
        const region = await tx.regions.get(id);
        if (region === undefined) throw errors.notFound();
        const { status = region.status, capabilities = region.capabilities } = body;
        return { status: 200, body: await tx.regions.patch(region, { status, capabilities }) };
      }),

    createPayment: ({ body: { usd, account = bootstrapAccount } }) =>
      write(account, async ({ tx }) => {
        const known = await tx.accounts.get(account);
        if (known === undefined) throw errors.notFound();
        // In cents, since sums of fractions are not exact.
        const total_payments = (Math.round(known.total_payments * 100) + Math.round(usd * 100)) / 100;
        await tx.accounts.patch(known, { total_payments });
        return { status: 204 };
      }),

    createVolume: ({ body }) =>
      placed(body, async (work, account) => {
        const instance = body.compute_id === undefined ? undefined : await work.tx.instances.get(body.compute_id);
        if (body.compute_id !== undefined && instance?.account !== account)
          throw errors.invalidRequest({ field: "compute_id", reason: "There is no such instance in this account" });
        const { label, size, region } = body;
        const volume = await work.tx.volumes.add({
          ...newVolume,
          account,
          label,
          size,
          region,
          ...attachedTo(instance),
          ...dated(work),
          filesystem_path: pathOf(label),
        });
        return { status: 201, body: volume };
      }),

    createNodeBalancer: ({ body: { label, region, account: of } }) =>
      placed({ region, ...(of === undefined ? {} : { account: of }) }, async (work, account) => {
        if ((await work.tx.nodebalancers.first({ account, label })) !== undefined)
          throw errors.invalidRequest({ field: "label", reason: "There is a NodeBalancer of this label" });
        return { status: 201, body: await addNodeBalancer(work, { account, label, region, cluster: null, tags: [] }) };
      }),
  };
}

const newVolume = { status: "active", hardware_type: "nvme", tags: [], cluster: null } satisfies Partial<Volume> & {
  cluster: null;
};

function attachedTo(instance: InstanceRow | undefined): Pick<Volume, "compute_id" | "compute_label"> {
  return { compute_id: instance?.id ?? null, compute_label: instance?.label ?? null };
}

function dated({ date }: UnitOfWork): Pick<Volume, "created" | "updated"> {
  return { created: date, updated: date };
}

function pathOf(label: string): string {
  return `/dev/disk/by-id/scsi-0Compute_Volume_${label}`;
}
