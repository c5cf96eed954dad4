import { instanceStatus } from "@cloud-compute/server";
import { takeBackup } from "../features/backups/lifecycle.js";
import { imageInstance } from "../features/images/lifecycle.js";
import { setStatus } from "../features/instances/lifecycle.js";
import { errors } from "../gen/errors.js";
import type { InstanceRow } from "../store/rows.js";
import type { UnitOfWork } from "../unit-of-work.js";
import type { ControlHandlers, Controls } from "./context.js";

/** Effects of the platform on instances. */
export function instances({
  store,
  clock,
  works,
}: Controls): ControlHandlers<
  "setInstanceStatus" | "listInstanceDisks" | "createAutomaticBackup" | "createAutomaticImage"
> {
  /** Runs in the account of an existing instance. */
  const writeTo = async <T>(id: number, run: (work: UnitOfWork, instance: InstanceRow) => Promise<T>): Promise<T> => {
    const existing = await store.survey(clock.now(), (tx) => tx.instances.get(id));
    if (existing === undefined) throw errors.notFound();
    return works.write({ account: existing.account, now: clock.now() }, async (work) => {
      const instance = await work.tx.instances.get(id);
      if (instance === undefined) throw errors.notFound();
      return run(work, instance);
    });
  };
  return {
    setInstanceStatus: ({ path: { id }, body }) =>
      writeTo(id, async (work, instance) => {
        const { status } = await setStatus(work, instance, body.status);
        return { status: 200, body: { id, status } };
      }),

    createAutomaticBackup: ({ path: { id } }) =>
      writeTo(id, async (work, instance) => {
        const backup = await takeBackup(work, instance, { trigger: "platform:weekly-backup" });
        return { status: 201, body: backup };
      }),

    listInstanceDisks: ({ path: { id } }) =>
      writeTo(id, async ({ tx }) => ({ status: 200, body: { data: await tx.disks.find({ instance: id }) } })),

    createAutomaticImage: ({ path: { id } }) =>
      writeTo(id, async (work, instance) => {
        if (!instanceStatus.can(instance.state, "deleteInstance"))
          throw errors.invalidRequest({ reason: `An instance that is ${instance.status} cannot be deleted` });
        return { status: 201, body: await imageInstance(work, instance) };
      }),
  };
}
