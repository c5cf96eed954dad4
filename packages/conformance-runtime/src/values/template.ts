import type { Json, Template, UniqueKind } from "../suite.js";
import { addDuration } from "./add-duration.js";
import { resolvePointer } from "./json-pointer.js";
import { toText, isJsonObject, isJsonArray, formatJson, type JsonObject } from "./json.js";

/** The values that templates read. */
export interface TemplateValues {
  /** The value that a step has bound to a name. */
  get(name: string): Json | undefined;
  unique(kind: UniqueKind | readonly string[]): string;
  /** The server's time, in milliseconds since 1970. */
  now(): number;
  matches(schema: Json, value: Json): boolean;
}

/** A template refers to a missing value: the case could not run. */
export class UnavailableValueError extends Error {
  override readonly name = "UnavailableValueError";
}

/** Evaluates a template. A template without operators is returned as the same object. */
export function evaluateTemplate(template: Template, values: TemplateValues): Json {
  if (typeof template !== "object" || template === null) return template;
  if (isJsonArray(template)) {
    const items = template.map((each) => evaluateTemplate(each, values));
    return items.every((each, index) => each === template[index]) ? template : items;
  }
  const form = operatorOf(template);
  if (form !== undefined) return form.work(form.argument, values);
  let isChanged = false;
  const entries: [string, Json][] = [];
  for (const key of Object.keys(template)) {
    const each = template[key] ?? null;
    const value = evaluateTemplate(each, values);
    isChanged ||= value !== each;
    entries.push([key, value]);
  }
  return isChanged ? Object.fromEntries(entries) : template;
}

/** True for `{"$absent": true}`, which stands for a missing value. */
export function isAbsent(value: Json | undefined): boolean {
  return value === undefined || (isJsonObject(value) && Object.keys(value).length === 1 && value["$absent"] === true);
}

/** The value of a template. Null if one of its variables has none. */
export function evaluateOrNull(template: Template, values: TemplateValues): Json {
  try {
    return evaluateTemplate(template, values);
  } catch (error) {
    if (error instanceof UnavailableValueError) return null;
    throw error;
  }
}

/** True when a template uses the server's time. Most are evaluated once, so it is not cached. */
export function usesTime(template: unknown): boolean {
  if (typeof template !== "object" || template === null) return false;
  if (Array.isArray(template)) return template.some(usesTime);
  for (const key in template)
    if (key === "$time" || usesTime((template as Readonly<Record<string, unknown>>)[key])) return true;
  return false;
}

type TemplateOperator = (argument: Json, values: TemplateValues) => Json;

const templateOperators: Readonly<Record<string, TemplateOperator>> = {
  $get: (argument, values) => {
    const reference = toText(evaluateTemplate(argument, values));
    const hash = reference.indexOf("#");
    const value = resolvePointer(
      values.get(hash < 0 ? reference : reference.slice(0, hash)),
      hash < 0 ? "" : reference.slice(hash + 1),
    );
    if (value === undefined) throw new UnavailableValueError(`${reference} has no value.`);
    return value;
  },
  $text: (argument, values) => listOf("$text", argument, values).map(toText).join(""),
  $repeat: (argument, values) => {
    const [text, times] = listOf("$repeat", argument, values);
    return toText(text ?? "").repeat(count("$repeat", times));
  },
  $list: (argument, values) => {
    if (!isJsonArray(argument)) throw wrong("$list", argument);
    const times = count("$list", evaluateTemplate(argument[1] ?? null, values));
    return Array.from({ length: times }, () => evaluateTemplate(argument[0] ?? null, values));
  },
  $unique: (argument, values) => {
    if (isAlphabets(argument)) return values.unique(argument);
    if (!isUniqueKind(argument)) throw wrong("$unique", argument);
    return values.unique(argument);
  },
  $time: (argument, values) =>
    new Date(addDuration(values.now(), toText(evaluateTemplate(argument, values))))
      .toISOString()
      .replace(/\.\d+Z$/, "Z"),
  $merge: (argument, values) => merge(listOf("$merge", argument, values)),
  $sum: (argument, values) =>
    listOf("$sum", argument, values).reduce<number>((sum, each) => {
      if (typeof each !== "number")
        throw new UnavailableValueError(`${formatJson(each)} is not a number, so $sum cannot add it.`);
      return sum + each;
    }, 0),
  $number: (argument, values) => {
    const text = toText(evaluateTemplate(argument, values));
    const digits = /\d+$/.exec(text)?.[0];
    if (digits === undefined) throw new UnavailableValueError(`${formatJson(text)} does not end with digits.`);
    return Number(digits);
  },
  $count: (argument, values) => {
    const counted = evaluateTemplate(argument, values);
    if (!isJsonArray(counted))
      throw new UnavailableValueError(`${formatJson(counted)} is not an array, so $count cannot count it.`);
    return counted.length;
  },
  $find: (argument, values) => {
    const [list, schema] = listOf("$find", argument, values);
    const item = isJsonArray(list) ? list.find((each) => values.matches(schema ?? true, each)) : undefined;
    if (item === undefined)
      throw new UnavailableValueError(`No item of ${formatJson(list)} matches ${formatJson(schema)}.`);
    return item;
  },
  $json: (argument, values) => JSON.stringify(evaluateTemplate(argument, values)),
  $index: (_, values) => {
    const index = values.get("index");
    if (index === undefined) throw new UnavailableValueError("$index is used outside of `repeat`.");
    return index;
  },
  $literal: (argument) => argument,
};

/** Keywords of JSON Schema, and `$absent`: they are not operators. */
const plain: ReadonlySet<string> = new Set([
  "$absent",
  "$anchor",
  "$comment",
  "$defs",
  "$dynamicAnchor",
  "$dynamicRef",
  "$id",
  "$ref",
  "$schema",
]);

function operatorOf(template: JsonObject): { readonly work: TemplateOperator; readonly argument: Json } | undefined {
  const key = firstKeyOf(template);
  if (key === undefined || !key.startsWith("$") || plain.has(key) || Object.keys(template).length > 1) return undefined;
  const work = Object.hasOwn(templateOperators, key) ? templateOperators[key] : undefined;
  if (work === undefined)
    throw new Error(`${key} is not a template operator. Use one of ${Object.keys(templateOperators).join(", ")}.`);
  return { work, argument: template[key] ?? null };
}

/** Without a list of all keys: this is called for each object of each template. */
function firstKeyOf(template: JsonObject): string | undefined {
  for (const key in template) return key;
  return undefined;
}

function merge(layers: readonly Json[]): Json {
  const merged = new Map<string, Json>();
  for (const layer of layers) {
    if (!isJsonObject(layer)) throw new Error(`$merge needs objects, but got ${formatJson(layer)}.`);
    for (const [key, each] of Object.entries(layer))
      if (isAbsent(each)) merged.delete(key);
      else merged.set(key, each);
  }
  return Object.fromEntries(merged);
}

function listOf(form: string, argument: Json, values: TemplateValues): readonly Json[] {
  const list = evaluateTemplate(argument, values);
  if (!isJsonArray(list)) throw wrong(form, argument);
  return list;
}

function count(form: string, value: Json | undefined): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) throw wrong(form, value);
  return value;
}

function isAlphabets(value: Json): value is readonly string[] {
  return isJsonArray(value) && value.length > 0 && value.every((each) => typeof each === "string" && each !== "");
}

function isUniqueKind(value: Json): value is UniqueKind {
  return typeof value === "string" && Object.hasOwn(uniqueKinds, value);
}

const uniqueKinds = {
  label: true,
  domain: true,
  number: true,
  username: true,
  "ssh-key": true,
  phone: true,
} satisfies Record<UniqueKind, true>;

function wrong(form: string, argument: Json | undefined): Error {
  return new Error(
    `${form} cannot be evaluated with ${formatJson(argument)}. The type Template documents the operators.`,
  );
}
