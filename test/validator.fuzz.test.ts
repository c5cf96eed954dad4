import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hosts, type Host, type HostName } from "./support/hosts.js";
import { Maker } from "./support/making/arbitraries.js";
import { callsOf } from "./support/making/calls.js";
import { bytesOf, damaged, damages, recordRequests, type Recorded } from "./support/making/corpus.js";
import { readModel } from "./support/model.js";
import { startOracle } from "./support/oracle.js";
import { exchange, requestOf } from "./support/wire.js";

const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const numRuns = Number(process.env["FUZZ_RUNS"] ?? 600);

/** CPU that one request may cost, of the client and the server together, in microseconds. */
const mostCpu = 50_000;

const names = Object.keys(hosts) as readonly HostName[];
const running = new Map<HostName, Host>();
let corpus: readonly Recorded[];
beforeAll(async () => {
  const [api, oracle] = [await readModel(), await startOracle()];
  const maker = new Maker(api);
  corpus = await recordRequests(api.operations, (each) => callsOf(each, maker, oracle), { seed, each: 2 });
  for (const name of names) running.set(name, await hosts[name]());
});
afterAll(async () => {
  for (const host of running.values()) await host.close();
});

describe(`requests in which bytes are wrong (SEED=${seed}, FUZZ_RUNS=${numRuns})`, () => {
  it("are answered or cut off, in time, by servers that stay up", async () => {
    expect(corpus.length).toBeGreaterThanOrEqual(180);
    const statuses = new Map<string, number>();
    const request = fc.tuple(fc.constantFrom(...corpus), damages).map(([each, damage]) => damaged(each, damage));
    const property = fc.asyncProperty(request, async (bytes) => {
      for (const name of names) {
        const { status, cpu } = await costOf(name, bytes);
        expect(
          status < 500,
          `${name} answers ${status} to ${JSON.stringify(Buffer.from(bytes).toString("latin1"))}`,
        ).toBe(true);
        expect(cpu, `${name} works on ${JSON.stringify(Buffer.from(bytes).toString("latin1"))}`).toBeLessThan(mostCpu);
        statuses.set(`${name} ${status}`, (statuses.get(`${name} ${status}`) ?? 0) + 1);
      }
    });
    await fc.assert(property, { seed, numRuns, endOnFailure: true });
    console.log(statuses);
    for (const name of names) {
      expect(await exchange(portOf(name), requestOf("GET /v4/tags"))).toMatchObject({ status: 200 });
      // Some are right still, and most are wrong.
      for (const status of [200, 400, 404])
        expect(statuses.get(`${name} ${status}`), `${name} ${status}`).toBeGreaterThan(0);
    }
  }, 36_000_000);

  it("are right before that, for all five", async () => {
    for (const each of corpus.filter((_, index) => index % 4 === 0)) {
      for (const name of names) {
        const answer = await exchange(portOf(name), bytesOf(each));
        expect(answer, `${name}: ${each.method} ${each.target}`).toMatchObject({
          status: 200,
          body: expect.stringMatching(/"operation":/) as string,
        });
      }
    }
  });
});

/**
 * Sends a request and measures what CPU it takes. What takes too long is sent twice more, and the least counts: a
 * collector of garbage, or a compiler, works only now and then, and a costly request costs each time.
 */
async function costOf(name: HostName, bytes: Uint8Array): Promise<{ readonly status: number; readonly cpu: number }> {
  const costs: number[] = [];
  for (;;) {
    const before = process.cpuUsage();
    const { status } = await exchange(portOf(name), bytes);
    const { user, system } = process.cpuUsage(before);
    costs.push(user + system);
    if (user + system < mostCpu || costs.length === 3) return { status, cpu: Math.min(...costs) };
  }
}

function portOf(name: HostName): number {
  const host = running.get(name);
  if (host === undefined) throw new Error(`${name} does not run`);
  return host.port;
}
