import type { Template } from "@plumbline/conformance-runtime";
import { unknownValue } from "@plumbline/kit/codegen/values";
import { type Json, statedLimits, type ValueRule } from "@plumbline/kit/model";
import { statedKeyword, type BodyField } from "./body-fields.js";
import type { BodyContext } from "./body-mutations.js";
import { evaluatePartially, isPlainObject, isTemplateList, compressText } from "./partial-evaluation.js";
import { toLiteral } from "./samples.js";
import { layersWithBranches } from "./schema-layers.js";
import { validateTemplate } from "./template-validation.js";

/** The value that responses show for a sent one. Undefined when only the server knows it. */
export function expectedStoredValue(
  bodies: BodyContext,
  field: BodyField,
  { body, value }: { readonly body: Template; readonly value: Template },
): Template | undefined {
  for (const rule of statedKeyword(field, "valueRules") ?? []) {
    const fits = isFor(bodies, rule, { body, value });
    if (fits === undefined) return undefined;
    if (fits) return normalizedValue(rule, value);
  }
  return isCanonical(bodies, field, value) ? value : undefined;
}

/** False for a text that a server may show in another form: `.50` for the number 0.5, or a time with an offset. */
function isCanonical({ context }: BodyContext, { schema, layers }: BodyField, value: Template): boolean {
  const text = evaluatePartially(value);
  if (typeof text !== "string") return true;
  if (layers.some(({ format }) => format === "date-time")) return /:\d\dZ$/.test(text);
  const accepts = (sample: string): boolean => validateTemplate(context, schema, sample, "validated").length === 0;
  const hasPattern = layersWithBranches(context, schema).some(({ pattern }) => pattern !== undefined);
  const isDecimal = /^[-+]?[\d.]+$/.test(text) && hasPattern && accepts("0.5") && accepts("1");
  return !isDecimal || /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text);
}

function isFor(
  { context, nulls }: BodyContext,
  { absent, matches, when }: ValueRule,
  { body, value }: { readonly body: Template; readonly value: Template },
): boolean | undefined {
  if (absent) return false;
  if (matches !== undefined && validateTemplate(context, matches, value, "validated").length > 0) return false;
  if (when === undefined) return true;
  const { body: condition, ...others } = when;
  if (condition === undefined || Object.keys(others).length > 0) return undefined;
  return validateTemplate(context, condition, body, nulls).length === 0;
}

function normalizedValue({ set, round, to, escape }: ValueRule, value: Template): Template | undefined {
  if (set !== undefined) return set.kind === "value" ? toLiteral(set.value) : undefined;
  const constant = evaluatePartially(value);
  if (constant === unknownValue || JSON.stringify(value).includes('"$unique"')) return undefined;
  if (round !== undefined && to !== undefined)
    return typeof constant === "number" ? roundValue(constant, round, to) : undefined;
  if (escape === "ascii") return typeof constant === "string" ? compressText(escaped(constant)) : undefined;
  return value;
}

/** A JSON Schema for values that contain a value. */
export function matchingSchema(value: Template): Template {
  if (isPlainObject(value)) {
    const fields = Object.entries(value).filter(([, each]) => each !== null);
    return {
      type: "object",
      required: fields.map(([name]) => name),
      properties: Object.fromEntries(fields.map(([name, each]) => [name, matchingSchema(each)] as const)),
    };
  }
  if (value === null || !isTemplateList(value) || value.every((each) => each === null || typeof each !== "object"))
    return { const: value };
  return {
    type: "array",
    ...statedLimits("items", { least: value.length, most: value.length }),
    prefixItems: value.map(matchingSchema),
  };
}

/** Rounds up to the next step, or to the nearest (the higher of two). Values past the last step become the last one. */
export function roundValue(value: number, round: "up" | "nearest", to: readonly number[]): number {
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
export function defaultValue(field: BodyField): Json | undefined {
  const values = statedKeyword(field, "valueRules") ?? [];
  const rule = values.find((each) => each.absent === true);
  if (rule?.when === undefined && rule?.set?.kind === "value") return rule.set.value;
  if (rule !== undefined) return undefined;
  return statedKeyword(field, "default");
}
