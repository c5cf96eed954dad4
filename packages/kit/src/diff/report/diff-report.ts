import { escapeControlCharacters } from "../../model/index.js";
import type { Difference } from "../difference.js";
import type { AffectedParty } from "../rule.js";
import type { Bump, ReleasedPackage } from "../version-bumps.js";

/** A difference with its line and column. */
export interface ReportedDifference extends Omit<Difference, "origin"> {
  /** The file is relative to the current folder; a file of a revision has the form `main:spec/openapi.yaml`. */
  readonly origin: { readonly file: string; readonly line: number; readonly column: number; readonly pointer: string };
  /** Why it is accepted, and until which day, such as `2027-01-31`. Absent if it is not. */
  readonly accepted?: { readonly reason: string; readonly until: string };
}

export interface DiffReport {
  readonly differences: readonly ReportedDifference[];
  /** The packages to release. */
  readonly packages: readonly (ReleasedPackage & { readonly bump: Bump })[];
}

/** Formats one line for each difference, breaking ones first, and a summary at the end. */
export function formatDiffAsText({ differences, packages }: DiffReport): string {
  if (differences.length === 0) return "No differences.\n";
  const [breaking, others] = splitByBreaking(differences);
  return [
    ...formatSection("Breaking", breaking.filter(breaksRequests)),
    ...formatSection(
      implementersTitle,
      breaking.filter((each) => !breaksRequests(each)),
    ),
    ...formatSection("Not breaking", others),
    ...packages.map(({ name, bump }) => `${name}: ${bump}`),
    formatCounts(differences),
    "",
  ].join("\n");
}

/** Formats the report as JSON. */
export function formatDiffAsJson({ differences, packages }: DiffReport): string {
  const [breaking] = splitByBreaking(differences);
  const counts = { total: differences.length, breaking: breaking.length, ...countByParty(breaking) };
  return `${JSON.stringify({ counts, packages, differences }, undefined, 2)}\n`;
}

export function isBreaking({ breaking }: Pick<ReportedDifference, "breaking">): boolean {
  return breaking.length > 0;
}

/** The title of what only those notice who compile a generated server. It fails a run only where `--fail-on` names implementers. */
export const implementersTitle = "Breaks implementers of a generated server only";

/** Whether a difference breaks more than the code of those who implement a generated server. */
export function breaksRequests({ breaking }: Pick<ReportedDifference, "breaking">): boolean {
  return breaking.some((party) => party !== "implementers");
}

export function splitByBreaking(
  differences: readonly ReportedDifference[],
): readonly [breaking: readonly ReportedDifference[], others: readonly ReportedDifference[]] {
  return [differences.filter(isBreaking), differences.filter((each) => !isBreaking(each))];
}

/** `2 breaking (callers 1, implementers 0, wire 2), 3 not breaking.` */
export function formatCounts(differences: readonly ReportedDifference[]): string {
  const [breaking, others] = splitByBreaking(differences);
  const parties = Object.entries(countByParty(breaking)).map(([party, count]) => `${party} ${count}`);
  return `${breaking.length} breaking (${parties.join(", ")}), ${others.length} not breaking.`;
}

/** Formats the location in an operation or a schema, with the pointer into its value. */
export function formatLocation({ where: { location, pointer } }: ReportedDifference): string {
  return `${location}${pointer === "" ? "" : ` ${pointer}`}`;
}

/** Formats the operations of a difference: the first three, and the number of the others. */
export function formatOperations({ where: { operations } }: ReportedDifference): string {
  const more = operations.length - 3;
  return `${operations.slice(0, 3).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Formats the message, with the operations where the message does not contain them. */
export function formatSentence(difference: ReportedDifference): string {
  const operations = formatOperations(difference);
  const isSaid =
    operations === "" || difference.where.operations.some((operation) => difference.message.includes(operation));
  return isSaid ? difference.message : `${difference.message.replace(/\.$/, "")} (${operations}).`;
}

function formatSection(title: string, differences: readonly ReportedDifference[]): readonly string[] {
  if (differences.length === 0) return [];
  return [
    `${title} (${differences.length})`,
    ...differences.map((each) => `  ${escapeControlCharacters(formatLine(each))}`),
    "",
  ];
}

function formatLine(difference: ReportedDifference): string {
  const { origin, code, reason, breaking } = difference;
  const whom = breaking.length === 0 ? "" : ` Breaks ${breaking.join(", ")}.`;
  return `${origin.file}:${origin.line}:${origin.column}  ${code}  ${formatSentence(difference)} ${reason}${whom}${formatAcceptance(difference)}`;
}

/** ` Accepted until 2027-01-31: all callers send it`; empty for a difference that is not accepted. */
export function formatAcceptance({ accepted }: ReportedDifference): string {
  return accepted === undefined ? "" : ` Accepted until ${accepted.until}: ${accepted.reason}`;
}

function countByParty(differences: readonly ReportedDifference[]): Readonly<Record<AffectedParty, number>> {
  const count = (party: AffectedParty): number => differences.filter(({ breaking }) => breaking.includes(party)).length;
  return { callers: count("callers"), implementers: count("implementers"), wire: count("wire") };
}
