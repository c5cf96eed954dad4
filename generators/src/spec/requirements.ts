import { readFile } from "node:fs/promises";
import { Source, parseYaml } from "@redocly/openapi-core";
import { escapeToken } from "./place.js";
import { isRecord } from "./spot.js";

/** Every statement of the documents that the description is written from. */
export interface Requirements {
  readonly source: Source;
  readonly entries: readonly Requirement[];
  /** What is wrong with the file itself. */
  readonly faults: readonly { readonly pointer: string; readonly message: string; readonly fix: string }[];
}

export interface Requirement {
  readonly id: string;
  readonly pointer: string;
  /** The documents leave it open; an assumption settles it. */
  readonly open: boolean;
}

/** Reads headings with their requirements: `'1 Instance': {instance.label.length: {line: 59, says: …}}`. Throws when the file cannot be read. */
export async function readRequirements(file: string): Promise<Requirements> {
  const text = await readFile(file, "utf8");
  const source = new Source(file, text);
  const entries: Requirement[] = [];
  const faults: { pointer: string; message: string; fix: string }[] = [];
  const blame = (pointer: string, message: string, fix: string): void => void faults.push({ pointer, message, fix });
  const parsed: unknown = parseYaml(text, { filename: file });
  if (!isRecord(parsed)) blame("#/", "This file holds no headings.", "Write a map from headings to requirements.");
  const known = new Set<string>();
  for (const [heading, group] of Object.entries(isRecord(parsed) ? parsed : {})) {
    const at = `#/${escapeToken(heading)}`;
    if (!isRecord(group)) {
      blame(at, `Below "${heading}" there are no requirements.`, "Write a map from ids to requirements.");
      continue;
    }
    for (const [id, requirement] of Object.entries(group)) {
      const pointer = `${at}/${escapeToken(id)}`;
      const fault = faultOf(requirement);
      if (fault !== undefined) blame(pointer, `"${id}" ${fault}`, "Write {line: 59, says: …}, or {line: 59, open: …} for what the documents leave open.");
      if (known.has(id)) blame(pointer, `There are two requirements "${id}".`, "Give one of them another id.");
      known.add(id);
      entries.push({ id, pointer, open: isRecord(requirement) && Object.hasOwn(requirement, "open") });
    }
  }
  return { source, entries, faults };
}

function faultOf(requirement: unknown): string | undefined {
  if (!isRecord(requirement)) return "is not an object.";
  const { line, says, open, ...rest } = requirement;
  if (typeof line !== "number" || !Number.isInteger(line) || line < 1) return "has no line of the document.";
  if ((says === undefined) === (open === undefined)) return "has to have one of `says` and `open`.";
  if (typeof (says ?? open) !== "string") return "does not say anything.";
  const [other] = Object.keys(rest);
  return other === undefined ? undefined : `has a key "${other}", which means nothing.`;
}
