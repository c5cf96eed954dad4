import { isDeepStrictEqual } from "node:util";
import type { Json } from "../suite.js";
import { isJsonArray, isJsonObject, type JsonObject } from "../values/json.js";
import { compilePattern } from "./compile-pattern.js";
import { isWithinLimit, measureLimited, parseLimitKeyword } from "./limit-keywords.js";

/**
 * A fast path: evaluates a schema of simple keywords. Cases use each schema once: compiling each would take longer than the request.
 * Undefined for a schema with other keywords.
 */
export function evaluatePlainSchema(schema: Json, value: Json): boolean | undefined {
  if (typeof schema === "boolean") return schema;
  if (!isJsonObject(schema) || hasDependentKeywords(schema)) return undefined;
  let isKnown = true;
  for (const keyword in schema) {
    const result = evaluateKeyword(keyword, schema[keyword] ?? null, value);
    // A keyword that does not hold decides, whatever the others are.
    if (result === false) return false;
    if (result === undefined) isKnown = false;
  }
  return isKnown ? true : undefined;
}

/** True for keywords that change what others mean. */
function hasDependentKeywords(schema: JsonObject): boolean {
  if (schema["contains"] !== undefined && Object.keys(schema).some((keyword) => keyword.endsWith("Contains")))
    return true;
  return schema["nullable"] !== undefined || (schema["prefixItems"] !== undefined && schema["items"] !== undefined);
}

function evaluateKeyword(keyword: string, rule: Json, value: Json): boolean | undefined {
  const evaluate = plainKeywords.get(keyword);
  if (evaluate !== undefined) return evaluate(rule, value);
  const limit = parseLimitKeyword(keyword);
  if (limit === undefined) return undefined;
  const measured = measureLimited(limit, value);
  return measured === undefined || isWithinLimit(limit, Number(rule), measured);
}

const plainKeywords: ReadonlyMap<string, (rule: Json, value: Json) => boolean | undefined> = new Map(
  Object.entries({
    const: isEqual,
    enum: (rule, value) => isJsonArray(rule) && rule.some((each) => isEqual(each, value)),
    type: (rule, value) => (isJsonArray(rule) ? rule.some((each) => isOfType(each, value)) : isOfType(rule, value)),
    required: (rule, value) =>
      !isJsonObject(value) ||
      (isJsonArray(rule) && rule.every((each) => typeof each === "string" && Object.hasOwn(value, each))),
    properties: (rule, value) => {
      if (!isJsonObject(value)) return true;
      if (!isJsonObject(rule)) return undefined;
      return everyOf(Object.keys(rule), (name) =>
        Object.hasOwn(value, name) ? evaluatePlainSchema(rule[name] ?? null, value[name] ?? null) : true,
      );
    },
    items: (rule, value) => !isJsonArray(value) || everyOf(value, (each) => evaluatePlainSchema(rule, each)),
    contains: (rule, value) => !isJsonArray(value) || someOf(value, (each) => evaluatePlainSchema(rule, each)),
    prefixItems: (rule, value) => {
      if (!isJsonArray(value)) return true;
      if (!isJsonArray(rule)) return undefined;
      return everyOf(rule.slice(0, value.length), (each, index) => evaluatePlainSchema(each, value[index] ?? null));
    },
    pattern: (rule, value) =>
      typeof value !== "string" || (typeof rule === "string" ? compilePattern(rule).test(value) : undefined),
    not: (rule, value) => {
      const result = evaluatePlainSchema(rule, value);
      return result === undefined ? undefined : !result;
    },
    allOf: (rule, value) => (isJsonArray(rule) ? everyOf(rule, (each) => evaluatePlainSchema(each, value)) : undefined),
    anyOf: (rule, value) => (isJsonArray(rule) ? someOf(rule, (each) => evaluatePlainSchema(each, value)) : undefined),
  } satisfies Record<string, (rule: Json, value: Json) => boolean | undefined>),
);

/** False if one is false, else undefined if one is unknown. */
function everyOf<Item>(
  items: readonly Item[],
  evaluate: (item: Item, index: number) => boolean | undefined,
): boolean | undefined {
  let isKnown = true;
  for (let index = 0; index < items.length; index += 1) {
    const result = evaluate(items[index] as Item, index);
    if (result === false) return false;
    if (result === undefined) isKnown = false;
  }
  return isKnown ? true : undefined;
}

/** True if one is true, else undefined if one is unknown. */
function someOf<Item>(items: readonly Item[], evaluate: (item: Item) => boolean | undefined): boolean | undefined {
  let isKnown = true;
  for (const item of items) {
    const result = evaluate(item);
    if (result === true) return true;
    if (result === undefined) isKnown = false;
  }
  return isKnown ? false : undefined;
}

function isEqual(one: Json, other: Json): boolean {
  if (one === other) return true;
  // Different scalars are never equal.
  return typeof one === "object" && typeof other === "object" && isDeepStrictEqual(one, other);
}

function isOfType(type: Json, value: Json): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (value === null) return type === "null";
  return type === (isJsonArray(value) ? "array" : typeof value);
}
