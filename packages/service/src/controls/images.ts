import { instanceStatus } from "@cloud-compute/server";
import { errors } from "@cloud-compute/controls-server";
import { instanceImaged } from "../areas/images.js";
import type { Area, Controls } from "./index.js";

/** Images that no user makes. */
export function images({ store, clock, workOf }: Controls): Area<"createAutomaticImage"> {
  return {
    createAutomaticImage: async ({ path: { id } }) => {
      const known = await store.read(clock.now(), (tx) => tx.instances.get(id));
      if (known === undefined) throw errors.notFound();
      return store.write({ account: known.account, now: clock.now() }, async (tx) => {
        const instance = await tx.instances.get(id);
        if (instance === undefined) throw errors.notFound();
        if (!instanceStatus.can(instance.state, "deleteInstance"))
          throw errors.invalidRequest({ reason: `An instance that is ${instance.status} cannot be deleted` });
        return { status: 201, body: await instanceImaged(workOf(tx), instance) };
      });
    },
  };
}
