import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { start, type World } from "../src/testing.support.js";
import * as controls from "../src/testing/index.js";
import { isFull } from "./support/form.js";
import { brokenInvariants, unsettled } from "./support/invariants.js";
import { randomFrom, type Random } from "./support/random.js";
import { inFile } from "./support/stores.js";

const turns = Number(process.env["TURNS"] ?? (isFull ? 400 : 100));
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);

test(
  `the invariants hold after any sequence of operations on instances (seed ${seed})`,
  async () => {
    const { args, open } = await inFile();
    const random = randomFrom(seed);
    const counts = new Map<string, number>();
    // A run without successes tests nothing: the last round goes on until there are some.
    const succeeded = (): boolean =>
      ["create", "clone", "snapshot", "advance"].every((what) => counts.has(`${what} 200`));
    for (let round = 0; round < 4; round += 1) {
      const world = await start(args);
      const isLast = round === 3;
      const most = isLast ? turns * 4 : 0;
      for (let turn = 0; turn < turns / 4 || (turn < most && !succeeded()); turn += 1) {
        const [what, how] = await outcome(world, random);
        counts.set(`${what} ${how}`, (counts.get(`${what} ${how}`) ?? 0) + 1);
      }
      if (isLast) await world.settle();
      await world.service.close();
      const store = await open();
      expect(await store.survey(Date.now(), brokenInvariants), `round ${round}`).toEqual([]);
      if (isLast) expect(await store.survey(Date.now(), unsettled)).toEqual([]);
      await store.close();
    }
    expect([...counts.keys()]).toEqual(
      expect.arrayContaining(["create 200", "clone 200", "snapshot 200", "advance 200"]),
    );
  },
  turns * 500 + 60_000,
);

/** Does something at random. Returns what, and the status: a rejection is as good as a success, unlike a failure. */
async function outcome(world: World, random: Random): Promise<readonly [what: string, status: number]> {
  const { data } = await api.listInstances(world.admin);
  const id = data.length === 0 ? 1 : random.one(data).id;
  const other = data.length === 0 ? 1 : random.one(data).id;
  const what = data.length < 2 ? "create" : random.one(Object.keys(deeds) as (keyof typeof deeds)[]);
  const status = await deeds[what](world, { id, other, random, backups: await backupsOf(world, id) }).then(
    () => 200,
    (error: unknown) => (api.isApiError(error) || controls.isApiError(error) ? (error.status ?? 0) : 0),
  );
  expect([200, 400, 404, 429], what).toContain(status);
  return [what, status];
}

interface Among {
  readonly id: number;
  readonly other: number;
  readonly random: Random;
  readonly backups: readonly number[];
}

type Deed = (world: World, among: Among) => PromiseLike<unknown>;

const deeds = {
  create: ({ admin }, { random, backups }) => {
    const base = { region: "us-east", type: random.one(["g6-nanode-1", "g6-standard-1", "g6-standard-2"]) };
    const [backup_id] = backups;
    const body = random.one<api.InstanceCreate>([
      base,
      { ...base, image: "compute/debian12", root_pass: "correct-Horse-7", private_ip: true },
      { ...base, ...(backup_id === undefined ? {} : { backup_id }) },
    ]);
    return api.createInstance(admin, { body });
  },
  delete: ({ admin }, { id }) => api.deleteInstance(admin, { path: { computeId: id } }),
  boot: ({ admin }, { id }) => api.bootInstance(admin, { path: { computeId: id } }),
  clone: ({ admin }, { id }) => api.cloneInstance(admin, { path: { computeId: id } }),
  cloneTo: ({ admin }, { id, other }) =>
    api.cloneInstance(admin, { path: { computeId: id }, body: { compute_id: other } }),
  snapshot: ({ admin }, { id }) =>
    api.createInstanceSnapshot(admin, { path: { computeId: id }, body: { label: "one" } }),
  automatic: ({ controls: client }, { id }) =>
    controls.createAutomaticBackup(client, { path: { id }, body: { type: "auto" } }),
  enable: ({ admin }, { id }) => api.enableInstanceBackups(admin, { path: { computeId: id } }),
  cancel: ({ admin }, { id }) => api.cancelInstanceBackups(admin, { path: { computeId: id } }),
  schedule: ({ admin }, { id, random }) =>
    api.updateInstance(admin, {
      path: { computeId: id },
      body: { backups: { schedule: { day: random.one(["Scheduling", "Monday", "Friday"]), window: "W2" } } },
    }),
  restore: ({ admin }, { id, other, random, backups }) =>
    api.restoreInstanceBackup(admin, {
      path: { computeId: id, backupId: backups[0] ?? 1 },
      body: { compute_id: other, overwrite: random.one([true, false]) },
    }),
  config: ({ admin }, { id }) =>
    api.createInstanceConfig(admin, { path: { computeId: id }, body: { label: "more", devices: {} } }),
  status: ({ controls: client }, { id, random }) =>
    controls.setInstanceStatus(client, {
      path: { id },
      body: { status: random.one(["running", "offline", "stopped", "suspended", "cloning", "restoring", "migrating"]) },
    }),
  advance: ({ advance }, { random }) => advance(random.one(["PT1S", "PT20S", "PT1M", "PT5M", "P3D"])),
  settle: ({ settle }) => settle(),
} satisfies Record<string, Deed>;

async function backupsOf({ admin }: World, computeId: number): Promise<number[]> {
  try {
    const { automatic, snapshot } = await api.listInstanceBackups(admin, { path: { computeId } });
    return [...automatic, ...(snapshot.current === null ? [] : [snapshot.current])]
      .filter(({ available }) => available)
      .map(({ id }) => id);
  } catch {
    return [];
  }
}
