import { later } from "./duration.js";
import { asText, at, isFields, isList, shown, type Fields } from "./json.js";
import type { Json, Template, UniqueKind } from "./suite.js";

/** The values that templates read. */
export interface Values {
  /** The value that a step has bound to a name. */
  get(name: string): Json | undefined;
  unique(kind: UniqueKind): string;
  /** The server's time, in milliseconds since 1970. */
  now(): number;
  matches(schema: Json, value: Json): boolean;
}

/** A template refers to a missing value: the case could not run. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}

/** Evaluates a template. A template without operators is returned as the same object. */
export function evaluate(template: Template, values: Values): Json {
  if (typeof template !== "object" || template === null || isStill(template)) return template;
  if (isList(template)) return template.map((each) => evaluate(each, values));
  const form = formOf(template);
  if (form !== undefined) return form.work(form.argument, values);
  return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, evaluate(each, values)]));
}

/** True for `{"$absent": true}`, which stands for a missing value. */
export function isAbsent(value: Json | undefined): boolean {
  return value === undefined || (isFields(value) && Object.keys(value).length === 1 && value["$absent"] === true);
}

/** True when a template uses the server's time. */
export function asksTime(template: unknown): boolean {
  if (typeof template !== "object" || template === null) return false;
  const known = timely.get(template);
  if (known !== undefined) return known;
  const asks = Object.entries(template).some(([key, each]) => key === "$time" || asksTime(each));
  timely.set(template, asks);
  return asks;
}

const timely = new WeakMap<object, boolean>();
const still = new WeakMap<object, boolean>();

type Work = (argument: Json, values: Values) => Json;

const forms: Readonly<Record<string, Work>> = {
  $get: (argument, values) => {
    const reference = asText(evaluate(argument, values));
    const hash = reference.indexOf("#");
    const found = at(
      values.get(hash < 0 ? reference : reference.slice(0, hash)),
      hash < 0 ? "" : reference.slice(hash + 1),
    );
    if (found === undefined) throw new Unavailable(`${reference} has no value.`);
    return found;
  },
  $text: (argument, values) => listOf("$text", argument, values).map(asText).join(""),
  $repeat: (argument, values) => {
    const [text, times] = listOf("$repeat", argument, values);
    return asText(text ?? "").repeat(count("$repeat", times));
  },
  $list: (argument, values) => {
    if (!isList(argument)) throw wrong("$list", argument);
    const times = count("$list", evaluate(argument[1] ?? null, values));
    return Array.from({ length: times }, () => evaluate(argument[0] ?? null, values));
  },
  $unique: (argument, values) => {
    if (!isUniqueKind(argument)) throw wrong("$unique", argument);
    return values.unique(argument);
  },
  $time: (argument, values) =>
    new Date(later(values.now(), asText(evaluate(argument, values)))).toISOString().replace(/\.\d+Z$/, "Z"),
  $merge: (argument, values) => merge(listOf("$merge", argument, values)),
  $sum: (argument, values) =>
    listOf("$sum", argument, values).reduce<number>((sum, each) => {
      if (typeof each !== "number") throw new Unavailable(`${shown(each)} is not a number, so $sum cannot add it.`);
      return sum + each;
    }, 0),
  $number: (argument, values) => {
    const text = asText(evaluate(argument, values));
    const digits = /\d+$/.exec(text)?.[0];
    if (digits === undefined) throw new Unavailable(`${shown(text)} does not end with digits.`);
    return Number(digits);
  },
  $count: (argument, values) => {
    const counted = evaluate(argument, values);
    if (!isList(counted)) throw new Unavailable(`${shown(counted)} is not an array, so $count cannot count it.`);
    return counted.length;
  },
  $find: (argument, values) => {
    const [list, schema] = listOf("$find", argument, values);
    const found = isList(list) ? list.find((each) => values.matches(schema ?? true, each)) : undefined;
    if (found === undefined) throw new Unavailable(`No item of ${shown(list)} matches ${shown(schema)}.`);
    return found;
  },
  $json: (argument, values) => JSON.stringify(evaluate(argument, values)),
  $index: (_, values) => {
    const index = values.get("index");
    if (index === undefined) throw new Unavailable("$index is used outside of `repeat`.");
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

function formOf(template: Fields): { readonly work: Work; readonly argument: Json } | undefined {
  const [key, ...more] = Object.keys(template);
  if (key === undefined || more.length > 0 || !key.startsWith("$") || plain.has(key)) return undefined;
  const work = Object.hasOwn(forms, key) ? forms[key] : undefined;
  if (work === undefined)
    throw new Error(`${key} is not a template operator. Use one of ${Object.keys(forms).join(", ")}.`);
  return { work, argument: template[key] ?? null };
}

/** True when a template has no operators. */
function isStill(template: object): boolean {
  const known = still.get(template);
  if (known !== undefined) return known;
  const values: readonly Json[] = Object.values(template);
  const found =
    (Array.isArray(template) || formOf(template as Fields) === undefined) &&
    values.every((each) => typeof each !== "object" || each === null || isStill(each));
  still.set(template, found);
  return found;
}

function merge(layers: readonly Json[]): Json {
  const merged = new Map<string, Json>();
  for (const layer of layers) {
    if (!isFields(layer)) throw new Error(`$merge needs objects, but got ${shown(layer)}.`);
    for (const [key, each] of Object.entries(layer))
      if (isAbsent(each)) merged.delete(key);
      else merged.set(key, each);
  }
  return Object.fromEntries(merged);
}

function listOf(form: string, argument: Json, values: Values): readonly Json[] {
  const list = evaluate(argument, values);
  if (!isList(list)) throw wrong(form, argument);
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
  return new Error(`${form} cannot be evaluated with ${shown(argument)}. The type Template documents the operators.`);
}
