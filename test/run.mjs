// The test command. Ends with one line that counts: `N passed, N failed`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { chooseProofs } from "./run/affected.mjs";
import { budgetError, formatMinutes, machineSpeed, measureReferenceWork } from "./run/budget.mjs";
import { runMeasured } from "./run/processor-time.mjs";
import { formatCounts, noCounts, readReports, removeReports, sumCounts } from "./run/reports.mjs";
import { root, testFilesOf, workspaces } from "./run/workspaces.mjs";

/** @typedef {import("./run/reports.mjs").Counts} Counts */
/** @typedef {import("./run/workspaces.mjs").Workspace} Workspace */

const help = `npm test: format, lint, types, generated files, and the tests that every change has to pass.

  npm test                  all of that
  npm test -- PATTERN ...   the test files whose path contains a pattern, and the build of what they use
  npm run test:unit         tests that start no command, PostgreSQL or registry
  npm run test:full         everything, with every proof in its long form (hours)
  npm run test:affected     long proofs of what the last commit affects, as many as fit into 20 minutes

Options
  --budget MINUTES          processor time that npm test may take, children included; above it the run fails. It is that of the reference
                            machine: a fixed piece of work, done before and after the tests, measures how fast this one is. Default: 10
  --help                    this text

SEED=N repeats the property tests of a run. Exit codes: 0 all passed, 1 something failed, 2 wrong usage.
`;

/** The limit of all long proofs of a change together, in minutes of wall time. */
const affectedMinutes = 20;
/** The modes of vitest. */
const modes = { loop: "test", unit: "unit", full: "full", affected: "full" };
/** The file with the counts of a run, for the run that continues it. */
const summary = path.join(root, "test", "reports", "summary.json");

const { form, patterns, budget } = readArguments();
const began = performance.now();
/** Processor time of all steps; NaN where it cannot be measured. */
let seconds = 0;
/** Titles of the steps that failed. */
const failedSteps = /** @type {string[]} */ ([]);

/** Seconds of the reference work, before and after the run; empty where there is no budget. */
const workSeconds = form === "loop" && patterns.length === 0 ? [measureReferenceWork()] : [];

const chosen = patterns.length > 0 ? matchingFiles() : undefined;
const folders = workspaces.map(({ folder }) => path.join(root, folder));
removeReports(folders);
const steps = chosen ? runFiles(chosen, modes[form]) : { loop: complete, unit, full: complete, affected }[form]();
const { counts, files, errors } = readReports(folders);
report([...steps, counts, ...errorsOfRun()]);

function complete() {
  const warm = path.join("test", "support", "warm-cache.mjs");
  return [
    step("the npm cache for installing packages", process.execPath, [warm]),
    step("formatting", bin("oxfmt"), ["--check", "."]),
    turbo("lint, types, generated files", "//#lint", "typecheck", "check"),
    ...(form === "full"
      ? [tools(), turbo("tests, long forms", "test:full", "--concurrency=1")]
      : [turbo("tests", "test")]),
  ];
}

/** Installs the programs that only the long proofs of publishing start. */
function tools() {
  return step("programs of long proofs", "npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], "test/tools");
}

function unit() {
  return [turbo("unit tests", "test:unit")];
}

/** Continues a run of the loop: the counts of that run are added. */
function affected() {
  /** @type {Counts} */
  const before = existsSync(summary) ? JSON.parse(readFileSync(summary, "utf8")) : noCounts;
  const proofs = chooseProofs(affectedMinutes);
  if (proofs === undefined) console.log("\nNo earlier commit to compare with, so no long proof is chosen.");
  const { chosen: selected = [], left = [] } = proofs ?? {};
  for (const { workspace, file, minutes } of left)
    console.log(`Not run, no time: ${workspace.folder}/${file} (${minutes} min). npm run test:full has it.`);
  return [before, ...runFiles(selected, modes.affected)];
}

/** The test files whose path from the top contains one of the patterns. */
function matchingFiles() {
  const found = workspaces.flatMap((workspace) =>
    testFilesOf(workspace)
      .filter((file) => patterns.some((pattern) => `${workspace.folder}/${file}`.includes(pattern)))
      .map((file) => ({ workspace, file })),
  );
  if (found.length > 0) return found;
  return exitWith(1, `No test file has ${patterns.map((each) => `"${each}"`).join(" or ")} in its path.`);
}

/**
 * Builds the dependencies of these test files, then runs them, one workspace at a time.
 *
 * @param {readonly { workspace: Workspace, file: string }[]} found
 * @param {string} mode
 */
function runFiles(found, mode) {
  const owners = workspaces.filter((workspace) => found.some((each) => each.workspace === workspace));
  if (owners.length === 0) return [];
  const prepared = [turbo("build", "build", ...owners.map(({ name }) => `--filter=${name}`))];
  if (mode === modes.full && found.some(({ file }) => file.startsWith("publish/"))) prepared.push(tools());
  const runs = owners.map((workspace) => {
    const names = found.filter((each) => each.workspace === workspace).map(({ file }) => file);
    const args = ["run", "--mode", mode, "--passWithNoTests", ...names];
    return step(`tests of ${workspace.folder}`, bin("vitest"), args, workspace.folder);
  });
  return [...prepared, ...runs];
}

/**
 * @param {string} title
 * @param {readonly string[]} args
 */
function turbo(title, ...args) {
  return step(title, bin("turbo"), ["run", ...args, "--continue"]);
}

/**
 * Runs a program, and counts it as passed or failed.
 *
 * @param {string} title
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} [folder] from the top
 * @returns {Counts}
 */
function step(title, program, args, folder = ".") {
  console.log(`\n== ${title}`);
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const ended = runMeasured(program, args, { cwd: path.join(root, folder), env });
  seconds += ended.seconds ?? Number.NaN;
  if (ended.status === 0) return { ...noCounts, passed: 1 };
  failedSteps.push(title);
  console.log(`== ${title}: failed`);
  return { ...noCounts, failed: 1 };
}

/** What is wrong with the run as such, each counted as a failure. */
function errorsOfRun() {
  const over = budgetError({
    seconds: Number.isNaN(seconds) ? undefined : seconds,
    minutes: budget,
    speed: speedOfRun(),
  });
  const found = [
    form !== "affected" && counts.tests === 0 ? "No test was run." : undefined,
    process.env["CI"] !== undefined && counts.skipped > 0 ? "In CI no test may be skipped." : undefined,
    form === "loop" && patterns.length === 0 ? over : undefined,
  ].filter((error) => error !== undefined);
  for (const error of found) console.log(error);
  return [{ ...noCounts, failed: found.length }];
}

/** Measures the second time, since the load of a machine changes. */
function speedOfRun() {
  if (workSeconds.length === 1) workSeconds.push(measureReferenceWork());
  return machineSpeed(workSeconds);
}

/** @param {readonly Counts[]} all */
function report(all) {
  const slowest = files
    .slice(0, 10)
    .map(({ file, seconds: wall }) => `${wall.toFixed(1).padStart(7)} s  ${path.relative(root, file)}`);
  if (slowest.length > 0) console.log(`\n== the slowest test files\n${slowest.join("\n")}`);
  // Near the end, because CI services cut long logs in the middle.
  if (failedSteps.length > 0) console.log(`\n== failed: ${[failedSteps.join(", "), ...errors].join("\n\n")}`);
  const processor = Number.isNaN(seconds) ? "" : `, ${formatMinutes(seconds, speedOfRun())}`;
  console.log(`\n${((performance.now() - began) / 60_000).toFixed(1)} min${processor}`);
  const sum = sumCounts(all);
  mkdirSync(path.dirname(summary), { recursive: true });
  writeFileSync(summary, JSON.stringify(sum));
  console.log(`\n${formatCounts(sum)}`);
  process.exitCode = sum.failed > 0 ? 1 : 0;
}

/** @param {string} name */
function bin(name) {
  return path.join(root, "node_modules", ".bin", name);
}

/** @returns {{ form: "loop" | "unit" | "full" | "affected", patterns: readonly string[], budget: number }} */
function readArguments() {
  const { values, positionals } = parsed();
  if (values.help === true) {
    process.stdout.write(help);
    process.exit(0);
  }
  const minutes = Number(values.budget);
  if (!(minutes > 0)) exitWith(2, `--budget ${values.budget} is not a positive number of minutes.`);
  const forms = /** @type {const} */ (["unit", "full", "affected"]);
  return { form: forms.find((name) => values[name] === true) ?? "loop", patterns: positionals, budget: minutes };
}

function parsed() {
  try {
    return parseArgs({
      options: {
        unit: { type: "boolean" },
        full: { type: "boolean" },
        affected: { type: "boolean" },
        budget: { type: "string", default: "10" },
        help: { type: "boolean", short: "h" },
      },
      allowPositionals: true,
    });
  } catch (error) {
    return exitWith(2, `${error instanceof Error ? error.message : String(error)}\nTry npm test -- --help.`);
  }
}

/**
 * @param {number} code
 * @param {string} message
 * @returns {never}
 */
function exitWith(code, message) {
  console.error(message);
  process.exit(code);
}
