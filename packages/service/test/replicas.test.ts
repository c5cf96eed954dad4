import * as api from "@cloud-compute/client";
import type { Client } from "@cloud-compute/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openPostgres } from "../src/store/postgres.js";
import { sharedPostgres } from "../src/store/postgres.support.js";
import * as controls from "../src/testing/index.js";
import { isFull } from "./support/form.js";
import { brokenInvariants, unsettled } from "./support/invariants.js";
import { everyItem } from "./support/pages.js";
import { run, type Program } from "./support/program.js";

const body = { region: "us-east", type: "g6-nanode-1" };
const deployed = { ...body, image: "compute/debian12", root_pass: "correct Horse 7 battery" };

/** Milliseconds. */
const hour = 3_600_000;

describe.each(isFull ? [2, 4] : [2])("%i replicas on one database", (count) => {
  const started = async (args: readonly string[], endWith?: Parameters<typeof run>[1]) => {
    const url = await sharedPostgres().database();
    const all = ["--database-url", url, "--data", ":memory:", ...args];
    const replicas = await Promise.all(Array.from({ length: count }, () => run(all, endWith)));
    return { url, replicas };
  };

  /** The replicas of most tests. */
  let replicas: readonly Program[];
  const endings: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    ({ replicas } = await started(["--pace", "0"], (end) => endings.push(end)));
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });
  beforeEach(async () => {
    const [first] = replicas as [Program];
    await controls.reset(first.controls);
    for (const { controls: each } of replicas)
      await expect.poll(async () => Math.abs((await timeOf(each)) - Date.now())).toBeLessThan(hour);
  });

  /** Holds or releases jobs. A replica knows it when its clock has moved, since it reads both together. */
  const hold = async (isHeld: boolean): Promise<void> => {
    const [first] = replicas as [Program];
    await controls.hold(first.controls, { body: { hold: isHeld } });
    const { now } = await controls.advanceClock(first.controls, { body: { advance: "P1D" } });
    for (const { controls: each } of replicas)
      await expect.poll(() => timeOf(each)).toBeGreaterThan(Date.parse(now) - hour);
  };

  /** Sends requests to all replicas in turn, concurrently. Returns the statuses of the errors, and the number of successes. */
  const together = async (times: number, ask: (replica: Program, index: number) => PromiseLike<unknown>) => {
    const asked = Array.from({ length: times }, async (_, index) => {
      const replica = replicas[index % replicas.length] as Program;
      return ask(replica, index).then(
        () => 200,
        (error: { readonly status?: number }) => error.status ?? 0,
      );
    });
    const statuses = await Promise.all(asked);
    return {
      done: statuses.filter((status) => status === 200).length,
      rejected: [...new Set(statuses)].filter((status) => status !== 200),
    };
  };

  test("admit ten creates of a user within half a minute, and not one more", async () => {
    expect(await together(40, ({ admin }) => api.createInstance(admin, { body }))).toEqual({
      done: 10,
      rejected: [429],
    });
  });

  test("admit five clones of an instance at once, and not one more", async () => {
    const [{ admin, controls: control }] = replicas as [Program];
    const { id } = await api.createInstance(admin, { body });
    await controls.settle(control);
    const clone = (client: Client) => api.cloneInstance(client, { path: { computeId: id }, body });
    await hold(true);
    expect(await together(20, (replica) => clone(replica.admin))).toMatchObject({ done: 5 });
    await hold(false);
    await controls.settle(control);
    await hold(true);
    expect(await together(20, (replica) => clone(replica.admin))).toMatchObject({ done: 5 });
  });

  test("assign a name once, across replicas and accounts", async () => {
    const clients = await Promise.all(
      replicas.map(async ({ controls: control, as }, index) => {
        await controls.createUser(control, { body: { username: `user-${index}`, account: `account-${index}` } });
        return as((await controls.createUserToken(control, { path: { username: `user-${index}` }, body: {} })).token);
      }),
    );
    const domain = { domain: "one.example.com", type: "master", soa_email: "a@example.com" } as const;
    const given = await together(24, (_replica, index) =>
      api.createDomain(clients[index % count] as Client, { body: domain }),
    );
    expect(given).toEqual({ done: 1, rejected: [400] });
  });

  test("share the clock and the hold on jobs", async () => {
    const [first, ...others] = replicas as [Program, ...Program[]];
    await hold(true);
    const { id } = await api.createInstance(first.admin, { body: deployed });
    const status = async () => (await api.getInstance(first.admin, { path: { computeId: id } })).status;
    // Moving its clock makes a replica run due jobs.
    for (const other of others) await controls.advanceClock(other.controls, { body: { advance: "PT1S" } });
    expect(await status()).toBe("provisioning");
    await hold(false);
    await expect.poll(status).toBe("running");
  });

  test("run every job once, those of a killed replica too", async () => {
    const own = await started(["--pace", "30", "--log", "debug"]);
    const [first, second] = own.replicas as [Program, Program];
    const clients = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        await controls.createUser(first.controls, { body: { username: `user-${index}`, account: `account-${index}` } });
        return (await controls.createUserToken(first.controls, { path: { username: `user-${index}` }, body: {} }))
          .token;
      }),
    );
    // In sequence for each user: a busy machine may not answer forty concurrent requests in time.
    await Promise.all(
      clients.map(async (token) => {
        for (let made = 0; made < 10; made += 1) await api.createInstance(first.as(token), { body: deployed });
      }),
    );
    await expect.poll(() => provisionedBy(first).length, { timeout: 240_000 }).toBeGreaterThan(0);
    await first.end("SIGKILL");
    for (const client of clients.map((token) => second.as(token))) {
      const statuses = async () => {
        const instances = await everyItem((query) => api.listInstances(client, { query }));
        return instances.map(({ status }) => status);
      };
      await expect.poll(statuses, { timeout: 240_000, interval: 100 }).toEqual(Array(10).fill("running"));
    }
    const ids = own.replicas.flatMap(provisionedBy);
    expect(new Set(ids).size).toBe(ids.length);
    // A killed replica may have run one without logging it.
    expect(ids.length).toBeGreaterThanOrEqual(39);
    const store = await openPostgres(own.url);
    expect(await store.survey(Date.now(), brokenInvariants)).toEqual([]);
    expect(await store.survey(Date.now(), unsettled)).toEqual([]);
    await store.close();
  });
});

async function timeOf(control: controls.Client): Promise<number> {
  return Date.parse((await controls.getClock(control)).now);
}

/** The provisioning jobs of a replica's log. */
function provisionedBy({ log }: Program): readonly (string | undefined)[] {
  return [...log().matchAll(/"job":\{"account":"[^"]*","kind":"provision".*?"id":(\d+)/g)].map(([, id]) => id);
}
