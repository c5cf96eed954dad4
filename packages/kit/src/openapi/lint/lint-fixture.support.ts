import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Diagnostic } from "../../model/index.js";
import { lint, type LintOptions } from "./lint.js";

/** Texts by file name. A single text is `openapi.yaml`. */
export type LintFixtureFiles = string | Readonly<Record<string, string>>;

/** Lints a description, with its `requirements.yaml` if the texts include it. */
export async function lintFixture(
  texts: LintFixtureFiles,
  given: LintOptions["ruleset"] | LintOptions = "strict",
  keywords: readonly string[] = [],
): Promise<readonly Diagnostic[]> {
  const files = typeof texts === "string" ? { "openapi.yaml": texts } : texts;
  const folder = await mkdtemp(path.join(tmpdir(), "plumbline-lint-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    const requirements = "requirements.yaml" in files ? { requirements: path.join(folder, "requirements.yaml") } : {};
    return await lint(path.join(folder, "openapi.yaml"), {
      keywords,
      ...requirements,
      ...(typeof given === "string" ? { ruleset: given } : given),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Lints a description. Returns lines of the form `line:column code message`, with the file name before those of other
 * files than the root.
 */
export async function lintFixtureLines(
  texts: LintFixtureFiles,
  ruleset: LintOptions["ruleset"] = "strict",
): Promise<readonly string[]> {
  return (await lintFixture(texts, ruleset)).map(
    ({ code, message, origin: { file, line, column } }) =>
      `${file === "openapi.yaml" ? "" : `${file}:`}${line}:${column} ${code} ${message}`,
  );
}

/** The parts of a description that a test of one rule changes. */
export interface DescriptionParts {
  /** Keys of the root. */
  readonly root?: string;
  /** Keys of the operation createNote: `POST /notes`. */
  readonly operation?: string;
  /** Keys of the schema Note, the body and the response. */
  readonly note?: string;
  /** More properties of the schema Note, beside `id` and `text`. */
  readonly properties?: string;
  /** More paths. */
  readonly paths?: string;
  /** More components. */
  readonly components?: string;
  /** More schemas. */
  readonly schemas?: string;
}

/** A valid description with these parts. */
export function buildDescription({
  root = "",
  operation = "",
  note = "",
  properties = "",
  paths = "",
  components = "",
  schemas = "",
}: DescriptionParts): string {
  return `openapi: 3.1.0
info: {title: Notes, version: 1.0.0}
servers: [{url: https://notes.example}]
tags: [{name: notes}]
security: []
${indented(root, 0)}paths:
  /notes:
    post:
      operationId: createNote
      summary: Makes a note
      tags: [notes]
${indented(operation, 6)}      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
      responses:
        '200': {description: The note, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
        '400': {description: Something is wrong}
${indented(paths, 2)}components:
${indented(components, 2)}  schemas:
    Note:
      type: object
${indented(note, 6)}      properties:
        id: {type: integer}
        text: {type: string, maxLength: 100}
${indented(properties, 8)}${indented(schemas, 4)}`;
}

function indented(text: string, width: number): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const own = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => `${" ".repeat(width)}${line.slice(own)}\n`).join("");
}

/** Returns the messages with this code, in order. */
export async function lintMessages(code: string, parts: DescriptionParts): Promise<readonly string[]> {
  return (await lintFixture(buildDescription(parts))).filter((each) => each.code === code).map((each) => each.message);
}
