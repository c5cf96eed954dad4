import { apiOf, type Texts } from "../model/testing.support.js";
import { differences } from "./differences.js";
import type { Difference } from "./difference.js";

/** Two descriptions of which the second is a little otherwise, and what is to be said of it. */
export interface Case {
  readonly what: string;
  readonly old: Texts;
  readonly next: Texts;
  /** Each as `code: callers, implementers, wire`, those for whom it is breaking; in the order in which they are told. */
  readonly expected: readonly string[];
}

/** All of the differences, as a case wants them. */
export async function toldOf({ old, next }: Pick<Case, "old" | "next">): Promise<readonly string[]> {
  return (await differencesOf(old, next)).map(({ code, breaking }) => `${code}: ${breaking.join(", ") || "nobody"}`);
}

export async function differencesOf(old: Texts, next: Texts): Promise<readonly Difference[]> {
  return differences(await apiOf(old), await apiOf(next));
}

/** What of a description a case is about. */
export interface Parts {
  /** Keys of the root. */
  readonly root?: string;
  /** Keys of `POST /notes`, `createNote`. */
  readonly operation?: string;
  /** Keys of its body. */
  readonly body?: string;
  /** Keys of its reply 200. */
  readonly reply?: string;
  /** Operations besides. */
  readonly paths?: string;
  /** Schemas besides. */
  readonly schemas?: string;
  /** Security schemes. */
  readonly schemes?: string;
}

/** A small description, of which parts are said. All are flow mappings without their braces, one a line where there are several. */
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

/** A description of which only one schema is said: of the body, or of the reply. */
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

/** How a schema changes, and what that is in a request and in a reply. */
export interface Change {
  readonly what: string;
  readonly old: string;
  readonly next: string;
  /** Schemas beside it, in both or in each. */
  readonly schemas?: string | readonly [old: string, next: string];
  readonly request: readonly string[];
  readonly reply: readonly string[];
}
