import { mediaTypeEssence } from "@plumbline/server-runtime/validator";
import type { DecodedResponse } from "../http/decode-response.js";
import type { Difference } from "../results.js";
import type { ErrorFormat, Json } from "../suite.js";
import { formatJson, isJsonArray, isJsonObject, toText, type JsonObject } from "../values/json.js";
import { summarizeValue } from "./describe-schema.js";

/** One entry of an error, whatever the form of its body. */
export interface ErrorEntry {
  /** The dotted path of a field, or the name of a parameter. */
  readonly field: Json | undefined;
  readonly reason: Json | undefined;
}

/** The entries of a body, and the members of an entry that have its field and its reason, as JSON Pointers without the first slash. */
export interface EntryMembers {
  /** `/errors`. Absent: the body itself is the entry. */
  readonly entries?: string;
  readonly field: string;
  readonly reason: string;
}

export interface ErrorEntries {
  readonly entries: readonly ErrorEntry[];
  readonly members: EntryMembers;
  /** What is wrong with the form of the body. */
  readonly wrong: readonly Difference[];
}

/** Reads the entries of `{"errors": [{"field", "reason"}]}`. */
export function readErrorEntries({ body }: DecodedResponse): ErrorEntries {
  const members = { entries: "/errors", field: "field", reason: "reason" };
  const entries = errorsOf(body).map(({ field, reason }) => ({ field, reason }));
  if (entries.length > 0) return { entries, members, wrong: [] };
  const expected = "an array of errors";
  return { entries, members, wrong: [bodyDifference("/errors", { kind: "missing", expected, received: "no errors" })] };
}

/** Reads the entries of a body of the documented form. */
export function readDocumentedEntries(
  { body }: DecodedResponse,
  { entries: list, field, reason }: ErrorFormat,
): ErrorEntries {
  const members = {
    ...(list === undefined ? {} : { entries: list.map((name) => `/${name}`).join("") }),
    field: (field ?? ["field"]).join("/"),
    reason: reason.join("/"),
  };
  const found = list === undefined ? [body] : memberAt(body, list);
  const entries = (Array.isArray(found) ? (found as readonly Json[]) : []).map((entry) => ({
    field: field === undefined ? undefined : namedField(memberAt(entry, field)),
    reason: memberAt(entry, reason),
  }));
  if (entries.length > 0) return { entries, members, wrong: [] };
  const facts = { kind: "missing", expected: "an array of errors", received: "no errors" } as const;
  return { entries, members, wrong: [bodyDifference(members.entries ?? "", facts)] };
}

function memberAt(value: Json, names: readonly string[]): Json | undefined {
  return names.reduce<Json | undefined>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value);
}

/** A field as a dotted path, from a text, a JSON Pointer, or segments after the part of the request: `["body", "disks", 0]`. */
function namedField(value: Json | undefined): Json | undefined {
  if (isJsonArray(value)) return value.length < 2 ? undefined : value.slice(1).map(toText).join(".");
  if (typeof value !== "string" || value === "") return undefined;
  return /^#?\//.test(value) ? fieldOf({ pointer: value }) : value;
}

/** Reads the entries of problem details (RFC 9457). A problem without entries is one itself. */
export function readProblemEntries({ body, headers, status }: DecodedResponse, type?: string): ErrorEntries {
  const members = { entries: "/errors", field: "pointer", reason: "detail" };
  const mediaType = headers["content-type"];
  if (mediaTypeEssence(mediaType ?? "") !== "application/problem+json") {
    const facts = {
      kind: "different",
      expected: "application/problem+json",
      received: mediaType ?? "no content-type",
    } as const;
    return { entries: [], members, wrong: [{ part: "media-type", at: "", ...facts }] };
  }
  if (!isJsonObject(body)) {
    const received = summarizeValue(body);
    const wrong = bodyDifference("", { kind: "different", expected: "problem details", received });
    return { entries: [], members, wrong: [wrong] };
  }
  const found = errorsOf(body).map((entry) => ({ field: fieldOf(entry), reason: entry["detail"] }));
  const itself = { field: undefined, reason: body["detail"] ?? body["title"] };
  const entries = found.length > 0 ? found : [itself];
  const wrong = [
    ...(body["status"] === undefined ? [] : differencesOf(body, "status", status)),
    ...(type === undefined ? [] : differencesOf(body, "type", type)),
  ];
  if (wrong.length > 0) return { entries, members, wrong };
  if (typeof itself.reason === "string") return { entries, members, wrong: [] };
  const expected = "a detail or a title";
  return { entries, members, wrong: [bodyDifference("/detail", { kind: "missing", expected, received: "neither" })] };
}

function differencesOf(body: JsonObject, name: string, expected: string | number): readonly Difference[] {
  if (body[name] === expected) return [];
  const received = formatJson(body[name] ?? null);
  return [bodyDifference(`/${name}`, { kind: "different", expected: String(expected), received })];
}

function errorsOf(body: Json): readonly JsonObject[] {
  return isJsonObject(body) && isJsonArray(body["errors"]) ? body["errors"].filter(isJsonObject) : [];
}

/** The location of an entry: a parameter, a header, or a pointer into the body as a dotted path. */
function fieldOf({ pointer, parameter, header }: JsonObject): Json | undefined {
  if (typeof pointer !== "string") return parameter ?? header;
  const segments = decodeFragment(pointer.replace(/^#/, "")).split("/").slice(1);
  return segments.length === 0
    ? undefined
    : segments.map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
}

function decodeFragment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function bodyDifference(at: string, facts: Pick<Difference, "kind" | "expected" | "received">): Difference {
  return { part: "body", at, ...facts };
}
