import * as api from "@cloud-compute/client";
import { isApiError } from "@cloud-compute/client";
import { expect, test } from "vitest";
import { seed } from "../../../test/support/property-testing.js";
import * as controls from "../src/testing/index.js";
import { isFull } from "./support/form.js";
import { brokenInvariants, unsettled } from "./support/invariants.js";
import { newLedger, type Ledger } from "./support/ledger.js";
import { everyItem } from "./support/pages.js";
import { run, type Program } from "./support/program.js";
import { randomFrom, type Random } from "./support/random.js";
import { inFile, onPostgres } from "./support/stores.js";

// The loop kills once on each store, the full form fifty times.
const rounds = Number(process.env["ROUNDS"] ?? (isFull ? 50 : 1));

test.each([
  ["in a file", () => inFile()],
  ["on PostgreSQL", () => onPostgres()],
])(
  `acknowledged writes survive kill -9, %s (seed ${seed})`,
  async (_kind, place) => {
    const { args, open } = await place();
    const random = randomFrom(seed);
    const ledger = newLedger();
    for (let round = 0; round < rounds; round += 1) {
      const program = await run([...args, "--pace", "200"]);
      expect(await compared(program, ledger), `round ${round}`).toEqual([]);
      const load = Promise.allSettled(
        [1, 2, 3, 4].map((worker) => work(program, ledger, { random, name: `${round}-${worker}` })),
      );
      // By then the other workers have requests in flight.
      await Promise.race([load, ledger.acknowledges(1 + random.below(mostWrites))]);
      await program.end("SIGKILL");
      const ended = await load;
      // Only the loss of the connection may end a worker.
      for (const each of ended) if (each.status === "rejected" && !isLost(each.reason)) throw each.reason;
      const store = await open();
      expect(await store.survey(Date.now(), brokenInvariants), `round ${round}`).toEqual([]);
      await store.close();
    }
    const last = await run([...args, "--pace", "200"]);
    expect(await compared(last, ledger)).toEqual([]);
    await controls.settle(last.controls);
    expect(await last.end("SIGTERM")).toBe(0);
    const store = await open();
    expect(await store.survey(Date.now(), brokenInvariants)).toEqual([]);
    expect(await store.survey(Date.now(), unsettled)).toEqual([]);
    await store.close();
    expect(ledger.names().length).toBeGreaterThan(0);
  },
  rounds * 15_000 + 60_000,
);

/** A program is killed after at most this many writes. */
const mostWrites = 150;

/** Creates, changes and deletes its own domains and instances, until the connection is lost. */
async function work(
  { admin, controls: clock }: Program,
  ledger: Ledger,
  { random, name }: { readonly random: Random; readonly name: string },
): Promise<void> {
  const domains = new Map<string, number>();
  const instances = new Map<string, number>();
  for (let turn = 0; ; turn += 1) {
    const domain = `d${turn}.w${name}.example.com`;
    const label = `i${turn}-w${name}`;
    const value = `value ${random.below(1_000_000)}`;
    const [known, id] = random.one([...domains, ["", 0] as const]);
    const [instance, instanceId] = random.one([...instances, ["", 0] as const]);
    switch (random.below(6)) {
      case 0:
      case 1:
        await ledger.write(`domain ${domain}`, value, async () => {
          const body = { domain, type: "master", soa_email: "admin@example.com", description: value } as const;
          domains.set(domain, (await api.createDomain(admin, { body })).id);
        });
        break;
      case 2:
        if (id === 0) break;
        await ledger.write(`domain ${known}`, value, () =>
          api.updateDomain(admin, { path: { domainId: id }, body: { description: value } }),
        );
        break;
      case 3:
        if (id === 0) break;
        domains.delete(known);
        await ledger.write(`domain ${known}`, null, () => api.deleteDomain(admin, { path: { domainId: id } }));
        break;
      case 4:
        await ledger.write(`instance ${label}`, value, async () => {
          const body = {
            region: "us-east",
            type: "g6-nanode-1",
            label,
            group: value,
            tags: [`tag-${random.below(5)}`],
            image: "compute/debian12",
            root_pass: "correct Horse 7 battery",
            backups_enabled: true,
          };
          for (;;) {
            try {
              instances.set(label, (await api.createInstance(admin, { body })).id);
              return;
            } catch (error) {
              if (!isApiError(error) || error.status !== 429) throw error;
              await controls.advanceClock(clock, { body: { advance: "PT31S" } });
            }
          }
        });
        break;
      default:
        if (instanceId === 0) break;
        instances.delete(instance);
        await ledger.write(`instance ${instance}`, null, () =>
          api.deleteInstance(admin, { path: { computeId: instanceId } }),
        );
    }
  }
}

async function compared({ admin }: Program, ledger: Ledger): Promise<string[]> {
  const found = new Map<string, string>();
  for (const { domain, description } of await everyItem((query) => api.listDomains(admin, { query })))
    found.set(`domain ${domain}`, description);
  for (const { label, group, status } of await everyItem((query) => api.listInstances(admin, { query })))
    if (status !== "deleting") found.set(`instance ${label}`, group ?? "");
  return ledger.compare(found);
}

function isLost(error: unknown): boolean {
  return isApiError(error) && error.code === "network";
}
