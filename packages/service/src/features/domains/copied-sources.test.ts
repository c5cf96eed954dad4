import * as api from "@cloud-compute/client";
import { describe, expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";
import { deploy, empty } from "../instances/instances.support.js";

/** An instance to copy, its snapshot, and the target. */
interface Copied {
  readonly source: number;
  readonly backupId: number;
  readonly target: number;
}

type Copy = (caller: Pick<World, "admin">, copied: Copied) => Promise<unknown>;

const clone: Copy = ({ admin }, { source, target }) =>
  api.cloneInstance(admin, { path: { computeId: source }, body: { compute_id: target } });

const restore: Copy = ({ admin }, { source, backupId, target }) =>
  api.restoreInstanceBackup(admin, {
    path: { computeId: source, backupId },
    body: { compute_id: target, overwrite: true },
  });

describe.each([
  ["a clone", clone],
  ["a restore", restore],
] as const)("%s", (_, copy) => {
  test("requires read_write on the source: 403 with less, 404 without any grant", async () => {
    const world = await start();
    const copied = await prepare(world);
    const bob = { admin: await world.user("bob", { restricted: true }) };
    const grant = (permissions: "read_only" | "read_write" | null) =>
      controls.setGrants(world.controls, {
        path: { username: "bob" },
        body: {
          global: { add_computes: true },
          compute: [
            { id: copied.source, permissions },
            { id: copied.target, permissions: "read_write" },
          ],
        },
      });
    await grant(null);
    expect(await failure(copy(bob, copied))).toEqual([404, "Not found"]);
    await grant("read_only");
    expect((await failure(copy(bob, copied)))[0]).toBe(403);
    await grant("read_write");
    await copy(bob, copied);
  });

  test("of another account is not found", async () => {
    const world = await start();
    const copied = await prepare(world);
    const eve = { admin: await world.user("eve", { account: "other" }) };
    expect(await failure(copy(eve, copied))).toEqual([404, "Not found"]);
  });
});

test("a source in a state that forbids the copy gets 400", async () => {
  const world = await start();
  const copied = await prepare(world);
  await restore(world, { ...copied, target: copied.source });
  expect(await failure(clone(world, copied))).toEqual([400, "Instance busy."]);
  await world.settle();
  const { id: pending } = await api.createInstanceSnapshot(world.admin, {
    path: { computeId: copied.source },
    body: { label: "after" },
  });
  expect((await failure(restore(world, { ...copied, backupId: pending })))[0]).toBe(400);
});

async function prepare(world: World): Promise<Copied> {
  const { id: source } = await deploy(world, { type: "g6-nanode-1" });
  const { id: backupId } = await api.createInstanceSnapshot(world.admin, {
    path: { computeId: source },
    body: { label: "before" },
  });
  await world.settle();
  const { id: target } = await empty(world, { type: "g6-standard-1" });
  return { source, backupId, target };
}
