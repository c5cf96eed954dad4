import { describeNotes, describeRequest, describeResponse, type NotesDescriptionParts } from "../diff-cases.support.js";

/** Checks of oasdiff that one pair of descriptions triggers, and what this package reports of it. */
export interface OasdiffRow {
  /** The ids of the checks; `{a,b}` stands for each of `a` and `b`. */
  readonly checks: string;
  /** In oasdiff 1.28.0, and where it is another, in a later version. */
  readonly level: OasdiffLevel;
  /** Two whole descriptions; or the keywords of a value, which stands where the id of each check says. */
  readonly pair:
    | readonly [old: NotesDescriptionParts, next: NotesDescriptionParts]
    | readonly [old: string, next: string];
  /** As in `DiffCase`. */
  readonly expected: readonly string[];
  /** Absent where both agree whether it breaks callers or the wire. */
  readonly differs?: { readonly right: "oasdiff" | "ours"; readonly because: string };
}

export type OasdiffLevel =
  | "ERR"
  | "WARN"
  | "ERR, later INFO"
  | "WARN, later ERR"
  | "WARN, later INFO"
  | "INFO, later ERR"
  | "INFO, later WARN"
  | "later ERR";

/** A check of a row, with its pair of whole descriptions. */
export interface OasdiffCheck {
  readonly id: string;
  readonly row: OasdiffRow;
  readonly old: string;
  readonly next: string;
}

/** Returns whether oasdiff lists the checks of a row as breaking, in the later version. */
export function isBreakingThere({ level }: OasdiffRow): boolean {
  return !level.endsWith("INFO");
}

/** Returns whether ours breaks callers or the wire, which fails a run by default. */
export function isBreakingHere({ expected }: OasdiffRow): boolean {
  return expected.some((line) => /callers|wire/.test(line));
}

export function checksOf(row: OasdiffRow): readonly OasdiffCheck[] {
  return expandBraces(row.checks).map((id) => {
    const [old, next] = row.pair.map((side) => (typeof side === "string" ? placeValue(id, side) : describeNotes(side)));
    return { id, row, old: old ?? "", next: next ?? "" };
  });
}

/** The first placement whose name begins the id applies. */
const placements: readonly (readonly [prefix: string, describe: (value: string) => string])[] = [
  ["request-body-", describeRequest],
  ["request-property-", (value) => describeRequest(objectWith(value))],
  ["request-header-property-", (value) => describeParameter(`in: header, schema: {${objectWith(value)}}`)],
  [
    "request-parameter-property-",
    (value) => describeParameter(`in: query, style: deepObject, schema: {${objectWith(value)}}`),
  ],
  ["request-parameter-", (value) => describeParameter(`in: query, schema: {${value}}`)],
  ["response-body-", describeResponse],
  ["response-property-", (value) => describeResponse(objectWith(value))],
  [
    "response-header-",
    (value) => describeNotes({ response: `description: Done, headers: {X-Filter: {schema: {${value}}}}` }),
  ],
];

function placeValue(id: string, value: string): string {
  const [, describe] = placements.find(([prefix]) => id.startsWith(prefix)) ?? [];
  if (describe === undefined) throw new Error(`No placement for ${id}`);
  return describe(value);
}

function describeParameter(keys: string): string {
  return describeNotes({ operation: `parameters: [{name: X-Filter, ${keys}}]` });
}

function objectWith(value: string): string {
  return `type: object, properties: {a: {${value}}}`;
}

function expandBraces(pattern: string): readonly string[] {
  const [braces, names] = /\{([^}]*)\}/.exec(pattern) ?? [];
  if (braces === undefined || names === undefined) return [pattern];
  return names.split(",").flatMap((name) => expandBraces(pattern.replace(braces, name)));
}
