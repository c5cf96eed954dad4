// The test command. Ends with one line that counts: `N passed, N failed`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { chooseProofs } from "./run/affected.mjs";
import { runMeasured } from "./run/processor-time.mjs";
import { partOf, parts } from "./run/proofs.mjs";
import { formatCounts, noCounts, sumCounts, takeReports } from "./run/reports.mjs";
import { formatMissing, systemPackages } from "./run/system-packages.mjs";
import { formatTimes, replaceTimes } from "./run/times.mjs";
import { allTestFiles, packageOf, root, vitestFolderOf, vitestFolders } from "./run/workspaces.mjs";

/** @typedef {import("./run/reports.mjs").Counts} Counts */
/** @typedef {"loop" | "unit" | "full" | "affected"} Form */

const help = `npm test: format, lint, types, generated files, and the tests that every change has to pass.

  npm test                  all of that
  npm test -- PATTERN ...   the test files whose path contains a pattern, and the build of what they use
  npm run test:unit         tests that start no command, PostgreSQL or registry
  npm run test:full         every test with every proof in its long form: hours, in parts that can be started apart
  npm run test:affected     long proofs of the files that the last commit changed, as many as fit into 10 minutes

Options
  --part NAME               one part of the full form, of at most 40 minutes: ${Object.keys(parts).join(", ")}
  --help                    this text

SEED=N repeats the property tests of a run. Exit codes: 0 all passed, 1 something failed, 2 wrong usage.
`;

/** The limit of all long proofs of a change together, in minutes of wall time: none is begun later. */
const affectedMinutes = 10;
/** How many of them run in one step. */
const proofsPerStep = 6;
/** The modes of vitest. */
const modes = { loop: "test", unit: "unit", full: "full", affected: "full" };
/** The folders with programs that only long proofs use, and those proofs. */
const programsOfProofs = {
  "test/tools": /^test\/(conformance\/(vitest|workflows)|publish)\b/,
  "test/consumers": /^test\/consumers\b/,
};
/** The file with the counts and failures of a run, for the run that continues it. */
const summary = path.join(root, "test", "reports", "summary.json");

const { form, part, patterns } = readArguments();
const began = performance.now();
/** Processor time of all steps; NaN where it cannot be measured. */
let processorSeconds = 0;
/** What the parts of the full form reported: a folder has one report, of the last part that ran there. */
const partReports = /** @type {import("./run/reports.mjs").Reports[]} */ ([]);
/** What failed: what the run before this one listed, then titles of steps. */
const failures = /** @type {string[]} */ ([]);

const matching = patterns.length > 0 ? matchingFiles() : undefined;
const folders = vitestFolders.map((folder) => path.join(root, folder));
takeReports(folders); // those of an earlier run
const steps = matching ? runFiles(matching, modes[form]) : { loop, unit, full, affected }[form]();
const { counts, files, errors } = takeReports(folders, partReports);
report([...steps, counts, ...errorsOfRun()]);

function loop() {
  const warm = path.join("test", "support", "warm-cache.mjs");
  return [
    step("the npm cache for installing packages", process.execPath, [warm]),
    step("formatting", bin("oxfmt"), ["--check", "."]),
    turbo("lint, types, generated files", "//#lint", "//#typecheck", "check"),
    turbo("tests", "test", "//#test:packages"),
  ];
}

/**
 * Builds the dependencies of these test files, then runs them, one folder of vitest at a time.
 *
 * @param {readonly string[]} selected from the top
 * @param {string} mode
 */
function runFiles(selected, mode) {
  if (selected.length === 0) return [];
  const owners = new Set(selected.map(packageOf));
  const prepared = [turbo("build", "build", ...[...owners].map((name) => `--filter=${name}`))];
  if (mode === modes.full) prepared.push(...programsOf(selected));
  const runs = vitestFolders.flatMap((folder) => {
    const names = selected.filter((file) => vitestFolderOf(file) === folder);
    if (names.length === 0) return [];
    const args = ["run", "--mode", mode, "--passWithNoTests", ...names.map((file) => path.relative(folder, file))];
    return [step(folder === "." ? "tests of packages" : `tests of ${folder}`, bin("vitest"), args, folder)];
  });
  return [...prepared, ...runs];
}

/**
 * Installs the programs that only long proofs use.
 *
 * @param {readonly string[]} selected from the top
 */
function programsOf(selected) {
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  return Object.entries(programsOfProofs)
    .filter(([, proofs]) => selected.some((file) => proofs.test(file)))
    .map(([folder]) => step(`programs of long proofs in ${folder}`, "npm", args, folder));
}

function unit() {
  return [turbo("unit tests", "test:unit", "//#test:unit:packages")];
}

function full() {
  const names = part === undefined ? Object.keys(parts) : [part];
  return names.flatMap((name) => {
    console.log(`\n== part ${name}`);
    return runPart(allTestFiles().filter((file) => partOf(file) === name));
  });
}

/** Continues a run of the loop: its counts are added, and its failures are repeated, because CI services keep only the end of a log. */
function affected() {
  const before = readSummary();
  failures.push(...before.failures);
  const proofs = chooseProofs(affectedMinutes);
  if (proofs === undefined) console.log("\nNo earlier commit to compare with, so no long proof is chosen.");
  const { chosen = [], left = [] } = proofs ?? {};
  const late = [...left];
  const counted = [before.counts];
  // The minutes of proofs are those of an idle machine, so the clock decides on a busy one what is not begun.
  for (let begin = 0; begin < chosen.length; begin += proofsPerStep) {
    const names = chosen.slice(begin, begin + proofsPerStep);
    if (performance.now() - began > affectedMinutes * 60_000) late.push(...names);
    else counted.push(...runPart(allTestFiles().filter((file) => names.some((each) => each.file === file))));
  }
  for (const { file, minutes } of late)
    console.log(`Not run, no time: ${file} (${minutes} min). npm run test:full has it.`);
  return counted;
}

/**
 * Runs files of the full form, and takes their reports before the next part overwrites them.
 *
 * @param {readonly string[]} selected from the top
 */
function runPart(selected) {
  const ran = runFiles(selected, modes.full);
  partReports.push(takeReports(folders));
  return ran;
}

/** @returns {{ readonly counts: Counts, readonly failures: readonly string[] }} */
function readSummary() {
  return existsSync(summary) ? JSON.parse(readFileSync(summary, "utf8")) : { counts: noCounts, failures: [] };
}

/** The test files whose path from the top contains one of the patterns. */
function matchingFiles() {
  const found = allTestFiles().filter((file) => patterns.some((pattern) => file.includes(pattern)));
  if (found.length > 0) return found;
  return exitWith(1, `No test file has ${patterns.map((each) => `"${each}"`).join(" or ")} in its path.`);
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
  // Results of another version of Node are not reused: `turbo.json` names the variable.
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", TEST_NODE: process.version };
  const ended = runMeasured(program, args, { cwd: path.join(root, folder), env });
  processorSeconds += ended.seconds ?? Number.NaN;
  if (ended.status === 0) return { ...noCounts, passed: 1 };
  failures.push(title);
  console.log(`== ${title}: failed`);
  return { ...noCounts, failed: 1 };
}

/** What is wrong with the run as such, each counted as a failure. */
function errorsOfRun() {
  const found = [
    form !== "affected" && counts.tests === 0 ? "No test was run." : undefined,
    process.env["CI"] !== undefined && counts.skipped > 0 ? "In CI no test may be skipped." : undefined,
  ].filter((error) => error !== undefined);
  for (const error of found) console.log(error);
  return [{ ...noCounts, failed: found.length }];
}

/** @param {readonly Counts[]} all */
function report(all) {
  const now = {
    clock: (performance.now() - began) / 1000,
    processor: Number.isNaN(processorSeconds) ? undefined : processorSeconds,
    files: Object.fromEntries(files.map(({ file, seconds }) => [path.relative(root, file), seconds])),
  };
  const last = matching === undefined ? replaceTimes(part === undefined ? form : `${form} ${part}`, now) : undefined;
  failures.push(...errors);
  // Near the end, because CI services cut long logs in the middle.
  if (failures.length > 0) console.log(`\n== failed: ${failures.join("\n\n")}`);
  console.log(`\n${formatTimes(now, last)}`);
  const missing = formatMissing(systemPackages(), [...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/sbin"]);
  if (missing !== undefined) console.log(`\n${missing}`);
  const sum = sumCounts(all);
  mkdirSync(path.dirname(summary), { recursive: true });
  writeFileSync(summary, JSON.stringify({ counts: sum, failures }));
  console.log(`\n${formatCounts(sum)}`);
  process.exitCode = sum.failed > 0 ? 1 : 0;
}

/** @param {string} name */
function bin(name) {
  return path.join(root, "node_modules", ".bin", name);
}

/** @returns {{ form: Form, part: string | undefined, patterns: readonly string[] }} */
function readArguments() {
  const { values, positionals } = parsed();
  if (values.help === true) {
    process.stdout.write(help);
    process.exit(0);
  }
  const forms = /** @type {const} */ (["unit", "full", "affected"]);
  const selected = forms.find((name) => values[name] === true) ?? "loop";
  if (values.part !== undefined && (selected !== "full" || !Object.hasOwn(parts, values.part)))
    exitWith(2, `--part ${values.part} is no part of the full form. Its parts: ${Object.keys(parts).join(", ")}.`);
  return { form: selected, part: values.part, patterns: positionals };
}

function parsed() {
  try {
    return parseArgs({
      options: {
        unit: { type: "boolean" },
        full: { type: "boolean" },
        affected: { type: "boolean" },
        part: { type: "string" },
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
