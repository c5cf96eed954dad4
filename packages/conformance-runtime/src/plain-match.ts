import { isDeepStrictEqual } from "node:util";
import { isFields, isList } from "./json.js";
import type { Json } from "./suite.js";

/**
 * A fast path: true when a value matches a schema of simple keywords. Cases use each schema once, and most match: compiling each would take
 * longer than the request. False means that the value does not match, or that the schema has other keywords.
 */
export function surelyMatches(schema: Json, value: Json): boolean {
  if (typeof schema === "boolean") return schema;
  if (!isFields(schema)) return false;
  return Object.entries(schema).every(([word, rule]) => {
    const holds = Object.hasOwn(words, word) ? words[word] : undefined;
    return holds !== undefined && holds(rule, value);
  });
}

const words: Readonly<Record<string, (rule: Json, value: Json) => boolean>> = {
  const: (rule, value) => isDeepStrictEqual(rule, value),
  enum: (rule, value) => isList(rule) && rule.some((each) => isDeepStrictEqual(each, value)),
  type: (rule, value) =>
    (isList(rule) ? rule : [rule]).some(
      (each) => each === typeOf(value) || (each === "integer" && Number.isInteger(value)),
    ),
  required: (rule, value) =>
    !isFields(value) || (isList(rule) && rule.every((each) => typeof each === "string" && Object.hasOwn(value, each))),
  properties: (rule, value) =>
    !isFields(value) ||
    (isFields(rule) &&
      Object.entries(rule).every(
        ([name, each]) => !Object.hasOwn(value, name) || surelyMatches(each, value[name] ?? null),
      )),
  items: (rule, value) => !isList(value) || value.every((each) => surelyMatches(rule, each)),
  contains: (rule, value) => !isList(value) || value.some((each) => surelyMatches(rule, each)),
  minItems: (rule, value) => !isList(value) || value.length >= Number(rule),
  maxItems: (rule, value) => !isList(value) || value.length <= Number(rule),
  minimum: (rule, value) => typeof value !== "number" || value >= Number(rule),
  maximum: (rule, value) => typeof value !== "number" || value <= Number(rule),
  allOf: (rule, value) => isList(rule) && rule.every((each) => surelyMatches(each, value)),
  anyOf: (rule, value) => isList(rule) && rule.some((each) => surelyMatches(each, value)),
};

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (isList(value)) return "array";
  return typeof value;
}
