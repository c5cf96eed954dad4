import type { Template } from "@plumbline/conformance-runtime";

/** Represents a value that is known only when a case runs. */
export const wild: unique symbol = Symbol("wild");

/** A value of which some parts are known only when a case runs. */
export type Known =
  | null
  | boolean
  | number
  | string
  | typeof wild
  | readonly Known[]
  | { readonly [key: string]: Known };

/** Evaluates a template as far as possible before a run. */
export function concreteOf(template: Template): Known {
  if (template === null || typeof template !== "object") return template;
  if (isTemplateList(template)) return template.map(concreteOf);
  const keys = Object.keys(template);
  const [key = ""] = keys;
  if (keys.length !== 1 || !key.startsWith("$"))
    return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, concreteOf(each)] as const));
  return standingFor(key, template[key] ?? null);
}

function standingFor(key: string, given: Template): Known {
  if (key === "$literal") return given;
  if (key === "$unique") return (typeof given === "string" ? uniques[given] : undefined) ?? wild;
  if (key === "$repeat" && isTemplateList(given)) {
    const [text, times] = given.map(concreteOf);
    return typeof text === "string" && typeof times === "number" ? text.repeat(times) : wild;
  }
  if (key === "$text" && isTemplateList(given)) {
    const parts = given.map(concreteOf);
    return parts.every((each) => typeof each === "string") ? parts.join("") : wild;
  }
  if (key === "$list" && isTemplateList(given)) {
    const [item = null, times] = given;
    return typeof times === "number" ? Array.from({ length: times }, () => concreteOf(item)) : wild;
  }
  return wild;
}

/** Samples of unique values. */
const uniques: Readonly<Record<string, string>> = {
  label: "aa1b2c3d4e-1",
  username: "aa1b2c3d4e-1",
  domain: "aa1b2c3d4e-1.example.com",
  number: "1234567890",
};

/** Compresses a text: a run of the same character becomes a `$repeat`. */
export function textTemplate(text: string): Template {
  const run = /(.)\1{15,}/su.exec(text);
  const one = run?.[1];
  if (run === null || one === undefined) return text;
  const repeat: Template = { $repeat: [one, run[0].length / one.length] };
  const rest = text.slice(run.index + run[0].length);
  const parts = [text.slice(0, run.index), repeat, rest === "" ? "" : textTemplate(rest)].filter((each) => each !== "");
  return parts.length === 1 ? repeat : { $text: parts };
}

/** Length in code points. */
export function lengthOf(text: string): number {
  if (!/[\uD800-\uDBFF]/.test(text)) return text.length;
  if (text !== counted.text) counted = { text, length: lengthOfPairs(text) };
  return counted.length;
}

/** Caches the last result: a long text is measured for many fields in sequence. */
let counted = { text: "", length: 0 };

function lengthOfPairs(text: string): number {
  let { length } = text;
  for (let index = 1; index < text.length; index += 1)
    // The second half of a surrogate pair does not count.
    if (isWithin(text, index, 0xdc00, 0xdfff) && isWithin(text, index - 1, 0xd800, 0xdbff)) length -= 1;
  return length;
}

function isWithin(text: string, index: number, least: number, most: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= least && unit <= most;
}

/** True for a text with at least this many characters. Counts code points only if necessary. */
export function isAsLong(text: string, least: number): boolean {
  return text.length >= least && (text.length >= 2 * least || lengthOf(text) >= least);
}

export function isTemplateList(value: Template): value is readonly Template[] {
  return Array.isArray(value);
}

/** An object without operators. */
export function isPlainObject(value: Template | undefined): value is { readonly [key: string]: Template } {
  if (value === undefined || value === null || typeof value !== "object" || isTemplateList(value)) return false;
  const keys = Object.keys(value);
  return !(keys.length === 1 && keys[0]?.startsWith("$") === true);
}

export function isKnownList(value: Known): value is readonly Known[] {
  return Array.isArray(value);
}

export function isKnownObject(value: Known): value is { readonly [key: string]: Known } {
  return typeof value === "object" && value !== null && !isKnownList(value);
}
