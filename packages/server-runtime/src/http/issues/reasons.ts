import { isArray, isObject } from "../values/json-values.js";
import type { Issue, IssueCode } from "./issues.js";

/** Returns the text for an issue, such as `must be 3 to 64 characters`. */
export function reasonOf(issue: Pick<Issue, "code" | "first" | "second">): string {
  return formatters[issue.code](issue.first as Bound, issue.second as Bound);
}

/** A parameter of a text. Lists are accessed as such. */
type Bound = string | number | undefined;

type Formatter = (first: Bound, second: Bound) => string;

const formatters: Readonly<Record<IssueCode, Formatter>> = {
  type: (type) => `must be ${isArray(type) ? formatAlternatives(type.map(nounOf)) : nounOf(type)}`,
  required: () => "is required",
  dependentRequired: (field) => `is required together with ${field}`,
  unknown: (what = "field") => `is not a known ${what}`,
  propertyNames: () => "is not an allowed name",
  enum: (values) => `must be ${formatAlternatives(formatValues(values))}`,
  const: (value) => `must be ${formatValue(value)}`,
  false: () => "is not allowed",
  length: (min, max) => `must be ${range(min, max, "character")}`,
  lengthOrAbsent: (min, max) => `must be ${range(min, max, "character")}; leave the field out for an empty one`,
  pattern: (pattern) => `must match ${legible(pattern)}`,
  format: (format) => `must be ${formats[String(format)] ?? `of the format ${format}`}`,
  range: (min, max) => `must be ${between(min, max)}`,
  safeInteger: (max = Number.MAX_SAFE_INTEGER) => `must be exactly representable, at most ${max}`,
  exclusiveMinimum: (min) => `must be greater than ${min}`,
  exclusiveMaximum: (max) => `must be less than ${max}`,
  multiple: (of) => `must be a multiple of ${of}`,
  items: (min, max) => `must have ${range(min, max, "item")}`,
  unique: (by) =>
    isArray(by) ? `must not have two items with the same ${by.join(" and ")}` : "must not have two equal items",
  contains: (min, max) => `must have ${range(min, max, "matching item")}`,
  fields: (min, max) => `must have ${range(min, max, "field")}`,
  union: (best) => `must match one of the allowed schemas${nearest(best)}`,
  oneOf: () => "must match only one of the allowed schemas",
  not: (what) => {
    if (isArray(what)) return `must not have ${what.join(" and ")} together`;
    return what === undefined ? "matches a schema that is not allowed" : `must not match ${legible(what)}`;
  },
  bytes: (max, min) => `must be ${range(min, max, "byte")}`,
  combined: (fields, max) => `must be at most ${count(max, "character")}${inFields(fields)} together`,
  serialized: (max) => `must be at most ${count(max, "character")} as JSON`,
  rule: (summary) => String(summary),
  scopes: (all, example) => `must be scopes such as ${example}, or ${all}`,
  syntax: (what) => `must be valid ${what}`,
  duplicateParameter: () => "must appear only once",
  unicode: () => "must be well-formed Unicode",
  depth: (max) => `must not be nested deeper than ${count(max, "level")}`,
  tooManyParameters: (max) => `must have at most ${count(max, "entry")}`,
  tooLong: (max) => `must be at most ${count(max, "byte")}`,
  path: () => "Not found",
  credential: () => "A valid credential is required",
  scope: (scopes) => `The credential lacks a permission${formatScopes(scopes)}`,
  method: (allowed) => `Method not allowed. Use ${formatAlternatives(formatValues(allowed))}`,
  accept: (types) => `Accept must allow ${formatAlternatives(formatValues(types))}`,
  media: (types) => {
    const allowed = formatValues(types);
    return allowed.length === 0 ? "must have no body" : `Content-Type must be ${formatAlternatives(allowed)}`;
  },
  encoding: () => "Content-Encoding is not supported",
  status: (status) => `${status} is not a documented status`,
  size: (max) => `Body must be at most ${count(max, "byte")}`,
};

/** A pattern in which private, unassigned and control characters are escaped: JSON leaves most of them as they are. */
function legible(pattern: Bound): string {
  const escaped = (each: string): string => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`;
  return String(pattern).replace(/[\0-\x1f\x7f-\x9f\ud7fc-\ud7ff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff]/g, escaped);
}

function nounOf(type: unknown): string {
  return nouns[String(type)] ?? String(type);
}

const nouns: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  null: "null",
  file: "a file",
  label: "of the style label, which begins with a dot",
  matrix: "of the style matrix, which begins with a semicolon",
};

const formats: Readonly<Record<string, string>> = {
  "date-time": "a date and time such as 2026-01-31T12:00:00Z",
  date: "a date such as 2026-01-31",
  time: "a time such as 12:00:00Z",
  duration: "a duration such as PT30M",
  email: "an email address",
  "idn-email": "an email address",
  hostname: "a host name",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  uri: "an absolute URL",
  "uri-reference": "a URL",
  uuid: "a UUID",
  "json-pointer": "a JSON pointer",
  regex: "a regular expression",
  byte: "base64",
};

function formatScopes(scopes: unknown): string {
  return isArray(scopes) && scopes.length > 0 ? `: ${formatValues(scopes).join(", ")}` : "";
}

function formatAlternatives(choices: readonly string[]): string {
  if (choices.length < 2) return choices[0] ?? "nothing";
  return `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}

/** Values as text. Of many, the first. */
function formatValues(values: unknown): readonly string[] {
  const all = isArray(values) ? values : [values];
  const first = all.slice(0, 12).map(formatValue);
  return all.length > first.length ? [...first, `${all.length - first.length} more`] : first;
}

function formatValue(value: unknown): string {
  const text = typeof value === "string" && value !== "" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function range(min: Bound, max: Bound, noun: string): string {
  if (min === undefined) return max === 0 ? `no ${noun}s` : `at most ${count(max, noun)}`;
  if (max === undefined) return `at least ${count(min, noun)}`;
  return min === max ? `exactly ${count(min, noun)}` : `${min} to ${count(max, noun)}`;
}

function between(min: Bound, max: Bound): string {
  if (min === undefined) return `at most ${max}`;
  if (max === undefined) return `at least ${min}`;
  return min === max ? String(min) : `${min} to ${max}`;
}

function count(number: Bound, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return noun.endsWith("y") ? `${number} ${noun.slice(0, -1)}ies` : `${number} ${noun}s`;
}

function inFields(fields: unknown): string {
  return fields === undefined ? "" : ` in ${formatValues(fields).join(", ")}`;
}

function nearest(best: unknown): string {
  if (!isObject(best) || !isArray(best["path"])) return "";
  const { path, code, first, second } = best as unknown as Issue;
  return `; for the closest one, ${path.length === 0 ? "it" : path.join(".")} ${reasonOf({ code, first, second })}`;
}
