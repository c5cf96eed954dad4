import type { Template } from "@plumbline/conformance-runtime";
import { type Condition, type Expression, isJsonObject, type Json, type Schema } from "@plumbline/kit/model";
import { bodyPointer, isInBody } from "./absent-values.js";
import { valueAt, type BodyContext } from "./body-mutations.js";
import { unconditionalLayers } from "./schema-layers.js";
import { validateTemplate } from "./template-validation.js";

/** True when a described error certainly rejects the body, whose defaults are filled in. Conditions on stored objects count as not met. */
export function violatesBodyRule(bodies: BodyContext, body: Template): boolean {
  const { context, schema } = bodies;
  return unconditionalLayers(context, schema)
    .flatMap(({ errors = [] }) => errors)
    .some(({ when }) => when !== undefined && holdsInBody(bodies, when, body));
}

function holdsInBody({ context, nulls }: BodyContext, when: Condition, body: Template): boolean {
  const { body: whole, sent, compare, ...others } = when;
  if (Object.keys(others).length > 0 || compare === undefined) return false;
  const matches = (schema: Schema | undefined): boolean =>
    schema === undefined || validateTemplate(context, schema, body, nulls).length === 0;
  const valueOf = (from: Expression): Template | undefined =>
    isInBody(from) ? valueAt(body, bodyPointer(from, [])) : undefined;
  return matches(whole) && matches(sent) && isComparisonMet(compare, valueOf) === true;
}

/** Whether a comparison of two numbers holds. Undefined for one of other values, or of unknown ones. */
export function isComparisonMet(
  { left, operator, right }: NonNullable<Condition["compare"]>,
  valueOf: (from: Expression) => Template | undefined,
): boolean | undefined {
  const [a, b] = [valueOf(left), isExpression(right) ? valueOf(right) : right];
  if (typeof a !== "number" || typeof b !== "number") return undefined;
  if (operator === "lt") return a < b;
  if (operator === "lte") return a <= b;
  if (operator === "eq") return a === b;
  return operator === "ne" ? a !== b : undefined;
}

function isExpression(value: Expression | Json): value is Expression {
  return isJsonObject(value) && Object.hasOwn(value, "root");
}
