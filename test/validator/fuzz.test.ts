import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hosts, listen, type Host, type HostName } from "../support/hosts.js";
import { Maker } from "../support/making/arbitraries.js";
import { callsOf } from "../support/making/calls.js";
import { bytesOf, damaged, damages, recordRequests, type Damage, type Recorded } from "../support/making/corpus.js";
import { readModel } from "../support/model.js";
import { startOracle } from "../support/oracle.js";
import { seed } from "../support/property-testing.js";
import { exchange, requestOf, type Answer, type Patience } from "../support/wire.js";

const numRuns = Number(process.env["FUZZ_RUNS"] ?? (process.env["MODE"] === "full" ? 20_000 : 75));

/** CPU that one request may cost, of the client and the server together, in microseconds. */
const mostCpu = 50_000;

/** Hosts that see a target as it was sent, and hosts that see a Request, in which the platform has resolved dots. */
const onNode: readonly HostName[] = ["node", "express", "fastify"];
const onRequests: readonly HostName[] = ["hono", "fetch"];

const running = new Map<string, Host>();
let corpus: readonly Recorded[];
beforeAll(async () => {
  const [api, oracle] = [await readModel(), await startOracle()];
  const maker = new Maker(api);
  corpus = await recordRequests(api.operations, (each) => callsOf(each, maker, oracle), { seed, each: 2 });
  for (const [name, start] of Object.entries(hosts)) running.set(name, await start());
});
afterAll(async () => {
  for (const host of running.values()) await host.close();
});

describe(`requests in which bytes are wrong (SEED=${seed}, FUZZ_RUNS=${numRuns})`, () => {
  it("are right before that, for all five", async () => {
    expect(corpus.length).toBeGreaterThanOrEqual(180);
    for (const each of corpus.filter((_, index) => index % 4 === 0)) {
      for (const [name, { port }] of running) {
        const { status, body } = await exchange(port, bytesOf(each));
        expect({ name, status, body }).toEqual({
          name,
          status: 200,
          body: expect.stringContaining('"operation":') as string,
        });
      }
    }
  });

  it("are answered or cut off, in time and alike, by servers that stay up", async () => {
    const statuses = new Map<string, number>();
    const property = fc.asyncProperty(fc.constantFrom(...corpus), damages, async (recorded, damage) => {
      const bytes = damaged(recorded, damage);
      // A request with a complete body gets a response; one with a shorter body may be incomplete, and gets none.
      const isWhole = damage.part === "body" && !damage.lies;
      const answers = new Map<string, Answer>();
      for (const [name, { port }] of running) {
        const reported = await costOf(port, bytes, { ends: !isWhole });
        answers.set(name, reported.answer);
        const { status } = reported.answer;
        if (isWhole) expect(status, `${name} does not answer ${JSON.stringify(recorded)}`).not.toBe(0);
        expect(problemOf(reported), `${name}: ${JSON.stringify(Buffer.from(bytes).toString("latin1"))}`).toBe("none");
        statuses.set(`${name} ${status}`, (statuses.get(`${name} ${status}`) ?? 0) + 1);
      }
      for (const alike of [onNode, onRequests]) {
        const theirs = alike.flatMap((name) => answers.get(name) ?? []);
        expect(disagreement(theirs), JSON.stringify(Buffer.from(bytes).toString("latin1"))).toEqual([]);
      }
    });
    await fc.assert(property, { seed, numRuns, endOnFailure: true, examples: rare(corpus) });
    for (const [name, { port }] of running) {
      expect(await exchange(port, requestOf("GET /v4/tags"))).toMatchObject({ status: 200 });
      // Some are right still, and some are wrong in each of these ways.
      for (const status of [200, 400, 404, 406, 415]) expect([...statuses.keys()]).toContain(`${name} ${status}`);
    }
  }, 36_000_000);

  it("finds a server that fails, works too long, or accepts what others reject", async () => {
    const portOf = async (listener: Parameters<typeof listen>[0]): Promise<number> => {
      const { port, close } = await listen(listener);
      onTestFinished(close);
      return port;
    };
    const failing = await portOf((_, response) => void response.writeHead(500).end());
    const busy = await portOf((_, response) => {
      const before = process.cpuUsage();
      while (cpuSince(before) < 1.5 * mostCpu);
      response.end();
    });
    const request = Buffer.from(requestOf("GET /"));
    expect(problemOf(await costOf(failing, request))).toBe("answers 500");
    expect(problemOf(await costOf(busy, request))).toBe("works too long");
    const accepted = { status: 200, body: '{"operation":"listTags"}' };
    const rejected = { status: 400, body: '{"errors":[]}' };
    expect(disagreement([rejected, accepted])).toEqual([rejected, accepted]);
    expect(disagreement([{ status: 400, body: "the framework's" }, accepted, accepted])).toEqual([]);
  });
});

/** Requests with a wrong media type, or with a wrong Accept for a response with a body: random changes seldom find these. */
function rare(requests: readonly Recorded[]): [Recorded, Damage][] {
  const withBody = requests.find(({ headers }) => headers.includes("content-type: "));
  const read = requests.find(({ method, headers }) => method === "GET" && headers.includes("accept: "));
  if (withBody === undefined || read === undefined) throw new Error("no request has a body, or none reads");
  return [
    [withBody, insertedAfter("content-type: ", "text/html; x=", withBody)],
    [read, insertedAfter("accept: ", "text/html\r\nx-other: ", read)],
  ];
}

function insertedAfter(name: string, text: string, { headers }: Recorded): Damage {
  const from = headers.indexOf(name) + name.length;
  const at = Math.ceil((from / (headers.length + 1)) * 10_000);
  return { part: "headers", edits: [{ at, remove: 0, insert: Buffer.from(text) }], lies: false };
}

const maxAttempts = 30;

interface Cost {
  readonly answer: Answer;
  /** Microseconds. */
  readonly cpu: number;
}

/**
 * Sends a request and measures the CPU time of the process meanwhile. A slow request is sent again, and the least counts: a collector of
 * garbage, a compiler or another program costs now and then, and a costly request costs each time.
 */
async function costOf(port: number, bytes: Uint8Array, patience: Patience = {}): Promise<Cost> {
  const costs: number[] = [];
  for (;;) {
    const before = process.cpuUsage();
    const answer = await exchange(port, bytes, patience);
    const cpu = cpuSince(before);
    costs.push(cpu);
    if (cpu < mostCpu || costs.length === maxAttempts) return { answer, cpu: Math.min(...costs) };
  }
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function problemOf({ answer: { status }, cpu }: Cost): string {
  if (status >= 500) return `answers ${status}`;
  return cpu < mostCpu ? "none" : "works too long";
}

/** Responses that differ in validation. Before validation, a framework may respond with its own text or close the connection. */
function disagreement(answers: readonly Answer[]): readonly Answer[] {
  const validated = answers.filter(({ status, body }) => status === 200 || body.startsWith('{"errors":'));
  return new Set(validated.map(({ status }) => status)).size < 2 ? [] : validated;
}
