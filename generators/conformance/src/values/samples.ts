import type { Template } from "@plumbline/conformance-runtime";
import {
  isJsonArray,
  isJsonObject,
  type Json,
  maxTestedItems,
  maxTestedLength,
  type MediaTypeObject,
  type Schema,
  schemaParts,
  sizeLimits,
} from "@plumbline/model";
import type { ConformanceContext } from "../context/context.js";
import { validateTemplate } from "./template-validation.js";
import { matchesPattern } from "@plumbline/model";
import { patternSamples } from "@plumbline/codegen/patterns";
import { unconditionalLayers } from "./schema-layers.js";
import { uniqueNumber, uniqueText } from "./unique-samples.js";

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
  const isUnique = parts.some(({ limits = [] }) =>
    limits.some(({ kind, within }) => kind === "unique" && within !== "array"),
  );
  const unique = isUnique ? uniqueSample(context, schema) : undefined;
  if (unique !== undefined) return unique;
  // Examples of third-party descriptions are not always valid.
  const example = first("examples")?.find((each) => isAccepted(context, schema, each));
  if (example !== undefined) return toLiteral(example);
  const known = first("default") ?? first("enum")?.find((each) => each !== null);
  if (known !== undefined) return toLiteral(known);
  const alternatives = first("oneOf");
  const [choice] = alternatives ?? first("anyOf") ?? [];
  const types = typesOf(parts);
  if (types.includes("object") || parts.some(({ properties }) => properties !== undefined)) {
    const sample = objectOf(context, choice === undefined ? parts : partsOfChoice(context, schema, choice), depth);
    return alternatives === undefined || depth > 3
      ? sample
      : unambiguousSample(context, schema, { alternatives, sample, depth });
  }
  if (choice !== undefined && depth < 12) return schemaSample(context, choice, depth + 1);
  if (types.includes("array")) {
    const items = first("items");
    const { least = 0 } = sizeLimits("items", parts);
    return items === undefined || depth > 12 || least === 0
      ? []
      : repeat(schemaSample(context, items, depth + 1), least);
  }
  if (types.includes("integer") || types.includes("number")) return numberOf(parts);
  if (types.includes("boolean")) return true;
  if (types.includes("string") || types.length === 0) return textOf(parts);
  return null;
}

/** A new value for each use. Undefined for a value that is neither a text nor a whole number. */
export function uniqueSample(context: ConformanceContext, schema: Schema): Template | undefined {
  const parts = schemaParts(context.api, schema);
  const types = typesOf(parts);
  if (types.includes("integer")) return uniqueNumber(sizeLimits("number", parts).most);
  if (!types.includes("string")) return undefined;
  const { least = 0, most = Infinity } = sizeLimits("characters", parts);
  return uniqueText({
    format: parts.find((part) => part.format !== undefined)?.format,
    expression: parts.find((part) => part.pattern !== undefined)?.pattern,
    least,
    most,
    isValid: (text) => validateTemplate(context, schema, text, "validated").length === 0,
  });
}

/** A list of one item, or an empty one where the list is too large to be built: lists of lists multiply their lengths. */
function repeat(item: Template, count: number): Template {
  const isTestable = count <= maxTestedItems && count * JSON.stringify(item).length <= maxTestedLength;
  return isTestable ? Array.from({ length: count }, () => item) : [];
}

/** A sample of a body: its example if it is valid, else the smallest value. */
export function bodySample(context: ConformanceContext, { schema, example }: MediaTypeObject): Template {
  return example !== undefined && isAccepted(context, schema, example)
    ? toLiteral(example)
    : schemaSample(context, schema);
}

/** A value that exactly one branch accepts: the sample, else that of another branch, also with its optional properties. */
function unambiguousSample(
  context: ConformanceContext,
  schema: Schema,
  {
    alternatives,
    sample,
    depth,
  }: { readonly alternatives: readonly Schema[]; readonly sample: Template; readonly depth: number },
): Template {
  const isValid = (value: Template): boolean => validateTemplate(context, schema, value, "validated").length === 0;
  if (isValid(sample)) return sample;
  for (const alternative of alternatives) {
    const parts = partsOfChoice(context, schema, alternative);
    const found = [objectOf(context, parts, depth), objectOf(context, parts, depth, Infinity)].find(isValid);
    if (found !== undefined) return found;
  }
  return sample;
}

/** The value of a parameter. An empty array or object would not be sent. */
export function parameterSample(context: ConformanceContext, schema: Schema): Template {
  const sample = schemaSample(context, schema);
  const parts = schemaParts(context.api, schema);
  if (isJsonArray(sample) && sample.length === 0) {
    const items = parts.find((part) => part.items !== undefined)?.items;
    return [items === undefined ? "text" : schemaSample(context, items)];
  }
  const isEmpty = isJsonObject(sample) && Object.keys(sample).length === 0;
  return isEmpty ? objectOf(context, parts, 0, 1) : sample;
}

/** The schemas of a value of one branch. */
function partsOfChoice(context: ConformanceContext, schema: Schema, choice: Schema): readonly Schema[] {
  return [...unconditionalLayers(context, schema), ...schemaParts(context.api, choice)];
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

/** @param fewest - The number of properties, where the schema has that many. Default: what it requires. */
function objectOf(context: ConformanceContext, parts: readonly Schema[], depth: number, fewest = 0): Template {
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
  // A body of an update may need a field, whichever.
  const { least = 0 } = sizeLimits("properties", parts);
  const open = properties.filter(({ name, readOnly }) => !required.has(name) && !readOnly);
  const more = [...new Map(open.map((each) => [each.name, each] as const)).values()]
    .slice(0, Math.max(Math.max(least, fewest) - entries.length, 0))
    .map(({ name, schema }) => [name, schemaSample(context, schema, depth + 1)] as const);
  return Object.fromEntries([...entries, ...more]);
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
  const { least: stated = 0, most = Infinity } = sizeLimits("characters", parts);
  const least = stated > maxTestedLength ? 0 : stated; // no text is valid that can be built
  const patterns = parts.flatMap((part) => part.pattern ?? []);
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
    text.length >= least && text.length <= most && patterns.every((each) => matchesPattern(each, text));
  const fitting = (): string | undefined =>
    patterns.flatMap((each) => patternSamples(each, { least, most })).find(isRight);
  return candidates.find(isRight) ?? fitting() ?? "text".padEnd(least, "x").slice(0, most);
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
