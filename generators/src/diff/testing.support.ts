import { apiOf, type Texts } from "../model/testing.support.js";
import { differences } from "./differences.js";
import type { Difference } from "./difference.js";

/** Two descriptions with a small difference, and the expected report. */
export interface Case {
  readonly what: string;
  readonly old: Texts;
  readonly next: Texts;
  /** Each as `code: callers, implementers, wire`, with the parties that it breaks or `none`; in the order of the report. */
  readonly expected: readonly string[];
}

/** The differences in the format of `Case.expected`. */
export async function toldOf({ old, next }: Pick<Case, "old" | "next">): Promise<readonly string[]> {
  return (await differencesOf(old, next)).map(({ code, breaking }) => `${code}: ${breaking.join(", ") || "none"}`);
}

export async function differencesOf(old: Texts, next: Texts): Promise<readonly Difference[]> {
  return differences(await apiOf(old), await apiOf(next));
}

/** The parts of a description that a case sets. */
export interface Parts {
  /** Keys of the root. */
  readonly root?: string;
  /** Keys of `POST /notes`, `createNote`. */
  readonly operation?: string;
  /** Keys of its body. */
  readonly body?: string;
  /** Keys of its response 200. */
  readonly reply?: string;
  /** Additional operations. */
  readonly paths?: string;
  /** Additional schemas. */
  readonly schemas?: string;
  /** Security schemes. */
  readonly schemes?: string;
}

/** Builds a small description from parts. Each part is a flow mapping without braces; several stand on a line each. */
export function described({
  root = "",
  operation = "",
  body,
  reply = "description: Done",
  paths = "",
  schemas = "",
  schemes = "",
}: Parts): string {
  return `openapi: 3.1.0
info: {title: Notes, version: '1'}
${root}
paths:
  /notes:
    post:
      operationId: createNote
      tags: [notes]
${lines(operation, 6)}
${body === undefined ? "" : `      requestBody: {${body}}`}
      responses:
        '200': {${reply}}
${lines(paths, 2)}
components:
  securitySchemes: {${schemes}}
  schemas:
    Always: {type: string}
${lines(schemas, 4)}
`;
}

/** Builds a description with one schema in the request body. */
export function requestOf(schema: string, schemas = ""): string {
  return described({ body: `content: {application/json: {schema: {${schema}}}}`, schemas });
}

export function replyOf(schema: string, schemas = ""): string {
  return described({ reply: `description: Done, content: {application/json: {schema: {${schema}}}}`, schemas });
}

function lines(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => `${" ".repeat(width)}${line}`)
    .join("\n");
}

/** A change of a schema, and the expected codes in a request and in a response. */
export interface Change {
  readonly what: string;
  readonly old: string;
  readonly next: string;
  /** Additional schemas, for both descriptions or for each. */
  readonly schemas?: string | readonly [old: string, next: string];
  readonly request: readonly string[];
  readonly reply: readonly string[];
}
