import { addDuration } from "./add-duration.js";
import { toText, isJsonObject, isJsonArray, formatJson, type JsonObject } from "./json.js";
import { resolvePointer } from "./json-pointer.js";
import type { Json, Template, UniqueKind } from "../suite.js";

/** The values that templates read. */
export interface TemplateValues {
  /** The value that a step has bound to a name. */
  get(name: string): Json | undefined;
  unique(kind: UniqueKind): string;
  /** The server's time, in milliseconds since 1970. */
  now(): number;
  matches(schema: Json, value: Json): boolean;
}

/** A template refers to a missing value: the case could not run. */
export class UnavailableValueError extends Error {
  override readonly name = "Unavailable";
}

/** Evaluates a template. A template without operators is returned as the same object. */
export function evaluateTemplate(template: Template, values: TemplateValues): Json {
  if (typeof template !== "object" || template === null || isConstant(template)) return template;
  if (isJsonArray(template)) return template.map((each) => evaluateTemplate(each, values));
  const form = operatorOf(template);
  if (form !== undefined) return form.work(form.argument, values);
  return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, evaluateTemplate(each, values)]));
}

/** True for `{"$absent": true}`, which stands for a missing value. */
export function isAbsent(value: Json | undefined): boolean {
  return value === undefined || (isJsonObject(value) && Object.keys(value).length === 1 && value["$absent"] === true);
}

/** True when a template uses the server's time. */
export function usesTime(template: unknown): boolean {
  if (typeof template !== "object" || template === null) return false;
  const known = usesTimeCache.get(template);
  if (known !== undefined) return known;
  const asks = Object.entries(template).some(([key, each]) => key === "$time" || usesTime(each));
  usesTimeCache.set(template, asks);
  return asks;
}

const usesTimeCache = new WeakMap<object, boolean>();
const constantCache = new WeakMap<object, boolean>();

type TemplateOperator = (argument: Json, values: TemplateValues) => Json;

const templateOperators: Readonly<Record<string, TemplateOperator>> = {
  $get: (argument, values) => {
    const reference = toText(evaluateTemplate(argument, values));
    const hash = reference.indexOf("#");
    const found = resolvePointer(
      values.get(hash < 0 ? reference : reference.slice(0, hash)),
      hash < 0 ? "" : reference.slice(hash + 1),
    );
    if (found === undefined) throw new UnavailableValueError(`${reference} has no value.`);
    return found;
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
    const found = isJsonArray(list) ? list.find((each) => values.matches(schema ?? true, each)) : undefined;
    if (found === undefined)
      throw new UnavailableValueError(`No item of ${formatJson(list)} matches ${formatJson(schema)}.`);
    return found;
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
  const [key, ...more] = Object.keys(template);
  if (key === undefined || more.length > 0 || !key.startsWith("$") || plain.has(key)) return undefined;
  const work = Object.hasOwn(templateOperators, key) ? templateOperators[key] : undefined;
  if (work === undefined)
    throw new Error(`${key} is not a template operator. Use one of ${Object.keys(templateOperators).join(", ")}.`);
  return { work, argument: template[key] ?? null };
}

/** True when a template has no operators. */
function isConstant(template: object): boolean {
  const known = constantCache.get(template);
  if (known !== undefined) return known;
  const values: readonly Json[] = Object.values(template);
  const found =
    (Array.isArray(template) || operatorOf(template as JsonObject) === undefined) &&
    values.every((each) => typeof each !== "object" || each === null || isConstant(each));
  constantCache.set(template, found);
  return found;
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
