import path from "node:path";
import { flag, list, string, UsageError, type OptionValues } from "@plumbline/command-line";
import { DiagnosticsError, type Diagnostic } from "@plumbline/kit/model";
import { artifactKinds, usualArtifacts } from "../artifact-kinds.js";
import type { Config } from "../config/config.js";
import { planGeneration, type GenerationPlan } from "../generation-plan.js";
import { findCacheFolder, folderCache, noCache, type Cache } from "../incremental/cache.js";
import { createIncremental } from "../incremental/incremental.js";
import {
  ForeignFileError,
  compareWithDisk,
  writePackages,
  type FileDifference,
  type WriteResult,
} from "../write/writer.js";
import {
  createProgress,
  defineCommand,
  descriptionOptions,
  formatForTerminal,
  loadConfig,
  relocateDiagnostics,
  selectedArtifacts,
  type CommandIo,
  type ExitCode,
  type PlumblineCommand,
} from "./command.js";

const { file: _, ...described } = descriptionOptions;
const options = {
  ...described,
  spec: string(
    "FILE",
    "a plumbline.yaml, or an OpenAPI 3 description; - reads it from standard input, and references are relative to this folder. Default: spec/plumbline.yaml of this folder or the nearest parent folder",
    "file",
  ),
  out: string(
    "FOLDER",
    "the folder for the packages, one subfolder each. Default: the folders in plumbline.yaml, or generated",
    "folder",
  ),
  only: list(
    "LIST",
    `artifacts to generate, separated by commas: ${artifactKinds.join(", ")}, or custom generators of plumbline.yaml. Default: all of plumbline.yaml; of a description without one, ${usualArtifacts.join(", ")}`,
    artifactKinds,
  ),
  check: flag("write nothing; print a diff and fail when a file is stale, missing, orphaned or foreign"),
  dryRun: flag("write nothing; print a diff of what would be written"),
  noCache: flag(
    "generate everything again. Default: reuse results of the same input from node_modules/.cache/plumbline",
  ),
  keepGoing: flag(
    "generate the other packages where one cannot be generated, print a line for each that is missing, and fail. Errors of the linter affect all packages of a description",
  ),
  watch: flag("generate again after each change of an input file, until Ctrl-C; with errors the files stay unchanged"),
  poll: flag("with --watch: look at the files every 0.2 s, for containers and network disks that report no changes"),
  run: string(
    "COMMAND",
    "with --watch: run a command, such as a compiler, after each change of the output; the next change restarts it",
  ),
  json: flag("print the result as one JSON object; with --watch, one object per line"),
};

type GenerateValues = OptionValues<typeof options>;

export const generateCommand: PlumblineCommand = defineCommand({
  text: "Lints the description and generates the packages that plumbline.yaml lists. With errors in the input it writes nothing.",
  options,
  notes:
    "Runs the custom generators that plumbline.yaml lists, with your permissions: use it in repositories that you trust.",
  examples: [
    "plumbline generate",
    "plumbline generate --check",
    "plumbline generate --spec openapi.yaml --out generated",
    "curl https://api.example/openapi.json | plumbline generate --spec - --out generated",
    "plumbline generate --spec openapi.yaml --overlay limits.overlay.yaml",
    "plumbline generate --watch --run 'npx tsc --build'",
  ],
  run: generate,
});

async function generate(values: GenerateValues, io: CommandIo): Promise<ExitCode> {
  checkCombination(values);
  if (values.watch) return (await import("./watch-command.js")).watchAndGenerate(values, io);
  const started = performance.now();
  const progress = createProgress(io, values.json);
  const config = await loadConfig(values, io);
  const plan = await planGeneration(config, {
    progress,
    only: selectedArtifacts(values, config),
    keepGoing: values.keepGoing,
    incremental: createIncremental(cacheFor(config, values)),
  });
  progress(undefined);
  const errors = relocateDiagnostics([...plan.rejected, ...plan.missing], io);
  if (errors.length > 0 && plan.packages.length === 0) throw new DiagnosticsError(errors);
  if (plan.rejected.length > 0 && !values.keepGoing) throw new DiagnosticsError(relocateDiagnostics(plan.rejected, io));
  const problems = { errors, warnings: relocateDiagnostics(plan.warnings, io) };
  if (values.check || values.dryRun) {
    progress("comparing");
    const differences = (await Promise.all(plan.packages.map(compareWithDisk))).flat();
    progress(undefined);
    if (!values.json) reportProblems(problems, io);
    const files = plan.packages.reduce((sum, each) => sum + each.files.length, 0);
    const exitCode = await (values.check ? reportCheck : reportDryRun)(differences, { values, terminal: io, files });
    return errors.length === 0 ? exitCode : 1;
  }
  progress("writing");
  const written = await writePackages(...plan.packages).finally(() => progress(undefined));
  reportGeneration({ plan, written, problems, seconds: secondsSince(started) }, values, io);
  return errors.length === 0 ? 0 : 1;
}

/** @throws UsageError for options that exclude each other. */
function checkCombination({ watch, check, dryRun, keepGoing, spec, poll, run }: GenerateValues): void {
  const excluded = { check, "dry-run": dryRun, "keep-going": keepGoing };
  for (const [other, isPassed] of Object.entries(excluded))
    if (watch && isPassed) throw new UsageError(`--${other} and --watch exclude each other.`);
  if (watch && spec === "-") throw new UsageError("--watch requires a file: standard input does not change.");
  if (check && dryRun) throw new UsageError("--check and --dry-run exclude each other.");
  if (!watch && poll) throw new UsageError("--poll requires --watch.");
  if (!watch && run !== undefined) throw new UsageError("--run requires --watch.");
}

interface Problems {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

interface Generation {
  readonly plan: Pick<GenerationPlan, "missing" | "operations">;
  readonly written: WriteResult;
  readonly problems: Problems;
  readonly seconds: number;
}

function reportGeneration(
  { plan, written: files, problems, seconds }: Generation,
  { json }: GenerateValues,
  io: CommandIo,
): void {
  const pathsOf = (kind: keyof WriteResult): readonly string[] =>
    files[kind].map((file) => path.relative(io.folder, file));
  const [written, unchanged, removed] = [pathsOf("written"), pathsOf("unchanged"), pathsOf("removed")];
  const missing = plan.missing.map(({ kind, out }) => ({ artifact: kind, folder: path.relative(io.folder, out) }));
  const { errors, warnings } = problems;
  if (json) {
    const failures = errors.length === 0 ? {} : { missing, errors };
    const outcome = { written, unchanged, removed, seconds, warnings, ...failures };
    io.stdout.write(`${JSON.stringify(outcome, undefined, 2)}\n`);
    return;
  }
  reportProblems(problems, io);
  for (const file of written) io.stdout.write(`wrote    ${file}\n`);
  for (const file of removed) io.stdout.write(`removed  ${file}\n`);
  for (const { artifact, folder } of missing) io.stdout.write(`missing  ${folder} (${artifact})\n`);
  const operations = `${plan.operations} ${plan.operations === 1 ? "operation" : "operations"}`;
  io.stdout.write(
    `${operations}; ${written.length} files written, ${unchanged.length} unchanged, ${removed.length} removed in ${seconds} s\n`,
  );
}

function reportProblems({ errors, warnings }: Problems, io: CommandIo): void {
  const diagnostics = [...errors, ...warnings];
  if (diagnostics.length > 0) io.stderr.write(formatForTerminal(diagnostics, "text", io));
}

interface ComparisonReport {
  readonly values: GenerateValues;
  readonly terminal: CommandIo;
  /** The number of planned files. */
  readonly files: number;
}

/** Prints what a run would write. */
async function reportDryRun(
  differences: readonly FileDifference[],
  { values: { json }, terminal: io }: ComparisonReport,
): Promise<ExitCode> {
  const { unifiedDiff } = await import("../write/unified-diff.js");
  const foreign = differences.filter(({ kind }) => kind === "foreign").map((each) => each.path);
  if (foreign.length > 0) throw new ForeignFileError(foreign);
  const changed = differences.map((each) => ({ ...each, path: path.relative(io.folder, each.path) }));
  const verbs = { missing: "create", stale: "change", orphaned: "remove", foreign: "keep" } satisfies Record<
    FileDifference["kind"],
    string
  >;
  if (json) {
    const changes = changed.map(({ path: file, kind }) => ({ file, change: verbs[kind] }));
    io.stdout.write(`${JSON.stringify({ changes }, undefined, 2)}\n`);
    return 0;
  }
  for (const each of changed) {
    io.stdout.write(`${verbs[each.kind].padEnd(8)} ${each.path}\n`);
    if (each.planned !== undefined) io.stdout.write(unifiedDiff(each.onDisk ?? "", each.planned));
  }
  io.stdout.write(`${changed.length} ${changed.length === 1 ? "file" : "files"} would change. Nothing was written.\n`);
  return 0;
}

async function reportCheck(
  differences: readonly FileDifference[],
  { values: { json }, terminal: io, files }: ComparisonReport,
): Promise<ExitCode> {
  const { unifiedDiff } = await import("../write/unified-diff.js");
  const changed = differences.map((each) => ({ ...each, path: path.relative(io.folder, each.path) }));
  if (json) {
    io.stdout.write(
      `${JSON.stringify({ current: changed.length === 0, differences: changed.map(({ path: file, kind }) => ({ file, kind })) }, undefined, 2)}\n`,
    );
    return changed.length === 0 ? 0 : 1;
  }
  for (const each of changed) {
    io.stdout.write(`${each.kind.padEnd(8)} ${each.path}\n`);
    if (each.onDisk !== undefined && each.planned !== undefined)
      io.stdout.write(unifiedDiff(each.onDisk, each.planned));
  }
  const foreign = changed.filter((each) => each.kind === "foreign").length;
  const mendable = changed.length - foreign;
  if (changed.length === 0) io.stdout.write(`${files} generated files are up to date\n`);
  if (mendable > 0)
    io.stdout.write(`${mendable} of ${files} generated files are out of date. Run plumbline generate.\n`);
  if (foreign > 0)
    io.stdout.write(`${foreign} files in the generated folders are not from the generator. Move them away.\n`);
  return changed.length === 0 ? 0 : 1;
}

function cacheFor({ descriptions }: Config, { noCache: isOff }: GenerateValues): Cache {
  const [first] = descriptions;
  const folder = first === undefined || isOff ? undefined : findCacheFolder(path.dirname(first.description));
  return folder === undefined ? noCache : folderCache(folder);
}

function secondsSince(started: number): number {
  return Math.round(performance.now() - started) / 1000;
}
