import { statusPhrases, type Problem } from "../../http/index.js";
import type { ErrorEntry, ErrorIdByStatus, UnformattedError } from "./errors.js";

/** How the body of an error is filled, as the description documents it for an operation and a status. */
export interface ErrorBody {
  readonly mediaType: string;
  readonly template: ErrorTemplate;
}

/** A JSON value: a literal, a fact of the error, an object, or an array with an item for each entry of the error. */
export type ErrorTemplate =
  | { readonly value: unknown }
  | { readonly from: "reason" | "reasons" | "status" | "title" | "code"; readonly maxLength?: number }
  /** The dotted path of the field, or the name of a parameter. `optional`: absent if there is none, and otherwise empty. */
  | { readonly from: "field"; readonly maxLength?: number; readonly optional?: true }
  /** The location of the value, in segments: `["body", "label"]`, `["query", "limit"]`. */
  | { readonly from: "location" }
  | { readonly object: Readonly<Record<string, ErrorTemplate>> }
  | { readonly each: ErrorTemplate };

/** By operation, and by status, range or `default`. Null: documented, but not as a body that the server can fill. */
export type ErrorBodies = Readonly<Record<string, Readonly<Record<string, ErrorBody | null>>>>;

/** An error body as it is sent. */
export interface FilledErrorBody {
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

/** Fills the documented body of an error; problem details (RFC 9457) if there is none. `entries` are the errors with their locations. */
export function fillErrorBody(
  { status, errors, entries }: Pick<UnformattedError, "status" | "errors"> & Pick<Facts, "entries">,
  documented: ErrorBodies[string] = {},
): FilledErrorBody {
  const errorBody = bodyFor(status, documented);
  if (errorBody === null || errorBody === undefined) return problemDetails({ status, errors });
  const [first = { reason: statusPhrases[status] ?? "Error" }] = entries;
  return {
    status,
    mediaType: errorBody.mediaType,
    body: fill(errorBody.template, { status, entries, entry: first }),
  };
}

interface Facts {
  readonly status: number;
  readonly entries: Problem["entries"];
  readonly entry: Problem["entries"][number];
}

function fill(template: ErrorTemplate, facts: Facts): unknown {
  if ("value" in template) return template.value;
  if ("object" in template)
    return Object.fromEntries(
      Object.entries(template.object)
        .map(([key, each]) => [key, fill(each, facts)] as const)
        .filter(([, value]) => value !== undefined),
    );
  if ("each" in template) return facts.entries.map((entry) => fill(template.each, { ...facts, entry }));
  if (template.from === "status") return facts.status;
  if (template.from === "location") return locationOf(facts.entry);
  if (template.from === "field" && template.optional === true && facts.entry.field === undefined) return undefined;
  const text = textOf(template.from, facts);
  return template.maxLength === undefined ? text : text.slice(0, template.maxLength);
}

function locationOf({ in: part, field }: Facts["entry"]): readonly string[] {
  return [part === undefined || part === "request" ? "body" : part, ...(field?.split(".") ?? [])];
}

function textOf(from: "reason" | "reasons" | "title" | "field" | "code", { status, entries, entry }: Facts): string {
  if (from === "code" && entry.code !== undefined) return entry.code;
  if (from === "title" || from === "code") return statusPhrases[status] ?? "Error";
  if (from === "field") return entry.field ?? "";
  return from === "reason" ? entry.reason : entries.map(withField).join("; ");
}

function withField({ field, reason }: ErrorEntry): string {
  return field === undefined ? reason : `${field} ${reason}`;
}

/** Some descriptions have 422 for invalid requests, as an error that all operations share or as a response, and no 400. */
export function documentedStatus(
  status: number,
  shared: ErrorIdByStatus,
  documented: ErrorBodies[string] = {},
): number {
  if (status !== 400 || Object.hasOwn(documented, "400") || Object.hasOwn(shared, "400")) return status;
  if (Object.hasOwn(shared, "422")) return 422;
  return bodyFor(400, documented) === undefined && Object.hasOwn(documented, "422") ? 422 : status;
}

/** The body that every operation with one documents for a status, for requests of no operation. Empty if they differ. */
export function commonErrorBody(status: number, bodies: ErrorBodies): ErrorBodies[string] {
  const found = new Map(
    Object.values(bodies).flatMap((documented) => {
      const each = bodyFor(status, documented);
      return each === undefined ? [] : [[JSON.stringify(each), each] as const];
    }),
  );
  const [body] = found.values();
  return body === undefined || found.size > 1 ? {} : { default: body };
}

function bodyFor(status: number, documented: ErrorBodies[string]): ErrorBody | null | undefined {
  const keys = [String(status), `${Math.floor(status / 100)}XX`, "default"];
  const key = keys.find((each) => Object.hasOwn(documented, each));
  return key === undefined ? undefined : documented[key];
}

function problemDetails({ status, errors }: Pick<UnformattedError, "status" | "errors">): FilledErrorBody {
  const detail = errors.map(withField).join("; ");
  return {
    status,
    mediaType: "application/problem+json",
    body: { type: "about:blank", title: statusPhrases[status] ?? "Error", status, detail, errors },
  };
}
