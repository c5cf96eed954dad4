import { type Schema, sizeLimits } from "../../../model/index.js";
import { code, joinCode, jsonLiteral, type Code } from "../../printer.js";
import { validatorFunction } from "../runtime.js";
import { customFormatChecks, hasCustomFormat } from "./custom.js";
import { emitIf, emitIssue, type CheckSite, type FunctionScope } from "./scope.js";

/**
 * Returns the checks of a number, without its type check. Integers beyond 2^53 are rejected, since a double cannot
 * represent each of them.
 */
export function numberChecks(
  scope: FunctionScope,
  schema: Schema,
  { spot, isInteger }: { readonly spot: CheckSite; readonly isInteger: boolean },
): readonly Code[] {
  const { value } = spot;
  const { multipleOf } = schema;
  const { least: above, most: below } = sizeLimits("exclusiveNumber", [schema]);
  const stated = sizeLimits("number", [schema]);
  const range = isInteger && schema.format === "int32" && !hasCustomFormat(scope, schema) ? int32Range : undefined;
  const least = stated.least ?? range?.least;
  const most = stated.most ?? range?.most;
  const outside = [
    ...(least === undefined ? [] : [code`${value} < ${jsonLiteral(least)}`]),
    ...(most === undefined ? [] : [code`${value} > ${jsonLiteral(most)}`]),
  ];
  const statements: Code[] = [];
  if (outside.length > 0)
    statements.push(emitIf(joinCode(outside, code` || `), [emitIssue(spot, "range", least, most)]));
  if (isInteger && !(isSafe(least) && isSafe(most)))
    statements.push(code`if (!Number.isSafeInteger(${value})) ${emitIssue(spot, "safeInteger")}`);
  if (above !== undefined)
    statements.push(code`if (${value} <= ${jsonLiteral(above)}) ${emitIssue(spot, "exclusiveMinimum", above)}`);
  if (below !== undefined)
    statements.push(code`if (${value} >= ${jsonLiteral(below)}) ${emitIssue(spot, "exclusiveMaximum", below)}`);
  if (multipleOf !== undefined)
    statements.push(
      code`if (!${validatorFunction("isMultipleOf")}(${value}, ${jsonLiteral(multipleOf)})) ${emitIssue(spot, "multiple", multipleOf)}`,
    );
  return [...statements, ...customFormatChecks(scope, schema, spot)];
}

/** The range that `format: int32` implies. */
const int32Range = { least: -(2 ** 31), most: 2 ** 31 - 1 } as const;

function isSafe(bound: number | undefined): boolean {
  return bound !== undefined && Math.abs(bound) <= Number.MAX_SAFE_INTEGER;
}
