import type { Template } from "@plumbline/conformance-runtime";
import type { Json, ValueRule } from "../model/api.js";
import { said, type BodyField } from "./body-fields.js";
import { concreteOf, isPlainObject, isTemplateList, textTemplate, wild } from "./concrete.js";
import { misfitsOf } from "./judge.js";
import type { Bodies } from "./placing.js";
import { literalOf } from "./samples.js";

/** The value that responses show for a sent one. Undefined when only the server knows it. */
export function shownValue(
  bodies: Bodies,
  field: BodyField,
  { body, value }: { readonly body: Template; readonly value: Template },
): Template | undefined {
  for (const rule of said(field, "values") ?? []) {
    const fits = isFor(bodies, rule, { body, value });
    if (fits === undefined) return undefined;
    if (fits) return becoming(rule, value);
  }
  return value;
}

function isFor(
  { context, nulls }: Bodies,
  { absent, sent, when }: ValueRule,
  { body, value }: { readonly body: Template; readonly value: Template },
): boolean | undefined {
  if (absent) return false;
  if (sent !== undefined && misfitsOf(context, sent, value, "judged").length > 0) return false;
  if (when === undefined) return true;
  const { body: condition, ...others } = when;
  if (condition === undefined || Object.keys(others).length > 0) return undefined;
  return misfitsOf(context, condition, body, nulls).length === 0;
}

function becoming({ take, round, to, escape }: ValueRule, value: Template): Template | undefined {
  if (take !== undefined) return take.kind === "value" ? literalOf(take.value) : undefined;
  const known = concreteOf(value);
  if (known === wild || JSON.stringify(value).includes('"$unique"')) return undefined;
  if (round !== undefined && to !== undefined) return typeof known === "number" ? rounded(known, round, to) : undefined;
  if (escape === "ascii") return typeof known === "string" ? textTemplate(escaped(known)) : undefined;
  return value;
}

/** A JSON Schema for values that contain a value. */
export function likenessOf(value: Template): Template {
  if (isPlainObject(value)) {
    const fields = Object.entries(value).filter(([, each]) => each !== null);
    return {
      type: "object",
      required: fields.map(([name]) => name),
      properties: Object.fromEntries(fields.map(([name, each]) => [name, likenessOf(each)] as const)),
    };
  }
  if (value === null || !isTemplateList(value) || value.every((each) => each === null || typeof each !== "object"))
    return { const: value };
  return { type: "array", minItems: value.length, maxItems: value.length, prefixItems: value.map(likenessOf) };
}

/** Rounds up to the next step, or to the nearest (the higher of two). Values past the last step become the last one. */
export function rounded(value: number, round: "up" | "nearest", to: readonly number[]): number {
  const steps = to.toSorted((a, b) => a - b);
  const next = steps.find((each) => each >= value) ?? steps.at(-1) ?? value;
  const before = steps.findLast((each) => each <= value) ?? next;
  return round === "nearest" && value - before < next - value ? before : next;
}

/** Escapes each UTF-16 unit beyond ASCII as `\u` and four digits. */
function escaped(text: string): string {
  return [...Array(text.length).keys()]
    .map((index) => text.charCodeAt(index))
    .map((unit) => (unit < 128 ? String.fromCharCode(unit) : `\\u${unit.toString(16).padStart(4, "0")}`))
    .join("");
}

/** The value of an absent field, if it is a constant. */
export function absentValue(field: BodyField): Json | undefined {
  const values = said(field, "values") ?? [];
  const rule = values.find((each) => each.absent === true);
  if (rule?.when === undefined && rule?.take?.kind === "value") return rule.take.value;
  if (rule !== undefined) return undefined;
  return said(field, "default");
}
