import { code, joinCode, jsonLiteral, type Code } from "../../printer.js";
import type { Schema } from "@plumbline/model";
import { validatorFunction } from "../runtime.js";
import { emitIssue, type CheckSite } from "./scope.js";

/**
 * Returns the checks of a number, without its type check. Integers beyond 2^53 are rejected, since a double cannot
 * represent each of them.
 */
export function numberChecks(schema: Schema, spot: CheckSite, isInteger: boolean): readonly Code[] {
  const { value } = spot;
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const range = isInteger && schema.format === "int32" ? int32Range : undefined;
  const minimum = schema.minimum ?? range?.minimum;
  const maximum = schema.maximum ?? range?.maximum;
  const outside = [
    ...(minimum === undefined ? [] : [code`${value} < ${jsonLiteral(minimum)}`]),
    ...(maximum === undefined ? [] : [code`${value} > ${jsonLiteral(maximum)}`]),
  ];
  const statements: Code[] = [];
  if (outside.length > 0)
    statements.push(code`if (${joinCode(outside, code` || `)}) ${emitIssue(spot, "range", minimum, maximum)}`);
  if (isInteger && !(isSafe(minimum) && isSafe(maximum)))
    statements.push(code`if (!Number.isSafeInteger(${value})) ${emitIssue(spot, "safeInteger")}`);
  if (exclusiveMinimum !== undefined)
    statements.push(
      code`if (${value} <= ${jsonLiteral(exclusiveMinimum)}) ${emitIssue(spot, "exclusiveMinimum", exclusiveMinimum)}`,
    );
  if (exclusiveMaximum !== undefined)
    statements.push(
      code`if (${value} >= ${jsonLiteral(exclusiveMaximum)}) ${emitIssue(spot, "exclusiveMaximum", exclusiveMaximum)}`,
    );
  if (multipleOf !== undefined)
    statements.push(
      code`if (!${validatorFunction("isMultipleOf")}(${value}, ${jsonLiteral(multipleOf)})) ${emitIssue(spot, "multiple", multipleOf)}`,
    );
  return statements;
}

/** The range that `format: int32` implies. */
const int32Range = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } as const;

function isSafe(bound: number | undefined): boolean {
  return bound !== undefined && Math.abs(bound) <= Number.MAX_SAFE_INTEGER;
}
