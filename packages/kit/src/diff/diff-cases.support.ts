import { buildFixtureApi, type FixtureFiles } from "../openapi/testing.js";
import { compareDescriptions } from "./compare-descriptions.js";
import type { Difference } from "./difference.js";

/** Two descriptions with a small difference, and the expected report. */
export interface DiffCase {
  readonly what: string;
  readonly old: FixtureFiles;
  readonly next: FixtureFiles;
  /** Each as `code: callers, implementers, wire`, with the parties that it breaks or `none`; in the order of the report. */
  readonly expected: readonly string[];
}

/** The differences in the format of `Case.expected`. */
export async function breakingLines({ old, next }: Pick<DiffCase, "old" | "next">): Promise<readonly string[]> {
  return (await diffTexts(old, next)).map(({ code, breaking }) => `${code}: ${breaking.join(", ") || "none"}`);
}

export async function diffTexts(old: FixtureFiles, next: FixtureFiles): Promise<readonly Difference[]> {
  const keywords = ["x-luhn"];
  return compareDescriptions(await buildFixtureApi(old, {}, keywords), await buildFixtureApi(next, {}, keywords));
}

/** The parts of a description that a case sets. */
export interface NotesDescriptionParts {
  /** Keys of the root. */
  readonly root?: string;
  /** Keys of `POST /notes`, `createNote`. */
  readonly operation?: string;
  /** Keys of its body. */
  readonly body?: string;
  /** Keys of its response 200. */
  readonly response?: string;
  /** Additional operations. */
  readonly paths?: string;
  /** Additional schemas. */
  readonly schemas?: string;
  /** Security schemes. */
  readonly schemes?: string;
}

/** Builds a small description from parts. Each part is a flow mapping without braces; several stand on a line each. */
export function describeNotes({
  root = "",
  operation = "",
  body,
  response = "description: Done",
  paths = "",
  schemas = "",
  schemes = "",
}: NotesDescriptionParts): string {
  return `openapi: 3.1.0
info: {title: Notes, version: '1'}
${root}
paths:
  /notes:
    post:
      operationId: createNote
      tags: [notes]
${indentLines(operation, 6)}
${body === undefined ? "" : `      requestBody: {${body}}`}
      responses:
        '200': {${response}}
${indentLines(paths, 2)}
components:
  securitySchemes: {${schemes}}
  schemas:
    Always: {type: string}
${indentLines(schemas, 4)}
`;
}

/** Builds a description with one schema in the request body. */
export function describeRequest(schema: string, schemas = ""): string {
  return describeNotes({ body: `content: {application/json: {schema: {${schema}}}}`, schemas });
}

export function describeResponse(schema: string, schemas = ""): string {
  return describeNotes({ response: `description: Done, content: {application/json: {schema: {${schema}}}}`, schemas });
}

function indentLines(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => `${" ".repeat(width)}${line}`)
    .join("\n");
}

/** A change of a schema, and the expected codes in a request and in a response. */
export interface SchemaChange {
  readonly what: string;
  readonly old: string;
  readonly next: string;
  /** Additional schemas, for both descriptions or for each. */
  readonly schemas?: string | readonly [old: string, next: string];
  readonly request: readonly string[];
  readonly response: readonly string[];
}

/** The path of an operation that reads a note. */
export function describeGet(keys = "operationId: listNotes", path = "/notes/{id}"): string {
  return `${path}:\n  get:\n    ${keys}\n    parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n    responses: {'200': {description: Yes}}`;
}
