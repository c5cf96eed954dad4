import type { Template } from "@plumbline/conformance-runtime";
import type { Expression, ValueRule } from "@plumbline/kit/model";
import { statedKeyword, type BodyField } from "./body-fields.js";
import { valueAt, withValue, type BodyContext } from "./body-mutations.js";
import { isPlainObject } from "./partial-evaluation.js";
import { toLiteral } from "./samples.js";
import { validateTemplate } from "./template-validation.js";

/** Finds a value outside of the body. Undefined when only the server knows it. */
export type ExpressionLookup = (from: Expression) => Template | undefined;

/** The value of an absent field: a constant, or one that depends on another value. Undefined when only the server knows it. */
export function absentValue(
  bodies: BodyContext,
  field: BodyField,
  { body, lookup }: { readonly body: Template; readonly lookup: ExpressionLookup },
): Template | undefined {
  for (const rule of statedKeyword(field, "valueRules") ?? []) {
    if (rule.absent !== true) continue;
    const applies = isConditionMet(bodies, rule, body);
    if (applies === undefined) return undefined;
    if (applies) return ruleValue(field, rule, { body, lookup });
  }
  const constant = statedKeyword(field, "default");
  return constant === undefined ? undefined : toLiteral(constant);
}

/** The body with the values of its absent fields, outer ones first. */
export function bodyWithDefaults(
  bodies: BodyContext,
  fields: readonly BodyField[],
  { body, lookup }: { readonly body: Template; readonly lookup: ExpressionLookup },
): Template {
  return fields.reduce<Template>((filled, field) => {
    if (field.readOnly || field.pointer.includes("*")) return filled;
    const holder = valueAt(filled, field.pointer.slice(0, -1));
    if (!isPlainObject(holder) || Object.hasOwn(holder, field.pointer.at(-1) ?? "")) return filled;
    const value = absentValue(bodies, field, { body: filled, lookup });
    return value === undefined ? filled : withValue(filled, field.pointer, value);
  }, body);
}

function isConditionMet({ context, nulls }: BodyContext, { when }: ValueRule, body: Template): boolean | undefined {
  if (when === undefined) return true;
  const { body: condition, ...others } = when;
  if (condition === undefined || Object.keys(others).length > 0) return undefined;
  return validateTemplate(context, condition, body, nulls).length === 0;
}

function ruleValue(
  { pointer }: BodyField,
  { set }: ValueRule,
  { body, lookup }: { readonly body: Template; readonly lookup: ExpressionLookup },
): Template | undefined {
  if (set?.kind === "value") return toLiteral(set.value);
  if (set?.kind !== "from" || set.minus !== undefined) return undefined;
  const { from, times } = set;
  const value = isInBody(from) ? valueAt(body, bodyPointer(from, pointer)) : lookup(from);
  return value === undefined || times === undefined ? value : { $sum: { $list: [value, times] } };
}

/** True for an expression that refers to a field of the same body. */
export function isInBody({ root, part }: Expression): boolean {
  return root === "relative" || (root === "request" && part === "body");
}

/** The pointer from the root of the body. A relative one begins some levels above the field. */
export function bodyPointer({ root, part, pointer }: Expression, field: readonly string[]): readonly string[] {
  return root === "relative" ? [...field.slice(0, field.length - Number(part)), ...pointer] : pointer;
}
