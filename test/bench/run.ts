import { spawnSync } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Benchmark } from "./benchmark.js";
import { client } from "./client.js";
import { conformance } from "./conformance.js";
import { corpus } from "./corpus.js";
import { generate } from "./generate.js";
import { growth } from "./growth.js";
import { loop } from "./loop.js";
import { mock } from "./mock.js";
import { observing } from "./observing.js";
import { installPeers } from "./peers.js";
import { repository } from "./places.js";
import { readers } from "./readers.js";
import { printed, type Report } from "./report.js";
import { scaling } from "./scaling.js";
import { server } from "./server.js";
import { service } from "./service.js";
import { site } from "./site.js";
import { stalls } from "./stalls.js";
import { validator } from "./validator.js";

const benchmarks: readonly Benchmark[] = [
  generate,
  corpus,
  client,
  validator,
  server,
  mock,
  service,
  scaling,
  observing,
  conformance,
  loop,
  growth,
  stalls,
  site,
  readers,
];

const help = `npm run bench -w test -- [NAME …] [--rounds N] [--profile] [--json] [--strict]

Compares what we make with what people use instead. Installs those into test/peers when they are not there.

${benchmarks.map(({ name, about }) => `  ${name.padEnd(13)}${about}`).join("\n")}

  --rounds N   how often each is measured, in turns with the others
  --profile    profiles the CPU of a server under load, or of saves, in place of measuring it: prints the busiest parts, and
               functions with their positions in the sources, and writes profiles to test/reports/profiles
  --json       the figures as one JSON array on standard output
  --strict     fails when a goal is not met

Without a name all run. Exit codes: 0 measured, 1 not met (with --strict) or not measured, 2 wrong usage.

Examples
  npm run bench -w test -- generate
  npm run bench -w test -- generate --rounds 3
  npm run bench -w test -- client --json > client.json
  npm run bench -w test -- server --profile
  npm run bench -w test -- loop --profile
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const asked = understood(args);
  if (typeof asked === "string") {
    process.stderr.write(`${asked}\nTry npm run bench -w test -- --help.\n`);
    return 2;
  }
  if (asked.help) {
    process.stdout.write(help);
    return 0;
  }
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  build(say);
  await installPeers(say);
  const reports: Report[] = [];
  for (const { run, profile, rounds } of asked.chosen) {
    const report = await (asked.profile && profile !== undefined ? profile : run)({
      rounds: asked.rounds ?? rounds,
      say,
    });
    reports.push(report);
    if (!asked.json) process.stdout.write(`\n${printed(report)}`);
  }
  if (asked.json) process.stdout.write(`${JSON.stringify(reports, undefined, 2)}\n`);
  return asked.strict && reports.some(({ goals }) => goals.some(({ met }) => !met)) ? 1 : 0;
}

interface Asked {
  readonly chosen: readonly Benchmark[];
  readonly rounds: number | undefined;
  readonly json: boolean;
  readonly strict: boolean;
  readonly profile: boolean;
  readonly help: boolean;
}

/** Parses the arguments: the selection, or an error message. */
function understood(args: readonly string[]): Asked | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rounds: { type: "string" },
        json: { type: "boolean", default: false },
        strict: { type: "boolean", default: false },
        profile: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const names = benchmarks.map(({ name }) => name);
    const unknown = positionals.find((name) => !names.includes(name));
    if (unknown !== undefined) return `Unknown benchmark "${unknown}". Benchmarks: ${names.join(", ")}.`;
    const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
    if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) return "--rounds wants a number from 1 on.";
    const chosen = benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
    if (values.profile && (positionals.length === 0 || chosen.some(({ profile }) => profile === undefined)))
      return `--profile is for ${benchmarks.flatMap(({ name, profile }) => (profile === undefined ? [] : [name])).join(", ")}.`;
    return { chosen, rounds, json: values.json, strict: values.strict, profile: values.profile, help: values.help };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Builds the measured packages first, since old builds would be measured otherwise. Turbo has done this already. */
function build(say: (text: string) => void): void {
  if (process.env["TURBO_HASH"] !== undefined) return;
  say("building what is measured");
  const turbo = path.join(repository, "node_modules", ".bin", "turbo");
  const { status, stdout } = spawnSync(turbo, ["run", "build", "--output-logs=errors-only"], {
    cwd: repository,
    encoding: "utf8",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
  });
  if (status !== 0) throw new Error(`The build failed:\n${stdout}`);
}
