import { parseYaml } from "@redocly/openapi-core/lib/js-yaml/index.js";
import { Source } from "@redocly/openapi-core/lib/resolve.js";
import { isJsonObject } from "../../model/index.js";
import { readTextFile } from "../read/source.js";
import { escapeToken } from "../read/spec-node.js";
import type { LintSource } from "./lint-node.js";

/** The requirements of the documents that the description implements. */
export interface RequirementsFile {
  readonly source: LintSource;
  readonly entries: readonly RequirementEntry[];
  /** Issues of the file itself. */
  readonly issues: readonly { readonly pointer: string; readonly message: string; readonly fix: string }[];
}

export interface RequirementEntry {
  readonly id: string;
  readonly pointer: string;
  /** True if the documents leave it open. Then an assumption has to settle it. */
  readonly open: boolean;
  /** True if it is invalid. No other rule checks it. */
  readonly isInvalid: boolean;
}

/** Reads `documents`, each with a `title` and `sections` of requirements by id. `issues` has the issues of the file. */
export async function readRequirementsFile(file: string): Promise<RequirementsFile> {
  const text = await readTextFile(file).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  const source = new Source(file, typeof text === "string" ? text : "");
  const entries: RequirementEntry[] = [];
  const issues: { pointer: string; message: string; fix: string }[] = [];
  const reportIssue = (pointer: string, message: string, fix: string): void =>
    void issues.push({ pointer, message, fix });
  const form = "Write documents: {'1': {title: …, sections: {Heading: {some.id: {line: 59, says: …}}}}}.";
  const parsed = typeof text === "string" ? parsedOf(text) : text;
  const ids = new Set<string>();
  for (const [pointer, group] of sectionsOf(parsed)) {
    if (!isJsonObject(group)) {
      reportIssue(pointer, "There are no requirements here.", form);
      continue;
    }
    for (const [id, requirement] of Object.entries(group)) {
      const at = `${pointer}/${escapeToken(id)}`;
      const issue = requirementIssue(requirement);
      if (issue !== undefined)
        reportIssue(
          at,
          `"${id}" ${issue}`,
          "Write {line: 59, says: …}, or {line: 59, open: …} for what the documents leave open.",
        );
      if (ids.has(id)) reportIssue(at, `There are two requirements "${id}".`, "Give one of them another id.");
      ids.add(id);
      entries.push({
        id,
        pointer: at,
        open: isJsonObject(requirement) && Object.hasOwn(requirement, "open"),
        isInvalid: issue !== undefined,
      });
    }
  }
  if (parsed instanceof Error)
    reportIssue(
      "#/",
      `This file cannot be read: ${parsed.message.split("\n")[0] ?? ""}.`,
      "Correct the file, or the path to it.",
    );
  else if (entries.length === 0 && issues.length === 0) reportIssue("#/", "This file holds no requirements.", form);
  return { source, entries, issues };
}

/** Returns every section of every document, with its pointer. */
function sectionsOf(parsed: unknown): readonly (readonly [pointer: string, section: unknown])[] {
  return fieldsOf(isJsonObject(parsed) && !(parsed instanceof Error) ? parsed["documents"] : undefined).flatMap(
    ([name, document]) =>
      fieldsOf(isJsonObject(document) ? document["sections"] : undefined).map(
        ([heading, section]) => [`#/documents/${escapeToken(name)}/sections/${escapeToken(heading)}`, section] as const,
      ),
  );
}

function fieldsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function parsedOf(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function requirementIssue(requirement: unknown): string | undefined {
  if (!isJsonObject(requirement)) return "is not an object.";
  const { line, says, open, ...rest } = requirement;
  if (typeof line !== "number" || !Number.isInteger(line) || line < 1) return "has no line of the document.";
  if ((says === undefined) === (open === undefined)) return "has to have one of `says` and `open`.";
  if (typeof (says ?? open) !== "string") return "does not say anything.";
  const [other] = Object.keys(rest);
  return other === undefined ? undefined : `has a key "${other}", which means nothing.`;
}
