import type { Operation } from "../../model/index.js";

/** Returns the JSDoc tag of a deprecated operation, with its dates and its replacement; nothing for any other operation. */
export function deprecationTag({ deprecated, deprecation = noDetails }: Operation): readonly string[] {
  if (!deprecated) return [];
  const { since, sunset, replacement, link } = deprecation;
  return [formatDeprecationTag({ since: since?.text, sunset: sunset?.text, replacement, link })];
}

const noDetails: NonNullable<Operation["deprecation"]> = { sources: [], origin: { file: "", pointer: "" } };

/** What the tag says beside that something is deprecated. */
export interface DeprecationDetails {
  readonly since?: string | undefined;
  readonly sunset?: string | undefined;
  readonly replacement?: string | undefined;
  readonly link?: string | undefined;
}

/** Formats the tag: `@deprecated since 2026-01-01, ends 2027-06-30. Use \`searchNotes\`. See https://notes.example/changes` */
export function formatDeprecationTag({ since, sunset, replacement, link }: DeprecationDetails): string {
  const dates = [
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(sunset === undefined ? [] : [`ends ${sunset}`]),
  ];
  const sentences = [
    ...(dates.length === 0 ? [] : [`${dates.join(", ")}.`]),
    ...(replacement === undefined ? [] : [`Use \`${replacement}\`.`]),
    ...(link === undefined ? [] : [`See ${link}`]),
  ];
  return ["@deprecated", ...sentences].join(" ");
}
