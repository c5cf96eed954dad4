import { setTimeout as wait } from "node:timers/promises";
import * as api from "@cloud-compute/client";
import type { Client } from "@cloud-compute/client";
import * as controls from "@cloud-compute/controls-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../src/store/postgres.js";
import { startPostgres, type TestPostgres } from "../src/store/postgres.support.js";
import { brokenInvariants, unsettled } from "./support/invariants.js";
import { everyItem } from "./support/pages.js";
import { run, type Program } from "./support/program.js";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres.close());

const body = { region: "us-east", type: "g6-nanode-1" };

describe.each([2, 4])("%i replicas on one database", (count) => {
  const started = async (args: readonly string[] = ["--pace", "0"]) => {
    const url = await postgres.database();
    const all = ["--database-url", url, "--data", ":memory:", ...args];
    const replicas = await Promise.all(Array.from({ length: count }, () => run(all)));
    return { url, replicas };
  };
  /** Asks all replicas in turn, all at the same time. Gives the statuses of what failed, and how many did not. */
  const together = async (
    replicas: readonly Program[],
    times: number,
    ask: (replica: Program, index: number) => PromiseLike<unknown>,
  ) => {
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
      refused: [...new Set(statuses)].filter((status) => status !== 200),
    };
  };

  test("admit ten creates of a user within half a minute, and not one more", async () => {
    const { replicas } = await started();
    expect(await together(replicas, 40, ({ admin }) => api.createInstance(admin, { body }))).toEqual({
      done: 10,
      refused: [429],
    });
  });

  test("admit five clones of an instance at once, and not one more", async () => {
    const { replicas } = await started(["--pace", "1"]);
    const [{ admin, controls: control }] = replicas as [Program];
    const { id } = await api.createInstance(admin, { body });
    await controls.settle(control);
    const clone = (client: Client) => api.cloneInstance(client, { path: { computeId: id }, body });
    expect(await together(replicas, 20, (replica) => clone(replica.admin))).toMatchObject({ done: 5 });
    await controls.settle(control);
    expect(await together(replicas, 20, (replica) => clone(replica.admin))).toMatchObject({ done: 5 });
  });

  test("give a name once, whoever asks for it where", async () => {
    const { replicas } = await started();
    const clients = await Promise.all(
      replicas.map(async ({ controls: control, as }, index) => {
        await controls.createUser(control, { body: { username: `user-${index}`, account: `account-${index}` } });
        return as((await controls.createUserToken(control, { path: { username: `user-${index}` }, body: {} })).token);
      }),
    );
    const domain = { domain: "one.example.com", type: "master", soa_email: "a@example.com" } as const;
    const given = await together(replicas, 24, (_replica, index) =>
      api.createDomain(clients[index % count] as Client, { body: domain }),
    );
    expect(given).toEqual({ done: 1, refused: [400] });
  });

  test("share the clock and what is held", async () => {
    const { replicas } = await started();
    const [first, ...others] = replicas as [Program, ...Program[]];
    const { now } = await controls.advanceClock(first.controls, { body: { advance: "P1D" } });
    await wait(300);
    for (const other of others) {
      const seen = await controls.getClock(other.controls);
      expect(Math.abs(Date.parse(seen.now) - Date.parse(now))).toBeLessThan(5000);
    }
    await controls.hold(first.controls, { body: { hold: true } });
    await wait(300);
    const image = { ...body, image: "compute/debian12", root_pass: "correct Horse 7 battery" };
    const { id } = await api.createInstance(first.admin, { body: image });
    await wait(300);
    expect(await api.getInstance(first.admin, { path: { computeId: id } })).toMatchObject({ status: "provisioning" });
  });

  test("do every job once, and what a killed one had to do, too", async () => {
    const { url, replicas } = await started(["--pace", "30", "--log", "debug"]);
    const [first, ...others] = replicas as [Program, ...Program[]];
    const clients = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        await controls.createUser(first.controls, { body: { username: `user-${index}`, account: `account-${index}` } });
        return (await controls.createUserToken(first.controls, { path: { username: `user-${index}` }, body: {} }))
          .token;
      }),
    );
    const image = { ...body, image: "compute/debian12", root_pass: "correct Horse 7 battery" };
    // One after the other for each: forty at once can be more than a busy machine answers in time.
    await Promise.all(
      clients.map(async (token) => {
        for (let made = 0; made < 10; made += 1) await api.createInstance(first.as(token), { body: image });
      }),
    );
    await wait(900);
    await first.end("SIGKILL");
    const [second] = others as [Program];
    const deadline = Date.now() + 20_000;
    for (const client of clients.map((token) => second.as(token))) {
      let busy = 1;
      while (busy > 0 && Date.now() < deadline) {
        const instances = await everyItem((query) => api.listInstances(client, { query }));
        expect(instances).toHaveLength(10);
        busy = instances.filter(({ status }) => status !== "running").length;
        await wait(100);
      }
      expect(busy).toBe(0);
    }
    const done = replicas.map(({ log }) =>
      [...log().matchAll(/"job":\{"account":"[^"]*","kind":"provision".*?"id":(\d+)/g)].map(([, id]) => id),
    );
    const ids = done.flat();
    expect(new Set(ids).size).toBe(ids.length);
    // A replica that was killed may have done one without telling.
    expect(ids.length).toBeGreaterThanOrEqual(39);
    const store = await openPostgres(url);
    expect(await store.read(Date.now(), brokenInvariants)).toEqual([]);
    expect(await store.read(Date.now(), unsettled)).toEqual([]);
    await store.close();
  });
});
