import { code, join, literal, type Code } from "../../emit/printer.js";
import type { Shape } from "../../model/api.js";
import { $ } from "../runtime.js";
import { fault, type Spot } from "./scope.js";

/**
 * Returns the checks of a number, without its type check. Integers beyond 2^53 are rejected, since a double cannot
 * represent each of them.
 */
export function numberChecks(shape: Shape, spot: Spot, isInteger: boolean): readonly Code[] {
  const { value } = spot;
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = shape;
  const range = isInteger && shape.format === "int32" ? int32 : undefined;
  const minimum = shape.minimum ?? range?.minimum;
  const maximum = shape.maximum ?? range?.maximum;
  const outside = [
    ...(minimum === undefined ? [] : [code`${value} < ${literal(minimum)}`]),
    ...(maximum === undefined ? [] : [code`${value} > ${literal(maximum)}`]),
  ];
  const statements: Code[] = [];
  if (outside.length > 0)
    statements.push(code`if (${join(outside, code` || `)}) ${fault(spot, "range", minimum, maximum)}`);
  if (isInteger && !(isSafe(minimum) && isSafe(maximum)))
    statements.push(code`if (!Number.isSafeInteger(${value})) ${fault(spot, "exact")}`);
  if (exclusiveMinimum !== undefined)
    statements.push(code`if (${value} <= ${literal(exclusiveMinimum)}) ${fault(spot, "above", exclusiveMinimum)}`);
  if (exclusiveMaximum !== undefined)
    statements.push(code`if (${value} >= ${literal(exclusiveMaximum)}) ${fault(spot, "below", exclusiveMaximum)}`);
  if (multipleOf !== undefined)
    statements.push(
      code`if (!${$("isMultiple")}(${value}, ${literal(multipleOf)})) ${fault(spot, "multiple", multipleOf)}`,
    );
  return statements;
}

/** The range that `format: int32` implies. */
const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } as const;

function isSafe(bound: number | undefined): boolean {
  return bound !== undefined && Math.abs(bound) <= Number.MAX_SAFE_INTEGER;
}
