import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  list,
  oneOf,
  optionalArgument,
  requiredArgument,
  string,
  UsageError,
  type OptionValues,
} from "@plumbline/command-line";
import {
  affectedParties,
  formatChangeset,
  formatDiffAsHtml,
  formatDiffAsMarkdown,
  formatDiffAsJson,
  formatDiffAsSarif,
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
import { escapeControlCharacters } from "@plumbline/kit/model";
import { readAcceptedDifferences, type AcceptedDifferences } from "./accepted-differences.js";
import { codeOption, displayPath, readCodePaths } from "./code-paths.js";
import { defineCommand, isUrl, urlIsNoFile, type ExitCode, type CommandIo, type PlumblineCommand } from "./command.js";
import { compareInputs, revisionOptions, type DescriptionComparison } from "./compare-inputs.js";
import { loadCodemods } from "./load-codemods.js";

const options = {
  old: requiredArgument(
    string(
      "OLD",
      "a description, a plumbline.yaml, a folder with one, or a git revision such as main, v1.2, HEAD~1 or main:spec/openapi.yaml",
      "file",
    ),
  ),
  next: optionalArgument(string("NEW", "the same. Default: the working tree", "file")),
  ...revisionOptions,
  code: codeOption(
    "files and folders of TypeScript or JavaScript that use the API: its generated client, or types in the form of openapi-typescript",
  ),
  format: oneOf(
    "FORMAT",
    ["text", "json", "markdown", "html", "sarif", "changeset", "github"],
    "text, json, markdown (for pull requests), html (a changelog), sarif (for code scanning), changeset (a file for .changeset/ with the version bump of each package in plumbline.yaml), or github (annotations of the code; with --code only). Default: text",
  ),
  failOn: list(
    "LIST",
    "differences that cause exit code 1: those that break callers, implementers or wire, separated by commas; any or none. With --code, only those that concern the code, or may do so. Default: callers,wire",
    [...affectedParties, "any", "none"],
  ),
  accept: string(
    "FILE",
    "differences that cause no exit code 1: a list of {code, operation, reason, until} in YAML, such as {code: parameter-required-added, operation: GET /pets, reason: all callers send it, until: 2027-01-31}. Without `operation`, all of the code. After the day `until`, an entry counts no longer. With `breaks` in place of `until`, whom a code breaks: {code: response-enum-value-added, breaks: [], reason: readers ignore unknown values}",
    "file",
  ),
  out: string(
    "FILE",
    "write the output to a file, and create its folder; without differences, no changeset is written. Default: standard output",
    "file",
  ),
};

export const diffCommand: PlumblineCommand = defineCommand({
  text: "Compares two OpenAPI descriptions and reports what changed, whom it breaks, and why. It compares their meaning, not their text. With --code it reports which of the changes concern your code, and where.",
  options,
  examples: [
    "plumbline diff main",
    "plumbline diff v1.2.0 v1.3.0 --format markdown",
    "plumbline diff published.yaml openapi.yaml --fail-on none --format json",
    "plumbline diff main --fail-on none --format changeset --out .changeset/api.md",
    "plumbline diff v4.yaml v5.yaml --code src,test",
    "plumbline diff main --accept accepted.yaml",
  ],
  run: diff,
});

type DiffFormatter = (outcome: DiffOutcome) => string;

const formats: Readonly<Record<string, DiffFormatter>> = {
  text: formatDiffAsText,
  json: formatDiffAsJson,
  markdown: formatDiffAsMarkdown,
  html: formatDiffAsHtml,
  sarif: formatDiffAsSarif,
  changeset: formatChangeset,
};

const codeFormats: Readonly<Record<string, DiffFormatter>> = {
  text: ({ impacts }) => formatImpactAsText(impacts),
  json: ({ impacts }) => formatImpactAsJson(impacts),
  markdown: ({ impacts }) => formatImpactAsMarkdown(impacts),
  github: ({ impacts }) => formatImpactAsAnnotations(impacts),
};

/** Returns whether a difference causes exit code 1. Implementers learn from their compiler, in the same pull request. */
function parseFailOn(parties: readonly string[] = ["callers", "wire"]): (difference: ReportedDifference) => boolean {
  if (parties.length === 1 && parties[0] === "any") return () => true;
  if (parties.length === 1 && parties[0] === "none") return () => false;
  if (!parties.every((each) => affectedParties.some((party) => party === each)))
    throw new UsageError(
      `"${parties.join(",")}" is not a valid value of --fail-on. Use any, none, or a list of ${affectedParties.join(", ")}.`,
    );
  return ({ breaking }) => breaking.some((party) => parties.includes(party));
}

async function diff(
  { old, next, spec, allowOutside, format = "text", failOn, accept, out, code: paths }: OptionValues<typeof options>,
  io: CommandIo,
): Promise<ExitCode> {
  const isFailure = parseFailOn(failOn);
  const url = [old, next ?? ""].find(isUrl);
  if (url !== undefined) throw new UsageError(`${urlIsNoFile}, as in curl ${url} > old.json, and compare that file.`);
  const code = readCodePaths(paths, io);
  const available = code.length > 0 ? codeFormats : formats;
  const formatter = Object.hasOwn(available, format) ? available[format] : undefined;
  if (formatter === undefined)
    throw new UsageError(
      `"${format}" is not a valid format ${code.length > 0 ? "with" : "without"} --code. Use ${Object.keys(available).join(", ")}.`,
    );
  const compared = await compareInputs({ oldName: old, newName: next, spec, allowOutside }, io);
  const today = new Date().toISOString().slice(0, 10);
  const { mark, reminders } =
    accept === undefined
      ? nothingAccepted
      : await readAcceptedDifferences(compared.differences, { file: accept, folder: io.folder, today });
  const impacts = code.length === 0 ? [] : await findImpacts(compared.descriptions, code, io);
  const outcome = {
    ...compared,
    differences: compared.differences.map(mark),
    impacts: impacts.map(({ difference, places }) => ({ difference: mark(difference), places })),
  };
  for (const reminder of reminders) io.stderr.write(`${escapeControlCharacters(reminder)}\n`);
  const isIdle = format === "changeset" && outcome.differences.length === 0;
  if (format === "changeset" && outcome.packages.length === 0 && !isIdle)
    throw new UsageError("A changeset requires package names. Set `package` in plumbline.yaml.");
  if (isIdle) io.stderr.write("No differences: no changeset is needed.\n");
  else if (out === undefined) io.stdout.write(formatter(outcome));
  else writeTo(path.resolve(io.folder, out), formatter(outcome));
  const counted =
    code.length === 0
      ? outcome.differences
      : outcome.impacts
          .filter((each) => each.places.length > 0 || concernsCode(each))
          .map(({ difference }) => difference);
  return counted.some((each) => each.accepted === undefined && isFailure(each)) ? 1 : 0;
}

const nothingAccepted: AcceptedDifferences = { mark: (difference) => difference, reminders: [] };

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
