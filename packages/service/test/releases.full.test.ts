import { setImmediate } from "node:timers/promises";
import * as api from "@cloud-compute/client";
import { createClient, type Client } from "@cloud-compute/client";
import { expect, onTestFinished, test } from "vitest";
import { programVersion } from "../src/store/migrations.js";
import { tables } from "../src/store/tables.js";
import { adminAddressOf } from "./support/admin-address.js";
import { brokenInvariants } from "./support/invariants.js";
import { newLedger, type Ledger } from "./support/ledger.js";
import { everyItem } from "./support/pages.js";
import { later } from "./support/planted.js";
import { run, token, type Program } from "./support/program.js";
import { packProgram, type Release } from "./support/releases.js";
import { inFile, onPostgres, type Place } from "./support/stores.js";

/** This program. */
const present: Release = { tables, migrations: { until: programVersion } };

test("three replicas roll forward to a later release and back under load, and no request fails", async () => {
  const [older, newer] = await Promise.all([packProgram(present), packProgram(later)]);
  const place = await onPostgres();
  const balancer = new Balancer();
  const start = (program: string): Promise<Replica> => startReplica(place, program);
  for (const replica of await Promise.all([older, older, older].map(start))) balancer.add(replica);
  const ledger = newLedger();
  const load = startLoad(balancer.client, ledger);
  for (const program of [newer, newer, newer, older, older, older]) {
    await load.writes(20);
    balancer.add(await start(program));
    await balancer.removeOldest();
  }
  await load.writes(20);
  await load.end();
  expect(await differences(balancer.client, ledger)).toEqual([]);
  expect(ledger.names().length).toBeGreaterThan(0);
  await balancer.removeAll();
  await expectIntact(place);
});

test("a store in a file is used by a later release, and by this one again", async () => {
  const [older, newer] = await Promise.all([packProgram(present), packProgram(later)]);
  const place = await inFile();
  const ledger = newLedger();
  for (const program of [older, newer, older, newer, older]) {
    const { admin, end } = await run([...place.args, "--pace", "0"], undefined, { program });
    expect(await differences(admin, ledger)).toEqual([]);
    const load = startLoad(admin, ledger);
    await load.writes(10);
    await load.end();
    expect(await end("SIGTERM")).toBe(0);
  }
  await expectIntact(place);
});

test.each([
  ["in a file", () => inFile()],
  ["on PostgreSQL", () => onPostgres()],
])("a program says what to do with a store %s that it cannot use", async (_, at) => {
  const place = await at();
  const [migration] = "add" in later.migrations ? later.migrations.add : [];
  if (migration === undefined) throw new Error("the later release has no migration");
  const contracted = { ...migration, oldest: programVersion + 1 };
  const newer = await packProgram({ ...later, migrations: { add: [contracted] } });
  const { end } = await run(place.args, undefined, { program: await packProgram(present) });
  await end("SIGTERM");
  await (await run(place.args, undefined, { program: newer })).end("SIGTERM");
  await expect(place.open()).rejects.toThrow(
    `the store has schema ${programVersion + 1}, which needs a program for schema ${programVersion + 1} or later, and this program is for schema ${programVersion}. Start a later version of the program, or restore a backup that is older than the migration.`,
  );
  // Nothing was changed.
  await (await run(place.args, undefined, { program: newer })).end("SIGTERM");
});

interface Replica extends Program {
  /** The address of `/readyz`. */
  readonly at: string;
}

async function startReplica({ args }: Place, release: string): Promise<Replica> {
  const options = ["--pace", "0", "--log", "info", "--admin-port", "0", "--drain-seconds", "1"];
  const program = await run([...args, ...options], undefined, { program: release });
  return { ...program, at: await adminAddressOf(program) };
}

/** Sends requests to replicas in turns, and asks each of them whether it is ready, as a balancer does. */
class Balancer {
  readonly #replicas: Replica[] = [];
  readonly #ready = new Set<Replica>();
  #turn = 0;

  constructor() {
    const checks = setInterval(() => {
      for (const replica of this.#replicas) void this.#check(replica);
    }, 50);
    onTestFinished(() => clearInterval(checks));
  }

  readonly client: Client = createClient({
    baseUrl: "http://balancer.invalid/v4",
    token,
    fetch: async (address, init) => {
      while (this.#ready.size === 0) await setImmediate();
      const ready = [...this.#ready];
      const { url } = ready[(this.#turn += 1) % ready.length] as Replica;
      return fetch(address.replace("http://balancer.invalid/v4", url), init);
    },
  });

  add(replica: Replica): void {
    this.#replicas.push(replica);
    this.#ready.add(replica);
  }

  /** Ends a replica as an operator does, and waits for its end. */
  async removeOldest(): Promise<void> {
    expect(await this.#replicas[0]?.end("SIGTERM")).toBe(0);
    this.#replicas.shift();
  }

  async removeAll(): Promise<void> {
    const codes = await Promise.all(this.#replicas.splice(0).map(({ end }) => end("SIGTERM")));
    expect(codes).toEqual([0, 0, 0]);
  }

  async #check(replica: Replica): Promise<void> {
    const isReady = await fetch(`${replica.at}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isReady && this.#replicas.includes(replica)) this.#ready.add(replica);
    else this.#ready.delete(replica);
  }
}

interface Load {
  /** Resolves after so many more writes. Rejects if a request fails. */
  writes(count: number): Promise<unknown>;
  end(): Promise<unknown>;
}

/** Creates, changes and deletes domains until its end, or until a request fails. */
function startLoad(client: Client, ledger: Ledger): Load {
  const over = new AbortController();
  const worker = async (): Promise<void> => {
    const ids: (readonly [domain: string, id: number])[] = [];
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const domain = `d${names.next().value}.example.com`;
      const body = { domain, type: "master", soa_email: "a@example.com", description: "created" } as const;
      await ledger.write(domain, "created", async () => {
        ids.push([domain, (await api.createDomain(client, { body })).id]);
      });
      const [changed = "", domainId = 0] = ids[turn >> 1] ?? [];
      const description = `change ${turn}`;
      await ledger.write(changed, description, () =>
        api.updateDomain(client, { path: { domainId }, body: { description } }),
      );
      if (turn % 4 !== 3) continue;
      const [gone = "", id = 0] = ids.pop() ?? [];
      await ledger.write(gone, null, () => api.deleteDomain(client, { path: { domainId: id } }));
    }
  };
  const ended = Promise.all([worker(), worker(), worker(), worker()]);
  return {
    writes: (count) => Promise.race([ledger.acknowledges(count), ended]),
    end: () => {
      over.abort();
      return ended;
    },
  };
}

const names = numbers();

function* numbers(): Generator<number, never> {
  for (let number = 0; ; number += 1) yield number;
}

async function differences(client: Client, ledger: Ledger): Promise<readonly string[]> {
  const domains = await everyItem((query) => api.listDomains(client, { query }));
  return ledger.compare(new Map(domains.map(({ domain, description }) => [domain, description])));
}

async function expectIntact(place: Place): Promise<void> {
  const store = await place.open();
  expect(await store.survey(Date.now(), brokenInvariants)).toEqual([]);
  await store.close();
}
