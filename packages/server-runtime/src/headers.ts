import { hasOwn, isList, type PublicFault } from "@plumbline/validator-runtime";

/** A header of a reply that a handler may give. */
export interface HeaderRule {
  /** As it is written. */
  readonly name: string;
  readonly required?: true;
}

/** By operation and status; those that the server sets itself are not among them. */
export type ReplyHeaders = Readonly<Record<string, Readonly<Record<string, readonly HeaderRule[]>>>>;

/** The described headers of a reply as texts, in the style `simple`. Others do not leave. */
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

// RFC 9110: visible characters of Latin 1, and blanks between them. A line end would begin another header.
const isFieldValue = /^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/;

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Date) return value.toUTCString();
  const parts = isList(value) ? value : Object.entries(value).flat();
  return parts.map((each) => textOf(each) ?? "").join(",");
}
