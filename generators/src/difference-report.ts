import type { Bump, Package } from "./diff/bumps.js";
import type { Difference, Party } from "./diff/difference.js";
import { harmless } from "./report.js";

/** A difference with its line and column. */
export interface Told extends Omit<Difference, "origin"> {
  /** The file is relative to the current folder; a file of a revision has the form `main:spec/openapi.yaml`. */
  readonly origin: { readonly file: string; readonly line: number; readonly column: number; readonly pointer: string };
}

export interface Outcome {
  readonly differences: readonly Told[];
  /** The packages to release. */
  readonly packages: readonly (Package & { readonly bump: Bump })[];
}

/** Formats one line for each difference, breaking ones first, and a summary at the end. */
export function asText({ differences, packages }: Outcome): string {
  if (differences.length === 0) return "No differences.\n";
  const [breaking, others] = split(differences);
  return [
    ...section("Breaking", breaking),
    ...section("Not breaking", others),
    ...packages.map(({ name, bump }) => `${name}: ${bump}`),
    counted(differences),
    "",
  ].join("\n");
}

/** Formats the report as JSON. */
export function asJson({ differences, packages }: Outcome): string {
  const [breaking] = split(differences);
  const counts = { total: differences.length, breaking: breaking.length, ...partyCounts(breaking) };
  return `${JSON.stringify({ counts, packages, differences }, undefined, 2)}\n`;
}

export function isBreaking({ breaking }: Pick<Told, "breaking">): boolean {
  return breaking.length > 0;
}

export function split(differences: readonly Told[]): readonly [breaking: readonly Told[], others: readonly Told[]] {
  return [differences.filter(isBreaking), differences.filter((each) => !isBreaking(each))];
}

/** `2 breaking (callers 1, implementers 0, wire 2), 3 not breaking.` */
export function counted(differences: readonly Told[]): string {
  const [breaking, others] = split(differences);
  const parties = Object.entries(partyCounts(breaking)).map(([party, count]) => `${party} ${count}`);
  return `${breaking.length} breaking (${parties.join(", ")}), ${others.length} not breaking.`;
}

/** Formats the location in an operation or a schema, with the pointer into its value. */
export function placeOf({ where: { place, pointer } }: Told): string {
  return `${place}${pointer === "" ? "" : ` ${pointer}`}`;
}

/** Formats the operations of a difference: the first three, and the number of the others. */
export function operationsOf({ where: { operations } }: Told): string {
  const more = operations.length - 3;
  return `${operations.slice(0, 3).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Formats the message, with the operations where the message does not contain them. */
export function sentenceOf(difference: Told): string {
  const operations = operationsOf(difference);
  const isSaid =
    operations === "" || difference.where.operations.some((operation) => difference.says.includes(operation));
  return isSaid ? difference.says : `${difference.says.replace(/\.$/, "")} (${operations}).`;
}

function section(title: string, differences: readonly Told[]): readonly string[] {
  if (differences.length === 0) return [];
  return [`${title} (${differences.length})`, ...differences.map((each) => `  ${harmless(line(each))}`), ""];
}

function line(difference: Told): string {
  const { origin, code, why, breaking } = difference;
  const whom = breaking.length === 0 ? "" : ` Breaks ${breaking.join(", ")}.`;
  return `${origin.file}:${origin.line}:${origin.column}  ${code}  ${sentenceOf(difference)} ${why}${whom}`;
}

function partyCounts(differences: readonly Told[]): Readonly<Record<Party, number>> {
  const count = (party: Party): number => differences.filter(({ breaking }) => breaking.includes(party)).length;
  return { callers: count("callers"), implementers: count("implementers"), wire: count("wire") };
}
