import type { Json } from "../suite.js";
import { formatJson, isJsonArray, isJsonObject, isObject } from "../values/json.js";
import { measureLimited, parseLimitKeyword } from "./limit-keywords.js";

/** Longer values are summarized. */
const maxCharacters = 60;

/** Describes a value in a few words: `"running"`, `3 items`, `an object with id 5`. */
export function summarizeValue(value: Json | undefined): string {
  if (value === undefined) return "no value";
  if (typeof value === "string" && value.length > maxCharacters)
    return `${formatJson(`${value.slice(0, maxCharacters)}…`)} (${value.length.toLocaleString("en-US")} characters)`;
  const text = formatJson(value);
  if (text.length <= maxCharacters) return text;
  if (isJsonArray(value)) return countItems(value.length);
  if (!isJsonObject(value)) return text;
  const { id } = value;
  if (typeof id === "number" || (typeof id === "string" && id.length <= maxCharacters))
    return `an object with id ${formatJson(id)}`;
  return `an object with ${Object.keys(value).length} fields`;
}

/** `1 item`, `3 items`. */
export function countItems(count: number): string {
  return `${count} ${count === 1 ? "item" : "items"}`;
}

/** Describes in a few words which values match a JSON Schema: `"running"`, `at most 64 characters`, `an item with id 5`. */
export function describeSchema(schema: unknown): string {
  if (schema === false) return "no value";
  if (!isObject(schema)) return "any value";
  const phrases = Object.entries(schema).flatMap(([keyword, rule]) => phraseOf(keyword, rule));
  if (phrases.length > 0) return phrases.join(" and ");
  const fields = describeFields(schema);
  if (fields !== undefined) return `an object ${fields}`;
  return typeof schema["type"] === "string" || Array.isArray(schema["type"])
    ? describeType(schema["type"])
    : "any value";
}

/** Describes which fields an object has: `with id 5 and label "x"`. Undefined when the schema says nothing of fields. */
export function describeFields(schema: Schema): string | undefined {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = listOf(schema["required"]).filter((each) => typeof each === "string");
  const fields = Object.entries(properties).map(([name, each]) =>
    isObject(each) && "const" in each
      ? `${name} ${summarizeValue(each["const"] as Json)}`
      : `${name}: ${describeSchema(each)}`,
  );
  const others = required.filter((name) => !Object.hasOwn(properties, name)).map((name) => `a ${name}`);
  const all = [...fields, ...others];
  return all.length === 0 ? undefined : `with ${all.join(" and ")}`;
}

type Schema = Readonly<Record<string, unknown>>;

function phraseOf(keyword: string, rule: unknown): readonly string[] {
  const describe = Object.hasOwn(phrases, keyword) ? phrases[keyword] : undefined;
  if (describe !== undefined) return [describe(rule)];
  const limit = describeLimit(keyword, rule);
  return limit === undefined ? [] : [limit];
}

const phrases: Readonly<Record<string, (rule: unknown) => string>> = {
  const: (rule) => summarizeValue(rule as Json),
  enum: (rule) => describeChoice(listOf(rule).map((each) => summarizeValue(each as Json))),
  $ref: (rule) => `a valid ${String(rule).split("/").at(-1) ?? ""}`,
  pattern: (rule) => `a string that matches ${String(rule)}`,
  format: (rule) => `a valid ${String(rule)}`,
  not: (rule) => `not ${describeSchema(rule)}`,
  contains: (rule) => describeItem(rule),
  items: (rule) => `only items that are ${describeSchema(rule)}`,
  prefixItems: (rule) => `[${listOf(rule).map(describeSchema).join(", ")}]`,
  allOf: (rule) => listOf(rule).map(describeSchema).join(" and "),
  anyOf: (rule) => listOf(rule).map(describeSchema).join(" or "),
  oneOf: (rule) => listOf(rule).map(describeSchema).join(" or "),
};

/** `"a"`, `one of "a", "b"`. */
function describeChoice(values: readonly string[]): string {
  return values.length === 1 ? (values[0] ?? "") : `one of ${values.join(", ")}`;
}

/** `an item with id 5`, `an item "a"`. */
export function describeItem(schema: unknown): string {
  if (!isObject(schema)) return "an item";
  const parts = [schema, ...listOf(schema["allOf"]).filter(isObject)];
  const fields = parts.map(describeFields).filter((each) => each !== undefined);
  return fields.length > 0 ? `an item ${fields.join(" and ")}` : `an item ${describeSchema(schema)}`;
}

/** Describes a limit, such as `at most 64 characters`. Undefined for another keyword. */
export function describeLimit(keyword: string, limit: unknown): string | undefined {
  const parsed = parseLimitKeyword(keyword);
  if (parsed === undefined) return undefined;
  const { isLower, isExclusive, unit } = parsed;
  const comparison = isExclusive ? (isLower ? "more than" : "less than") : isLower ? "at least" : "at most";
  return `${comparison} ${String(limit)}${unit === undefined ? "" : ` ${unit}`}`;
}

/** Counts what a limit counts: `70 characters`. Undefined for a limit of a number. */
export function countLimited(keyword: string, value: Json | undefined): string | undefined {
  const parsed = parseLimitKeyword(keyword);
  const measured = parsed?.unit === undefined ? undefined : measureLimited(parsed, value);
  if (parsed?.unit === undefined || measured === undefined) return undefined;
  return parsed.unit === "items" ? countItems(measured) : `${measured} ${parsed.unit}`;
}

/** `an integer`, `a string or null`. */
export function describeType(type: unknown): string {
  const names: Readonly<Record<string, string>> = {
    array: "an array",
    boolean: "a boolean",
    integer: "an integer",
    number: "a number",
    object: "an object",
    string: "a string",
  };
  return [type]
    .flat()
    .map((each) => names[String(each)] ?? String(each))
    .join(" or ");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
