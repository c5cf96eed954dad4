import path from "node:path";
import { cacheFolder, folderCache, noCache, type Cache } from "../cache.js";
import type { Config } from "../config.js";
import { compare, write, type Difference, type Written } from "../emit/writer.js";
import { kinds } from "../kinds.js";
import { planAll, type Told } from "../plan.js";
import { ProblemError, type Problem } from "../problem.js";
import {
  UsageError,
  findConfig,
  chosenOf,
  outsideHelp,
  outsideOption,
  printed,
  progressOn,
  relocated,
  type Command,
  type ExitCode,
  type Given,
  type Terminal,
} from "./command.js";

export const command: Command = {
  options: {
    spec: "text",
    [outsideOption]: "flag",
    overlay: "text",
    out: "text",
    only: "text",
    check: "flag",
    json: "flag",
    "no-cache": "flag",
    watch: "flag",
    run: "text",
  },
  positionals: 0,
  help: `plumbline generate [--spec FILE] [--overlay FILE,…] [--out FOLDER] [--only ARTIFACT,…] [--check | --watch] [--json]

Lints the description and generates the packages that plumbline.yaml lists. With errors in the input it writes nothing.

  --spec FILE    a plumbline.yaml, or an OpenAPI 3.0 or 3.1 description. Default: spec/plumbline.yaml of this folder or the
                   nearest parent folder
  --overlay LIST overlays of the description, separated by commas, applied in this order
  --out FOLDER   the folder for the packages, one subfolder each. Default: the folders in plumbline.yaml, or generated
  --only LIST    artifacts to generate, separated by commas: ${kinds.join(", ")},
                   or custom generators of plumbline.yaml. Default: all
  --check        write nothing; print a diff and fail when a file is stale, missing, orphaned or foreign
  --no-cache     generate everything again. Default: reuse results of the same input from node_modules/.cache/plumbline
  --watch        generate again after each change of an input file, until Ctrl-C; with errors the files stay unchanged
  --run COMMAND  with --watch: run a command, such as a compiler, after each change of the output; the next change restarts it
  --json         print the result as one JSON object; with --watch, one object per line
${outsideHelp}

Examples
  plumbline generate
  plumbline generate --check
  plumbline generate --spec openapi.yaml --out generated
  plumbline generate --spec openapi.yaml --overlay limits.overlay.yaml
  plumbline generate --watch --run 'npx tsc --build'
`,
  run: generate,
};

async function generate(given: Given, terminal: Terminal): Promise<ExitCode> {
  const started = performance.now();
  if (given.flag("watch")) {
    if (given.flag("check")) throw new UsageError("--check and --watch exclude each other.");
    return (await import("./watch.js")).watch(given, terminal);
  }
  if (given.text("run") !== undefined) throw new UsageError("--run requires --watch.");
  const progress = progressOn(terminal, given.flag("json"));
  const config = await findConfig(given, terminal);
  const plan = await planAll(config, { progress, only: chosenOf(given, config), cache: cacheFor(config, given) });
  progress(undefined);
  const problemsIn = (all: readonly Told[]): readonly Problem[] =>
    all.flatMap(({ folder, problems }) => problems.map((problem) => relocated(problem, folder, terminal)));
  if (plan.refused.length > 0) throw new ProblemError(problemsIn(plan.refused));
  const { packages: planned } = plan;
  const warnings = problemsIn(plan.warnings);
  if (given.flag("check")) {
    progress("comparing");
    const differences = (await Promise.all(planned.map(compare))).flat();
    progress(undefined);
    return await reportCheck(differences, {
      given,
      terminal,
      files: planned.reduce((sum, each) => sum + each.files.length, 0),
    });
  }
  progress("writing");
  const done = await write(...planned).finally(() => progress(undefined));
  const paths = (pick: keyof Written): readonly string[] =>
    done[pick].map((file) => path.relative(terminal.folder, file));
  const outcome = {
    written: paths("written"),
    unchanged: paths("unchanged"),
    removed: paths("removed"),
    seconds: secondsSince(started),
  };
  if (given.flag("json")) {
    terminal.out.write(`${JSON.stringify({ ...outcome, warnings }, undefined, 2)}\n`);
    return 0;
  }
  if (warnings.length > 0) terminal.error.write(printed(warnings, "text", terminal));
  for (const file of outcome.written) terminal.out.write(`wrote    ${file}\n`);
  for (const file of outcome.removed) terminal.out.write(`removed  ${file}\n`);
  const { operations } = plan;
  terminal.out.write(
    `${operations} ${operations === 1 ? "operation" : "operations"}; ${outcome.written.length} files written, ${outcome.unchanged.length} unchanged, ${outcome.removed.length} removed in ${outcome.seconds} s\n`,
  );
  return 0;
}

async function reportCheck(
  differences: readonly Difference[],
  { given, terminal, files }: { readonly given: Given; readonly terminal: Terminal; readonly files: number },
): Promise<ExitCode> {
  const { unifiedDiff } = await import("../emit/diff.js");
  const shown = differences.map((each) => ({ ...each, path: path.relative(terminal.folder, each.path) }));
  if (given.flag("json")) {
    terminal.out.write(
      `${JSON.stringify({ current: shown.length === 0, differences: shown.map(({ path: file, kind }) => ({ file, kind })) }, undefined, 2)}\n`,
    );
    return shown.length === 0 ? 0 : 1;
  }
  for (const each of shown) {
    terminal.out.write(`${each.kind.padEnd(8)} ${each.path}\n`);
    if (each.onDisk !== undefined && each.planned !== undefined)
      terminal.out.write(unifiedDiff(each.onDisk, each.planned));
  }
  const foreign = shown.filter((each) => each.kind === "foreign").length;
  const mendable = shown.length - foreign;
  if (shown.length === 0) terminal.out.write(`${files} generated files are up to date\n`);
  if (mendable > 0)
    terminal.out.write(`${mendable} of ${files} generated files are out of date. Run plumbline generate.\n`);
  if (foreign > 0)
    terminal.out.write(`${foreign} files in the generated folders are not from the generator. Move them away.\n`);
  return shown.length === 0 ? 0 : 1;
}

function cacheFor({ descriptions }: Config, given: Given): Cache {
  const [first] = descriptions;
  const folder =
    first === undefined || given.flag("no-cache") ? undefined : cacheFolder(path.dirname(first.description));
  return folder === undefined ? noCache : folderCache(folder);
}

function secondsSince(started: number): number {
  return Math.round(performance.now() - started) / 1000;
}
