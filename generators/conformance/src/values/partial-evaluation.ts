import type { Template } from "@plumbline/conformance-runtime";
import { isJsonObject } from "@plumbline/model";

/** Represents a value that is known only when a case runs. */
export const unknownValue: unique symbol = Symbol("wild");

/** A value of which some parts are known only when a case runs. */
export type PartialValue =
  | null
  | boolean
  | number
  | string
  | typeof unknownValue
  | readonly PartialValue[]
  | { readonly [key: string]: PartialValue };

/** Evaluates a template as far as possible before a run. */
export function evaluatePartially(template: Template): PartialValue {
  if (template === null || typeof template !== "object") return template;
  if (isTemplateList(template)) return template.map(evaluatePartially);
  const keys = Object.keys(template);
  const [key = ""] = keys;
  if (keys.length !== 1 || !key.startsWith("$"))
    return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, evaluatePartially(each)] as const));
  return evaluateOperator(key, template[key] ?? null);
}

function evaluateOperator(key: string, given: Template): PartialValue {
  if (key === "$literal") return given;
  if (key === "$unique" && isTemplateList(given))
    return given.map((each) => (typeof each === "string" ? each.slice(0, 1) : "")).join("");
  if (key === "$unique") return (typeof given === "string" ? uniqueSamples[given] : undefined) ?? unknownValue;
  if (key === "$repeat" && isTemplateList(given)) {
    const [text, times] = given.map(evaluatePartially);
    return typeof text === "string" && typeof times === "number" ? text.repeat(times) : unknownValue;
  }
  if (key === "$text" && isTemplateList(given)) {
    const parts = given.map(evaluatePartially);
    return parts.every((each) => typeof each === "string") ? parts.join("") : unknownValue;
  }
  if (key === "$list" && isTemplateList(given)) {
    const [item = null, times] = given;
    return typeof times === "number" ? Array.from({ length: times }, () => evaluatePartially(item)) : unknownValue;
  }
  return unknownValue;
}

/** Samples of unique values. */
const uniqueSamples: Readonly<Record<string, string>> = {
  label: "aa1b2c3d4e-1",
  username: "aa1b2c3d4e-1",
  domain: "aa1b2c3d4e-1.example.com",
  number: "1234567890",
};

/** Compresses a text: runs of the same character become a `$repeat` each. */
export function compressText(text: string): Template {
  const parts: Template[] = [];
  let end = 0;
  // A flat list: a text may have thousands of runs.
  for (const run of text.matchAll(/(.)\1{15,}/gsu)) {
    const [whole, one = ""] = run;
    if (run.index > end) parts.push(text.slice(end, run.index));
    parts.push({ $repeat: [one, whole.length / one.length] });
    end = run.index + whole.length;
  }
  if (parts.length === 0) return text;
  if (end < text.length) parts.push(text.slice(end));
  const [only, ...more] = parts;
  return more.length === 0 && only !== undefined ? only : { $text: parts };
}

/** Whether a template is a list. Unlike `Array.isArray`, it narrows to a list that is only read. */
export function isTemplateList(value: Template | undefined): value is readonly Template[] {
  return Array.isArray(value);
}

/** An object without operators. */
export function isPlainObject(value: Template | undefined): value is { readonly [key: string]: Template } {
  if (!isJsonObject(value)) return false;
  const keys = Object.keys(value);
  return !(keys.length === 1 && keys[0]?.startsWith("$") === true);
}

export function isKnownList(value: PartialValue): value is readonly PartialValue[] {
  return Array.isArray(value);
}

export function isKnownObject(value: PartialValue): value is { readonly [key: string]: PartialValue } {
  return isJsonObject(value);
}
