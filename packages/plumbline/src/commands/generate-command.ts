import path from "node:path";
import { findCacheFolder, folderCache, noCache, type Cache } from "../incremental/cache.js";
import type { Config } from "../config/config.js";
import {
  ForeignFileError,
  compareWithDisk,
  writePackages,
  type FileDifference,
  type WriteResult,
} from "../write/writer.js";
import { artifactKinds, usualArtifacts } from "../artifact-kinds.js";
import { planGeneration, type FolderDiagnostics } from "../generation-plan.js";
import { createIncremental } from "../incremental/incremental.js";
import { DiagnosticsError, type Diagnostic } from "@plumbline/kit/model";
import {
  UsageError,
  loadConfig,
  selectedArtifacts,
  allowOutsideHelp,
  allowOutsideOption,
  formatForTerminal,
  createProgress,
  relocateDiagnostic,
  type Command,
  type ExitCode,
  type ParsedArgs,
  type CommandIo,
} from "./command.js";

export const generateCommand: Command = {
  runsCode:
    "Runs the custom generators that plumbline.yaml lists, with your permissions: use it in repositories that you trust.",
  options: {
    spec: "file",
    [allowOutsideOption]: "flag",
    overlay: "file",
    out: "folder",
    only: artifactKinds,
    check: "flag",
    "dry-run": "flag",
    json: "flag",
    "no-cache": "flag",
    "keep-going": "flag",
    watch: "flag",
    poll: "flag",
    run: "text",
  },
  positionals: 0,
  help: `plumbline generate [--spec FILE] [--overlay FILE,…] [--out FOLDER] [--only ARTIFACT,…] [--check | --dry-run | --watch] [--keep-going] [--json]

Lints the description and generates the packages that plumbline.yaml lists. With errors in the input it writes nothing.

  --spec FILE    a plumbline.yaml, or an OpenAPI 3 description; - reads it from standard input, and references are relative to
                   this folder. Default: spec/plumbline.yaml of this folder or the nearest parent folder
  --overlay LIST overlays of the description, separated by commas, applied in this order
  --out FOLDER   the folder for the packages, one subfolder each. Default: the folders in plumbline.yaml, or generated
  --only LIST    artifacts to generate, separated by commas: ${artifactKinds.join(", ")},
                   or custom generators of plumbline.yaml. Default: all of plumbline.yaml; of a description without one,
                   ${usualArtifacts.join(", ")}
  --check        write nothing; print a diff and fail when a file is stale, missing, orphaned or foreign
  --dry-run      write nothing; print a diff of what would be written
  --no-cache     generate everything again. Default: reuse results of the same input from node_modules/.cache/plumbline
  --keep-going   generate the other packages where one cannot be generated, print a line for each that is missing, and fail. Errors of
                 the linter affect all packages of a description
  --watch        generate again after each change of an input file, until Ctrl-C; with errors the files stay unchanged
  --poll         with --watch: look at the files every 0.2 s, for containers and network disks that report no changes
  --run COMMAND  with --watch: run a command, such as a compiler, after each change of the output; the next change restarts it
  --json         print the result as one JSON object; with --watch, one object per line
${allowOutsideHelp}

Examples
  plumbline generate
  plumbline generate --check
  plumbline generate --spec openapi.yaml --out generated
  curl https://api.example/openapi.json | plumbline generate --spec - --out generated
  plumbline generate --spec openapi.yaml --overlay limits.overlay.yaml
  plumbline generate --watch --run 'npx tsc --build'
`,
  run: generate,
};

async function generate(args: ParsedArgs, io: CommandIo): Promise<ExitCode> {
  const started = performance.now();
  if (args.flag("watch")) {
    for (const other of ["check", "dry-run"])
      if (args.flag(other)) throw new UsageError(`--${other} and --watch exclude each other.`);
    if (args.flag("keep-going")) throw new UsageError("--keep-going and --watch exclude each other.");
    if (args.text("spec") === "-") throw new UsageError("--watch requires a file: standard input does not change.");
    return (await import("./watch-command.js")).watchAndGenerate(args, io);
  }
  if (args.flag("check") && args.flag("dry-run")) throw new UsageError("--check and --dry-run exclude each other.");
  if (args.flag("poll")) throw new UsageError("--poll requires --watch.");
  if (args.text("run") !== undefined) throw new UsageError("--run requires --watch.");
  const progress = createProgress(io, args.flag("json"));
  const config = await loadConfig(args, io);
  const plan = await planGeneration(config, {
    progress,
    only: selectedArtifacts(args, config),
    keepGoing: args.flag("keep-going"),
    incremental: createIncremental(cacheFor(config, args)),
  });
  progress(undefined);
  const problemsIn = (all: readonly FolderDiagnostics[]): readonly Diagnostic[] =>
    all.flatMap(({ folder, diagnostics }) =>
      diagnostics.map((diagnostic) => relocateDiagnostic(diagnostic, folder, io)),
    );
  const { packages: planned } = plan;
  const errors = problemsIn([...plan.rejected, ...plan.missing]);
  if (errors.length > 0 && planned.length === 0) throw new DiagnosticsError(errors);
  if (plan.rejected.length > 0 && !args.flag("keep-going")) throw new DiagnosticsError(problemsIn(plan.rejected));
  const warnings = problemsIn(plan.warnings);
  if (args.flag("check") || args.flag("dry-run")) {
    progress("comparing");
    const differences = (await Promise.all(planned.map(compareWithDisk))).flat();
    progress(undefined);
    if (errors.length > 0 && !args.flag("json")) io.error.write(formatForTerminal(errors, "text", io));
    if (warnings.length > 0 && !args.flag("json")) io.error.write(formatForTerminal(warnings, "text", io));
    const report = args.flag("check") ? reportCheck : reportDryRun;
    const exitCode = await report(differences, {
      given: args,
      terminal: io,
      files: planned.reduce((sum, each) => sum + each.files.length, 0),
    });
    return errors.length === 0 ? exitCode : 1;
  }
  progress("writing");
  const done = await writePackages(...planned).finally(() => progress(undefined));
  const paths = (pick: keyof WriteResult): readonly string[] =>
    done[pick].map((file) => path.relative(io.folder, file));
  const outcome = {
    written: paths("written"),
    unchanged: paths("unchanged"),
    removed: paths("removed"),
    seconds: secondsSince(started),
  };
  const missing = plan.missing.map(({ kind, out }) => ({ artifact: kind, folder: path.relative(io.folder, out) }));
  const exitCode = errors.length === 0 ? 0 : 1;
  if (args.flag("json")) {
    const failures = errors.length === 0 ? {} : { missing, errors };
    io.out.write(`${JSON.stringify({ ...outcome, warnings, ...failures }, undefined, 2)}\n`);
    return exitCode;
  }
  if (errors.length + warnings.length > 0) io.error.write(formatForTerminal([...errors, ...warnings], "text", io));
  for (const file of outcome.written) io.out.write(`wrote    ${file}\n`);
  for (const file of outcome.removed) io.out.write(`removed  ${file}\n`);
  for (const { artifact, folder } of missing) io.out.write(`missing  ${folder} (${artifact})\n`);
  const { operations } = plan;
  io.out.write(
    `${operations} ${operations === 1 ? "operation" : "operations"}; ${outcome.written.length} files written, ${outcome.unchanged.length} unchanged, ${outcome.removed.length} removed in ${outcome.seconds} s\n`,
  );
  return exitCode;
}

interface ComparisonReport {
  readonly given: ParsedArgs;
  readonly terminal: CommandIo;
  /** The number of planned files. */
  readonly files: number;
}

/** Prints what a run would write. */
async function reportDryRun(
  differences: readonly FileDifference[],
  { given: args, terminal: io }: ComparisonReport,
): Promise<ExitCode> {
  const { unifiedDiff } = await import("../write/unified-diff.js");
  const foreign = differences.filter(({ kind }) => kind === "foreign").map((each) => each.path);
  if (foreign.length > 0) throw new ForeignFileError(foreign);
  const shown = differences.map((each) => ({ ...each, path: path.relative(io.folder, each.path) }));
  const verbs = { missing: "create", stale: "change", orphaned: "remove", foreign: "keep" } satisfies Record<
    FileDifference["kind"],
    string
  >;
  if (args.flag("json")) {
    const changes = shown.map(({ path: file, kind }) => ({ file, change: verbs[kind] }));
    io.out.write(`${JSON.stringify({ changes }, undefined, 2)}\n`);
    return 0;
  }
  for (const each of shown) {
    io.out.write(`${verbs[each.kind].padEnd(8)} ${each.path}\n`);
    if (each.planned !== undefined) io.out.write(unifiedDiff(each.onDisk ?? "", each.planned));
  }
  io.out.write(`${shown.length} ${shown.length === 1 ? "file" : "files"} would change. Nothing was written.\n`);
  return 0;
}

async function reportCheck(
  differences: readonly FileDifference[],
  { given: args, terminal: io, files }: ComparisonReport,
): Promise<ExitCode> {
  const { unifiedDiff } = await import("../write/unified-diff.js");
  const shown = differences.map((each) => ({ ...each, path: path.relative(io.folder, each.path) }));
  if (args.flag("json")) {
    io.out.write(
      `${JSON.stringify({ current: shown.length === 0, differences: shown.map(({ path: file, kind }) => ({ file, kind })) }, undefined, 2)}\n`,
    );
    return shown.length === 0 ? 0 : 1;
  }
  for (const each of shown) {
    io.out.write(`${each.kind.padEnd(8)} ${each.path}\n`);
    if (each.onDisk !== undefined && each.planned !== undefined) io.out.write(unifiedDiff(each.onDisk, each.planned));
  }
  const foreign = shown.filter((each) => each.kind === "foreign").length;
  const mendable = shown.length - foreign;
  if (shown.length === 0) io.out.write(`${files} generated files are up to date\n`);
  if (mendable > 0) io.out.write(`${mendable} of ${files} generated files are out of date. Run plumbline generate.\n`);
  if (foreign > 0)
    io.out.write(`${foreign} files in the generated folders are not from the generator. Move them away.\n`);
  return shown.length === 0 ? 0 : 1;
}

function cacheFor({ descriptions }: Config, args: ParsedArgs): Cache {
  const [first] = descriptions;
  const folder =
    first === undefined || args.flag("no-cache") ? undefined : findCacheFolder(path.dirname(first.description));
  return folder === undefined ? noCache : folderCache(folder);
}

function secondsSince(started: number): number {
  return Math.round(performance.now() - started) / 1000;
}
