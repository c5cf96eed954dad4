import type { Template } from "@plumbline/conformance-runtime";
import { isJsonArray, type Json, type MediaTypeObject, type Schema, schemaParts, sizeLimits } from "@plumbline/model";
import type { ConformanceContext } from "../context/context.js";
import { validateTemplate } from "./template-validation.js";
import { matchesPattern } from "@plumbline/model";

/**
 * The smallest value of a schema: required fields only, an example or default if there is one, else the minimum of the bounds. A unique
 * field is a template.
 */
export function schemaSample(context: ConformanceContext, schema: Schema, depth = 0): Template {
  const parts = schemaParts(context.api, schema);
  const first = <Key extends keyof Schema>(key: Key): Schema[Key] | undefined =>
    parts.find((part) => part[key] !== undefined)?.[key];
  const constant = first("const");
  if (constant !== undefined) return toLiteral(constant);
  const isUnique = parts.some(({ limits = [] }) => limits.some(({ kind }) => kind === "unique"));
  if (isUnique && typesOf(parts).includes("string"))
    return { $unique: /domain|host/.test(String(first("format"))) ? "domain" : "label" };
  // Examples of third-party descriptions are not always valid.
  const example = first("examples")?.find((each) => isAccepted(context, schema, each));
  if (example !== undefined) return toLiteral(example);
  const known = first("default") ?? first("enum")?.find((each) => each !== null);
  if (known !== undefined) return toLiteral(known);
  const [choice] = first("oneOf") ?? first("anyOf") ?? [];
  const types = typesOf(parts);
  if (types.includes("object") || parts.some(({ properties }) => properties !== undefined))
    return objectOf(context, choice === undefined ? parts : [...parts, ...schemaParts(context.api, choice)], depth);
  if (choice !== undefined && depth < 12) return schemaSample(context, choice, depth + 1);
  if (types.includes("array")) {
    const items = first("items");
    const { least = 0 } = sizeLimits("items", parts);
    return items === undefined || depth > 12
      ? []
      : Array.from({ length: least }, () => schemaSample(context, items, depth + 1));
  }
  if (types.includes("integer") || types.includes("number")) return numberOf(parts);
  if (types.includes("boolean")) return true;
  if (types.includes("string") || types.length === 0) return textOf(parts);
  return null;
}

/** A sample of a body: its example if it is valid, else the smallest value. */
export function bodySample(context: ConformanceContext, { schema, example }: MediaTypeObject): Template {
  return example !== undefined && isAccepted(context, schema, example)
    ? toLiteral(example)
    : schemaSample(context, schema);
}

function isAccepted(context: ConformanceContext, schema: Schema, value: Json): boolean {
  return validateTemplate(context, schema, toLiteral(value), "validated").length === 0;
}

/** A literal value, with any keys. */
export function toLiteral(value: Json): Template {
  return hasDollarKey(value) ? { $literal: value } : value;
}

function hasDollarKey(value: Json): boolean {
  if (value === null || typeof value !== "object") return false;
  if (isJsonArray(value)) return value.some(hasDollarKey);
  const keys = Object.keys(value);
  return (keys.length === 1 && keys[0]?.startsWith("$") === true) || Object.values(value).some(hasDollarKey);
}

function objectOf(context: ConformanceContext, parts: readonly Schema[], depth: number): Template {
  if (depth > 12) return {};
  const required = new Set(
    parts.flatMap((part) => [
      ...(part.required ?? []),
      ...(part.properties ?? []).filter((each) => each.required).map(({ name }) => name),
    ]),
  );
  const properties = parts.flatMap((part) => part.properties ?? []);
  const entries = [...required].flatMap((name) => {
    const property = properties.find((each) => each.name === name);
    if (property?.readOnly) return [];
    return [[name, property === undefined ? "text" : schemaSample(context, property.schema, depth + 1)] as const];
  });
  return Object.fromEntries(entries);
}

function numberOf(parts: readonly Schema[]): number {
  const stated = sizeLimits("number", parts);
  const { least: above = -Infinity, most: below = Infinity } = sizeLimits("exclusiveNumber", parts);
  const least = Math.max(stated.least ?? -Infinity, above + 1);
  const most = Math.min(stated.most ?? Infinity, below - 1);
  const step = parts.find(({ multipleOf }) => multipleOf !== undefined)?.multipleOf;
  const wanted = Math.min(Math.max(least, 1), Math.max(most, least));
  return step === undefined ? wanted : Math.ceil(wanted / step) * step;
}

function textOf(parts: readonly Schema[]): Template {
  const format = parts.find((part) => part.format !== undefined)?.format;
  const known = format === undefined ? undefined : formatExamples[format];
  if (known !== undefined) return known;
  const { least = 0, most = Infinity } = sizeLimits("characters", parts);
  const pattern = parts.find((part) => part.pattern !== undefined)?.pattern;
  const candidates = [
    "text",
    "a",
    "1",
    "a1",
    "A1b2",
    "example-1",
    "example.com",
    "2001:db8::1",
    "192.0.2.1",
    "/path",
    "a".repeat(least),
    "1".repeat(least),
  ];
  const isRight = (text: string): boolean =>
    text.length >= least && text.length <= most && (pattern === undefined || matchesPattern(pattern, text));
  return candidates.find(isRight) ?? "text".padEnd(least, "x").slice(0, most);
}

/** An example of each common format. */
export const formatExamples: Readonly<Record<string, string>> = {
  "date-time": "2026-02-28T23:59:59Z",
  date: "2026-02-28",
  time: "23:59:59Z",
  duration: "PT1H",
  email: "someone@example.com",
  hostname: "host.example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/a",
  "uri-reference": "/a",
  uuid: "0f8fad5b-d9cb-469f-a165-70867728950e",
  byte: "AAEC",
  "json-pointer": "/a",
  regex: "^a$",
};

function typesOf(parts: readonly Schema[]): readonly string[] {
  return parts.flatMap(({ types }) => types).filter((type) => type !== "null");
}
