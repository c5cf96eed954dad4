import {
  type Api,
  assertions,
  endSentence,
  type Json,
  listKeywords,
  type Parameter,
  type Schema,
  schemasByName,
} from "@plumbline/kit/model";
import { firstSentences, shortProse } from "./prose.js";

/** A JSON Schema as data. */
export type JsonSchema = Readonly<Record<string, Json>>;

/** Characters of the description of an argument, and of a property in a body. */
const maxArgumentText = 120;
const maxPropertyText = 100;

/** Bytes of the schema of an argument beyond which its deepest values have only their type. Models read the schema in every conversation. */
const maxSchemaBytes = 16_000;
/** No schema of fewer bytes has more parts. */
const maxParts = maxSchemaBytes / 16;

/**
 * Converts a schema of a request to JSON Schema 2020-12 for models. It has no references, which some clients do not resolve, no conditional keywords, which
 * some reject, and short descriptions. What it leaves out, the API checks. A schema that contains itself is open at its second occurrence, and a large one
 * at its deepest values.
 */
export function inputSchema(api: Api, schema: Schema, description?: string): JsonSchema {
  const converted = convertWithinBytes(schema, api);
  return withDescription(converted, firstSentences(description ?? schema.description ?? "", maxArgumentText));
}

/** Adds one level after the other, so that the work is bounded, too: some schemas have millions of values without references. */
function convertWithinBytes(schema: Schema, api: Api): JsonSchema {
  let result: JsonSchema = convertTypes(schema);
  for (let depth = 1; ; depth++) {
    const cut = { parts: 0, isCut: false };
    const converted = convert(schema, { api, within: [], depth, cut });
    // The first level has all its fields.
    const isTooLarge = cut.parts > maxParts || (depth > 1 && JSON.stringify(converted).length > maxSchemaBytes);
    if (isTooLarge) return result;
    if (!cut.isCut) return converted;
    result = converted;
  }
}

/** Bytes of the schema of a parameter, and characters of the description in place of a larger one. */
const maxParameterBytes = 600;
const maxSyntaxText = 330;

/** Converts the schema of a parameter. A language of its own, such as that of filters, is explained by its description, which is shorter. */
export function parameterSchema(
  api: Api,
  { schema, description }: Pick<Parameter, "schema" | "description">,
): JsonSchema {
  const converted = inputSchema(api, schema, description);
  if (JSON.stringify(converted).length <= maxParameterBytes) return converted;
  const { type } = converted;
  return {
    ...(type === undefined ? {} : { type }),
    description: shortProse(description ?? schema.description ?? "", maxSyntaxText),
  };
}

interface Conversion {
  readonly api: Api;
  /** The names of the schemas around this one. */
  readonly within: readonly string[];
  /** The levels of values that are left. */
  readonly depth: number;
  /** The parts of the schema so far, and whether any of them is left out. */
  readonly cut: { parts: number; isCut: boolean };
}

function convert(schema: Schema, conversion: Conversion): JsonSchema {
  if (schema.never) return { not: {} };
  const keywords = convertKeywords(schema, conversion);
  if (schema.ref === undefined) return keywords;
  const target = schemasByName(conversion.api).get(schema.ref);
  if (target === undefined) return keywords;
  if (conversion.within.includes(schema.ref)) return { ...convertTypes(target), ...keywords };
  const referenced = convert(target, { ...conversion, within: [...conversion.within, schema.ref] });
  const isOverride = Object.keys(keywords).every(
    (key) => key === "description" || key === "default" || !(key in referenced),
  );
  return isOverride ? { ...referenced, ...keywords } : { allOf: [referenced, keywords] };
}

function convertTypes({ types }: Schema): JsonSchema {
  if (types.length === 0) return {};
  return { type: types.length === 1 ? (types[0] ?? "object") : types };
}

function convertKeywords(schema: Schema, conversion: Conversion): JsonSchema {
  const { properties, required = [], items, additionalProperties, patternProperties } = schema;
  const converted: Record<string, Json> = { ...convertTypes(schema) };
  const text = firstSentences(schema.description ?? "", maxPropertyText);
  const hasValues =
    [properties, items, patternProperties].some((each) => each !== undefined) ||
    (additionalProperties !== undefined && additionalProperties.never !== true);
  const isCut = (hasValues && conversion.depth === 0) || ++conversion.cut.parts > maxParts;
  if (isCut) conversion.cut.isCut = true;
  const description = isCut ? `${endSentence(text)} ${cutNote}`.trim() : text;
  if (description !== "") converted["description"] = description;
  if (isCut) return converted;
  const inner = { ...conversion, depth: conversion.depth - 1 };
  if (schema.default !== undefined) converted["default"] = schema.default;
  for (const { name } of assertions) {
    const value = schema[name];
    if (value !== undefined && !isNoise(name, value, conversion.api)) converted[name] = value;
  }
  for (const keyword of listKeywords) {
    const value = schema[keyword];
    if (value === undefined) continue;
    const parts = value.map((each) => convert(each, conversion));
    // What distinguishes alternatives may be left out, so that a value matches several of them.
    if (keyword !== "oneOf") converted[keyword] = parts;
    else if (schema.anyOf === undefined) converted["anyOf"] = parts;
    else converted["allOf"] = [...[converted["allOf"] ?? []].flat(), { anyOf: parts }];
  }
  if (items !== undefined) converted["items"] = convert(items, inner);
  const keys = Object.entries(patternProperties ?? {});
  const patterns = keys.filter(([pattern]) => isPortablePattern(pattern, conversion.api));
  if (patterns.length > 0)
    converted["patternProperties"] = Object.fromEntries(
      patterns.map(([pattern, each]) => [pattern, convert(each, inner)] as const),
    );
  // Where patterns are left out, it would apply to their keys, too.
  const additional = patterns.length < keys.length ? undefined : additionalProperties;
  // Some clients reject a schema that is true or false, where JSON Schema allows one. All know `additionalProperties: false`.
  if (additional?.never) converted["additionalProperties"] = false;
  else if (additional !== undefined) {
    const values = convert(additional, inner);
    if (Object.keys(values).length > 0) converted["additionalProperties"] = values;
  }
  const sent = properties?.filter((property) => property.schema.never !== true);
  if (sent !== undefined)
    converted["properties"] = Object.fromEntries(sent.map((each) => [each.name, convert(each.schema, inner)]));
  const stated = (properties ?? []).filter((each) => each.required).map(({ name }) => name);
  const needed = [...new Set([...required, ...stated])];
  if (needed.length > 0) converted["required"] = needed;
  return converted;
}

const cutNote = "Its contents are left out here.";

/** Keywords that help no model, or that clients reject: formats of numbers, and patterns that other languages cannot evaluate. */
function isNoise(keyword: string, value: unknown, api: Api): boolean {
  if (keyword === "format") return /^(int\d+|float|double|binary|byte|password)$/.test(String(value));
  // They belong to `contains`, which is left out.
  if (keyword.endsWith("Contains")) return true;
  return keyword === "pattern" && !isPortablePattern(String(value), api);
}

/** Patterns that validators in other languages evaluate, too, and that no text of a model makes slow. */
function isPortablePattern(pattern: string, { slowPatterns = [] }: Api): boolean {
  if (slowPatterns.some((each) => each.pattern === pattern)) return false;
  return pattern.length <= 80 && !/\(\?|\\[pPu]|\[\^?\\?-?\\x/.test(pattern);
}

function withDescription(schema: JsonSchema, description: string): JsonSchema {
  const { description: _own, ...rest } = schema;
  return description === "" ? rest : { ...rest, description };
}
