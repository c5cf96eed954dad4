import type { Template } from "@plumbline/conformance-runtime";
import { type PartialValue, unknownValue } from "@plumbline/kit/codegen/values";
import { isJsonObject } from "@plumbline/kit/model";

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

function evaluateOperator(key: string, operand: Template): PartialValue {
  if (key === "$literal") return operand;
  if (key === "$unique" && isTemplateList(operand))
    return operand.map((each) => (typeof each === "string" ? (Array.from(each)[0] ?? "") : "")).join("");
  if (key === "$unique") return (typeof operand === "string" ? uniqueSamples[operand] : undefined) ?? unknownValue;
  if (key === "$repeat" && isTemplateList(operand)) {
    const [text, times] = operand.map(evaluatePartially);
    return typeof text === "string" && typeof times === "number" ? text.repeat(times) : unknownValue;
  }
  if (key === "$text" && isTemplateList(operand)) {
    const parts = operand.map(evaluatePartially);
    return parts.every((each) => typeof each === "string") ? parts.join("") : unknownValue;
  }
  if (key === "$list" && isTemplateList(operand)) {
    const [item = null, times] = operand;
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

/** Compresses a text: a repeated character, or a repeated label of a host name, becomes a `$repeat`. */
export function compressText(text: string): Template {
  const parts: Template[] = [];
  let end = 0;
  for (const run of text.matchAll(repetition)) {
    const [all, unit = ""] = run;
    if (run.index > end) parts.push(text.slice(end, run.index));
    parts.push({ $repeat: [unit, all.length / unit.length] });
    end = run.index + all.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  const [only = "", ...others] = parts;
  return others.length === 0 ? only : { $text: parts };
}

const repetition = /(.{1,64}?)\1{15,}/gsu;

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
