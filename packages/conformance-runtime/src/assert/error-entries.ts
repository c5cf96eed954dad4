import { mediaTypeEssence } from "@plumbline/server-runtime/validator";
import type { DecodedResponse } from "../http/decode-response.js";
import type { Difference } from "../results.js";
import type { Json } from "../suite.js";
import { formatJson, isJsonArray, isJsonObject, type JsonObject } from "../values/json.js";
import { summarizeValue } from "./describe-schema.js";

/** One entry of an error, whatever the form of its body. */
export interface ErrorEntry {
  /** The dotted path of a field, or the name of a parameter. */
  readonly field: Json | undefined;
  readonly reason: Json | undefined;
}

/** The members of an entry that have its field and its reason. */
export interface EntryMembers {
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
  const members = { field: "field", reason: "reason" };
  const entries = errorsOf(body).map(({ field, reason }) => ({ field, reason }));
  if (entries.length > 0) return { entries, members, wrong: [] };
  const expected = "an array of errors";
  return { entries, members, wrong: [bodyDifference("/errors", { kind: "missing", expected, received: "no errors" })] };
}

/** Reads the entries of problem details (RFC 9457). A problem without entries is one itself. */
export function readProblemEntries({ body, headers, status }: DecodedResponse): ErrorEntries {
  const members = { field: "pointer", reason: "detail" };
  const type = headers["content-type"];
  if (mediaTypeEssence(type ?? "") !== "application/problem+json") {
    const facts = {
      kind: "different",
      expected: "application/problem+json",
      received: type ?? "no content-type",
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
  if (body["status"] !== undefined && body["status"] !== status) {
    const facts = { kind: "different", expected: String(status), received: formatJson(body["status"]) } as const;
    return { entries, members, wrong: [bodyDifference("/status", facts)] };
  }
  if (typeof itself.reason === "string") return { entries, members, wrong: [] };
  const expected = "a detail or a title";
  return { entries, members, wrong: [bodyDifference("/detail", { kind: "missing", expected, received: "neither" })] };
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
