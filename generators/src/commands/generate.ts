import path from "node:path";
import { generators } from "../artifacts.js";
import { unifiedDiff } from "../emit/diff.js";
import { compare, write, type Difference, type Written } from "../emit/writer.js";
import {
  listOf,
  located,
  printed,
  progressOn,
  readOrRefuse,
  type Command,
  type ExitCode,
  type Given,
  type Terminal,
} from "./command.js";

export const command: Command = {
  options: { spec: "text", overlay: "text", out: "text", only: "text", check: "flag", json: "flag" },
  positionals: 0,
  help: `plumbline generate [--spec FILE] [--overlay FILE,…] [--out FOLDER] [--only ARTIFACT,…] [--check] [--json]

Lints the description and writes the packages that plumbline.yaml lists. With problems in the input nothing is written.

  --spec FILE    a plumbline.yaml, or an OpenAPI 3.0 or 3.1 description of your own
  --overlay LIST overlays of a description of your own, separated by commas, applied in this order
  --out FOLDER   where the packages go, each in a folder of its own
  --only LIST    only these artifacts, separated by commas (${Object.keys(generators).join(", ")},
                 or a name among the generators of plumbline.yaml)
  --check        writes nothing; fails, with a diff, when a file is stale, missing, orphaned or foreign
  --json         the outcome as one JSON object on standard output

Examples
  plumbline generate
  plumbline generate --check
  plumbline generate --spec openapi.yaml --out generated
  plumbline generate --spec openapi.yaml --overlay limits.overlay.yaml
`,
  run: generate,
};

async function generate(given: Given, terminal: Terminal): Promise<ExitCode> {
  const started = performance.now();
  const only = listOf(given, "only");
  const progress = progressOn(terminal, given.flag("json"));
  const reads = await readOrRefuse(given, terminal, { progress, only });
  const planned = reads.flatMap((read) => read.packages);
  const warnings = reads.flatMap((read) => read.warnings.map((problem) => located(problem, read, terminal)));
  if (given.flag("check")) {
    progress("comparing");
    const differences = (await Promise.all(planned.map(compare))).flat();
    progress(undefined);
    return reportCheck(differences, {
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
  const operations = reads.reduce((sum, read) => sum + read.api.operations.length, 0);
  terminal.out.write(
    `${operations} ${operations === 1 ? "operation" : "operations"}; ${outcome.written.length} files written, ${outcome.unchanged.length} unchanged, ${outcome.removed.length} removed in ${outcome.seconds} s\n`,
  );
  return 0;
}

function reportCheck(
  differences: readonly Difference[],
  { given, terminal, files }: { readonly given: Given; readonly terminal: Terminal; readonly files: number },
): ExitCode {
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
  if (shown.length === 0) terminal.out.write(`${files} generated files are current\n`);
  if (mendable > 0)
    terminal.out.write(`${mendable} of ${files} generated files are not current; run plumbline generate\n`);
  if (foreign > 0) terminal.out.write(`${foreign} among the generated files are not the generator's; move them away\n`);
  return shown.length === 0 ? 0 : 1;
}

function secondsSince(started: number): number {
  return Math.round(performance.now() - started) / 1000;
}
