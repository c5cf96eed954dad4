import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  affectedParties,
  formatChangeset,
  formatDiffAsMarkdown,
  formatDiffAsJson,
  formatDiffAsText,
  type CodeImpact,
  concernsCode,
  formatImpactAsAnnotations,
  formatImpactAsJson,
  formatImpactAsMarkdown,
  formatImpactAsText,
  type DiffReport,
  type ReportedDifference,
} from "@plumbline/kit/diff";
import { compareInputs, type DescriptionComparison } from "./compare-inputs.js";
import { displayPath, readCodePaths } from "./code-paths.js";
import { loadCodemods } from "./load-codemods.js";
import {
  UsageError,
  allowOutsideHelp,
  allowOutsideOption,
  isUrl,
  urlIsNoFile,
  type Command,
  type ExitCode,
  type ParsedArgs,
  type CommandIo,
} from "./command.js";

export const diffCommand: Command = {
  options: {
    spec: "file",
    [allowOutsideOption]: "flag",
    code: "file",
    format: ["text", "json", "markdown", "changeset", "github"],
    "fail-on": [...affectedParties, "any", "none"],
    out: "file",
  },
  positionals: 2,
  argument: "file",
  help: `plumbline diff OLD [NEW] [--code PATH,…] [--format text|json|markdown|changeset|github] [--fail-on callers,wire] [--out FILE]

Compares two OpenAPI descriptions and reports what changed, whom it breaks, and why. It compares their meaning, not their text.
With --code it reports which of the changes concern your code, and where.

  OLD, NEW       a description, a plumbline.yaml, a folder with one, or a git revision such as main, v1.2, HEAD~1 or
                   main:spec/openapi.yaml. Default of NEW: the working tree
  --spec FILE    the plumbline.yaml or description to read from a revision. Default: spec/plumbline.yaml of this folder or the
                   nearest parent folder
  --code PATH,…  files and folders of TypeScript or JavaScript that use the API: its generated client, or types in the form of
                   openapi-typescript. Requires the package @plumbline/codemods
  --format       output format: text, json, markdown (for pull requests), changeset (a file for .changeset/ with the version
                   bump of each package in plumbline.yaml), or github (annotations of the code; with --code only). Default: text
  --fail-on      differences that cause exit code 1: those that break callers, implementers or wire, separated by commas; any or
                   none. With --code, only those that concern the code, or may do so. Default: callers,wire
  --out FILE     write the output to a file, and create its folder; without differences, no changeset is written.
                   Default: standard output
${allowOutsideHelp}.
                 References of a revision never leave the revision

Examples
  plumbline diff main
  plumbline diff v1.2.0 v1.3.0 --format markdown
  plumbline diff published.yaml openapi.yaml --fail-on none --format json
  plumbline diff main --fail-on none --format changeset --out .changeset/api.md
  plumbline diff v4.yaml v5.yaml --code src,test
`,
  run: diff,
};

type DiffFormatter = (outcome: DiffOutcome) => string;

const formats: Readonly<Record<string, DiffFormatter>> = {
  text: formatDiffAsText,
  json: formatDiffAsJson,
  markdown: formatDiffAsMarkdown,
  changeset: formatChangeset,
};

const codeFormats: Readonly<Record<string, DiffFormatter>> = {
  text: ({ impacts }) => formatImpactAsText(impacts),
  json: ({ impacts }) => formatImpactAsJson(impacts),
  markdown: ({ impacts }) => formatImpactAsMarkdown(impacts),
  github: ({ impacts }) => formatImpactAsAnnotations(impacts),
};

/** Returns whether a difference causes exit code 1. Implementers learn from their compiler, in the same pull request. */
function parseFailOn(text = "callers,wire"): (difference: ReportedDifference) => boolean {
  if (text === "any" || text === "none") return () => text === "any";
  const parties = text.split(",");
  if (!parties.every((each) => affectedParties.some((party) => party === each)))
    throw new UsageError(
      `"${text}" is not a valid value of --fail-on. Use any, none, or a list of ${affectedParties.join(", ")}.`,
    );
  return ({ breaking }) => breaking.some((party) => parties.includes(party));
}

async function diff(args: ParsedArgs, io: CommandIo): Promise<ExitCode> {
  const format = args.text("format") ?? "text";
  const isFailure = parseFailOn(args.text("fail-on"));
  const [oldName, newName] = args.positionals;
  if (oldName === undefined) throw new UsageError("Missing argument OLD: a file, a folder or a git revision.");
  const url = args.positionals.find(isUrl);
  if (url !== undefined) throw new UsageError(`${urlIsNoFile}, as in curl ${url} > old.json, and compare that file.`);
  const code = readCodePaths(args, io);
  const known = code.length > 0 ? codeFormats : formats;
  const formatter = Object.hasOwn(known, format) ? known[format] : undefined;
  if (formatter === undefined)
    throw new UsageError(
      `"${format}" is not a valid format ${code.length > 0 ? "with" : "without"} --code. Use ${Object.keys(known).join(", ")}.`,
    );
  const compared = await compareInputs(
    { oldName, newName, spec: args.text("spec"), allowOutside: args.flag(allowOutsideOption) },
    io,
  );
  const impacts = code.length === 0 ? [] : await findImpacts(compared.descriptions, code, io);
  const outcome = { ...compared, impacts };
  const isIdle = format === "changeset" && outcome.differences.length === 0;
  if (format === "changeset" && outcome.packages.length === 0 && !isIdle)
    throw new UsageError("A changeset requires package names. Set `package` in plumbline.yaml.");
  const out = args.text("out");
  if (isIdle) io.error.write("No differences: no changeset is needed.\n");
  else if (out === undefined) io.out.write(formatter(outcome));
  else writeTo(path.resolve(io.folder, out), formatter(outcome));
  const counted =
    code.length === 0
      ? outcome.differences
      : outcome.impacts
          .filter((each) => each.places.length > 0 || concernsCode(each))
          .map(({ difference }) => difference);
  return counted.some(isFailure) ? 1 : 0;
}

interface DiffOutcome extends DiffReport {
  /** The differences with their places in code. Empty without `--code`. */
  readonly impacts: readonly CodeImpact[];
}

/** Writes a file, and creates its folder. */
function writeTo(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The places in code for each difference, with paths relative to the current folder. */
async function findImpacts(
  descriptions: readonly DescriptionComparison[],
  code: readonly string[],
  io: CommandIo,
): Promise<readonly CodeImpact[]> {
  const { findImpact } = await loadCodemods("--code");
  return descriptions.flatMap(({ old, next, differences, reported }) => {
    const impacts = findImpact({ old, next, differences, code });
    return reported.map((difference, index) => {
      const places = impacts[index]?.places ?? [];
      const shown = places.map((place) => ({ ...place, file: displayPath(place.file, io) }));
      return { difference, places: shown };
    });
  });
}
