import { errors } from "@cloud-compute/controls-server";
import { bootstrapAccount } from "../bootstrap.js";
import type { Tx } from "../store/tx.js";
import type { Area, Controls } from "./index.js";

/** Objects and states that the API itself cannot make. */
export function objects({
  store,
  clock,
}: Controls): Area<"createStackScript" | "deleteStackScript" | "setRegion" | "createPayment"> {
  const write = <T>(account: string, run: (tx: Tx) => Promise<T>): Promise<T> =>
    store.write({ account, now: clock.now() }, run);
  return {
    createStackScript: ({ body: { label, images, user_defined_fields = [] } }) =>
      write(bootstrapAccount, async (tx) => {
        const { id } = await tx.stackscripts.add({ account: bootstrapAccount, label, images, user_defined_fields });
        return { status: 201, body: { id } };
      }),

    deleteStackScript: ({ path: { id } }) =>
      write(bootstrapAccount, async (tx) => {
        if ((await tx.stackscripts.get(id)) === undefined) throw errors.notFound();
        await tx.stackscripts.remove([id]);
        return { status: 204 };
      }),

    setRegion: ({ path: { id }, body }) =>
      write(bootstrapAccount, async (tx) => {
        const region = await tx.regions.get(id);
        if (region === undefined) throw errors.notFound();
        const { status = region.status, capabilities = region.capabilities } = body;
        return { status: 200, body: await tx.regions.change(region, { status, capabilities }) };
      }),

    createPayment: ({ body: { usd, account = bootstrapAccount } }) =>
      write(account, async (tx) => {
        const known = await tx.accounts.get(account);
        if (known === undefined) throw errors.notFound();
        // In cents, since sums of fractions are not exact.
        const total_payments = (Math.round(known.total_payments * 100) + Math.round(usd * 100)) / 100;
        await tx.accounts.change(known, { total_payments });
        return { status: 204 };
      }),
  };
}
