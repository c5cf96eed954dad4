import { isDeepStrictEqual } from "node:util";
import { isJsonObject, isJsonArray } from "../values/json.js";
import type { Json } from "../suite.js";

/**
 * A fast path: true when a value matches a schema of simple keywords. Cases use each schema once, and most match: compiling each would take
 * longer than the request. False means that the value does not match, or that the schema has other keywords.
 */
export function matchesPlainSchema(schema: Json, value: Json): boolean {
  if (typeof schema === "boolean") return schema;
  if (!isJsonObject(schema)) return false;
  return Object.entries(schema).every(([word, rule]) => {
    const holds = Object.hasOwn(plainKeywords, word) ? plainKeywords[word] : undefined;
    return holds !== undefined && holds(rule, value);
  });
}

const plainKeywords: Readonly<Record<string, (rule: Json, value: Json) => boolean>> = {
  const: (rule, value) => isDeepStrictEqual(rule, value),
  enum: (rule, value) => isJsonArray(rule) && rule.some((each) => isDeepStrictEqual(each, value)),
  type: (rule, value) =>
    (isJsonArray(rule) ? rule : [rule]).some(
      (each) => each === typeOf(value) || (each === "integer" && Number.isInteger(value)),
    ),
  required: (rule, value) =>
    !isJsonObject(value) ||
    (isJsonArray(rule) && rule.every((each) => typeof each === "string" && Object.hasOwn(value, each))),
  properties: (rule, value) =>
    !isJsonObject(value) ||
    (isJsonObject(rule) &&
      Object.entries(rule).every(
        ([name, each]) => !Object.hasOwn(value, name) || matchesPlainSchema(each, value[name] ?? null),
      )),
  items: (rule, value) => !isJsonArray(value) || value.every((each) => matchesPlainSchema(rule, each)),
  contains: (rule, value) => !isJsonArray(value) || value.some((each) => matchesPlainSchema(rule, each)),
  minItems: (rule, value) => !isJsonArray(value) || value.length >= Number(rule),
  maxItems: (rule, value) => !isJsonArray(value) || value.length <= Number(rule),
  minimum: (rule, value) => typeof value !== "number" || value >= Number(rule),
  maximum: (rule, value) => typeof value !== "number" || value <= Number(rule),
  allOf: (rule, value) => isJsonArray(rule) && rule.every((each) => matchesPlainSchema(each, value)),
  anyOf: (rule, value) => isJsonArray(rule) && rule.some((each) => matchesPlainSchema(each, value)),
};

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (isJsonArray(value)) return "array";
  return typeof value;
}
