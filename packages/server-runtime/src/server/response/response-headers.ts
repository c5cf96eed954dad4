import { hasOwn, isArray, safeAssign, type ValidationIssue } from "../../http/index.js";

/** A response header that a handler may set. */
export interface HeaderRule {
  /** The name in the case in which it is sent. */
  readonly name: string;
  // Not `true`: operations called `constructor` or `toString` have no contextual type in the table of all.
  readonly required?: boolean;
}

/** Response headers by operation and status, without those that the server sets itself. */
export type ResponseHeaders = Readonly<Record<string, Readonly<Record<string, readonly HeaderRule[]>>>>;

/** Serializes the documented headers of a response in the style `simple`. Undocumented ones are dropped. */
export function serializeHeaders(
  sent: Readonly<Record<string, unknown>> | undefined,
  rules: readonly HeaderRule[],
): { readonly headers: Readonly<Record<string, string>>; readonly issues: readonly ValidationIssue[] } {
  if (rules.length === 0) return noHeaders;
  const headers: Record<string, string> = {};
  const issues: ValidationIssue[] = [];
  for (const { name, required } of rules) {
    const value = sent !== undefined && hasOwn(sent, name) ? sent[name] : undefined;
    const text = serializeHeader(value);
    if (text === undefined && required)
      issues.push({ in: "response", field: name, code: "required", reason: "is required" });
    else if (text !== undefined && !isFieldValue.test(text))
      issues.push({ in: "response", field: name, code: "format", reason: "has characters that a header cannot have" });
    else if (text !== undefined) safeAssign(headers, name, text);
  }
  return { headers, issues };
}

const noHeaders: ReturnType<typeof serializeHeaders> = { headers: {}, issues: [] };

// RFC 9110: visible characters of Latin 1, and spaces between them. A line break would start another header.
const isFieldValue = /^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/;

function serializeHeader(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Date) return value.toUTCString();
  const parts = isArray(value) ? value : Object.entries(value).flat();
  return parts.map((each) => serializeHeader(each) ?? "").join(",");
}
