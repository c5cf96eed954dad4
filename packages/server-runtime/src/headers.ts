import { hasOwn, isList, type PublicFault } from "@plumbline/validator-runtime";

/** A response header that a handler may set. */
export interface HeaderRule {
  /** The name in the case in which it is sent. */
  readonly name: string;
  readonly required?: true;
}

/** Response headers by operation and status, without those that the server sets itself. */
export type ReplyHeaders = Readonly<Record<string, Readonly<Record<string, readonly HeaderRule[]>>>>;

/** Serializes the documented headers of a response in the style `simple`. Undocumented ones are dropped. */
export function writeHeaders(
  given: Readonly<Record<string, unknown>> | undefined,
  rules: readonly HeaderRule[],
): { readonly headers: Readonly<Record<string, string>>; readonly faults: readonly PublicFault[] } {
  if (rules.length === 0) return none;
  const headers: Record<string, string> = {};
  const faults: PublicFault[] = [];
  for (const { name, required } of rules) {
    const value = given !== undefined && hasOwn(given, name) ? given[name] : undefined;
    const text = textOf(value);
    if (text === undefined && required)
      faults.push({ in: "reply", field: name, code: "required", reason: "is required" });
    else if (text !== undefined && !isFieldValue.test(text))
      faults.push({ in: "reply", field: name, code: "format", reason: "has characters that a header cannot have" });
    else if (text !== undefined) headers[name] = text;
  }
  return { headers, faults };
}

const none: ReturnType<typeof writeHeaders> = { headers: {}, faults: [] };

// RFC 9110: visible characters of Latin 1, and spaces between them. A line break would start another header.
const isFieldValue = /^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/;

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Date) return value.toUTCString();
  const parts = isList(value) ? value : Object.entries(value).flat();
  return parts.map((each) => textOf(each) ?? "").join(",");
}
