import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Benchmark } from "./benchmark.js";
import { medianOf, spreadOf } from "./figures.js";
import { nodes, run, type Node } from "./peers.js";
import { repository } from "./places.js";
import { evaluateGoal, type Compared, type Row } from "./report.js";

const service = path.join(repository, "packages", "service", "bin", "cloud-compute.js");
const suite = path.join(repository, "packages", "conformance", "bin", "cloud-compute-conformance.js");

/** Measures the time of the suite against the service on loopback. */
export const conformance: Benchmark = {
  name: "conformance",
  about: "the whole suite against the reference service on loopback, with its test controls, and the part that is safe",
  rounds: 3,
  async run({ rounds, say }) {
    const compared: Compared[] = [];
    for (const node of nodes()) {
      say(`the suite, ${rounds} rounds, Node ${node.version}`);
      compared.push(await measureSuite(node, { rounds }));
    }
    const goals = compared.flatMap((each) => each.goals);
    return { benchmark: "conformance", tables: compared.map(({ table }) => table), goals: goals.map(evaluateGoal) };
  },
};

export interface Measurement {
  /** Seconds, without the start of the process. */
  readonly durationSeconds: number;
  readonly requests: number;
  readonly cases: number;
}

/** Alternates complete and safe runs, each against a new service. Throws when a case does not pass. */
export async function measureSuite(node: Node, { rounds }: { readonly rounds: number }): Promise<Compared> {
  const whole: Measurement[] = [];
  const safe: Measurement[] = [];
  for (let round = 0; round < rounds; round += 1) {
    whole.push(await runOnce(node, []));
    safe.push(await runOnce(node, ["--read-only"]));
  }
  const row = (name: string, reported: readonly Measurement[]): Row => ({
    name,
    cells: {
      cases: reported[0]?.cases ?? 0,
      seconds: spreadOf(reported.map(({ durationSeconds }) => durationSeconds)),
      requests: spreadOf(reported.map(({ requests, durationSeconds }) => requests / durationSeconds)),
    },
  });
  const label = `Node ${node.version}`;
  return {
    table: {
      title: `The suite against the reference service, ${label}`,
      columns: {
        cases: { title: "cases", digits: 0 },
        seconds: { title: "seconds", digits: 1 },
        requests: { title: "requests/s", digits: 0 },
      },
      rows: [row("all, with test controls", whole), row("--read-only", safe)],
      notes: ["middle round (fastest–slowest); server and suite share the machine"],
    },
    goals: [
      {
        what: `all of it, ${label}`,
        figure: medianOf(whole.map(({ durationSeconds }) => durationSeconds)),
        limit: 8,
        unit: "s",
      },
      {
        what: `seconds for 300 requests, ${label}`,
        figure: medianOf(whole.map(({ requests, durationSeconds }) => (300 * durationSeconds) / requests)),
        limit: 1,
        unit: "s",
      },
      {
        what: `--read-only, ${label}`,
        figure: medianOf(safe.map(({ durationSeconds }) => durationSeconds)),
        limit: 10,
        unit: "s",
      },
    ],
  };
}

/** Runs the suite once, against a service of its own. Throws when a case does not pass. */
export async function runOnce(node: Node, options: readonly string[]): Promise<Measurement> {
  const folder = await mkdtemp(path.join(tmpdir(), "plumbline-conformance-"));
  const places = ["--port", "0", "--controls-port", "0", "--data", ":memory:", "--pace", "0", "--log", "error"];
  const child = spawn(node.program, [service, "serve", ...places], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  try {
    const early = ended.then(([code]) => {
      throw new Error(`the service ended with ${code} before it was ready`);
    });
    const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), early])) as [string];
    const { url, token, controls } = JSON.parse(line) as { url: string; token: string; controls: string };
    const where = ["--url", url, "--token", token, "--controls", controls, "--journal", path.join(folder, "journal")];
    const report = JSON.parse(await run(node.program, [suite, "run", ...where, "--json", ...options], folder)) as {
      readonly durationSeconds: number;
      readonly requests: number;
      readonly cases: readonly unknown[];
    };
    return { durationSeconds: report.durationSeconds, requests: report.requests, cases: report.cases.length };
  } finally {
    child.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}
