import { isOfJsonType, type Json, type Schema } from "../../../model/index.js";
import { code, joinCode, jsonLiteral, type Code } from "../../printer.js";
import { validatorFunction } from "../runtime.js";
import { emitIf, emitIssue, type FunctionScope, type CheckSite } from "./scope.js";

/** Emits `enum` and `const`. These replace the type check, and are reduced to the values of the allowed types. */
export function valueChecks(scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  const values = allowedValues(schema);
  if (values === undefined) return [];
  if (values.length === 0) return [emitIssue(spot, "false")];
  const [only] = values;
  const reported = values.length === 1 ? emitIssue(spot, "const", only) : emitIssue(spot, "enum", values);
  return [emitIf(noneOf(scope, values, spot), [reported])];
}

/** Returns the values that a schema lists and its types allow, or `undefined` if it has no list. */
export function allowedValues(schema: Schema): readonly Json[] | undefined {
  return listedValues(schema)?.filter(
    (value) => schema.types.length === 0 || schema.types.some((type) => isOfJsonType(value, type)),
  );
}

/** Returns the values that both `enum` and `const` allow. */
function listedValues({ const: only, enum: values }: Schema): readonly Json[] | undefined {
  if (only === undefined) return values;
  return values === undefined || values.some((each) => isSame(each, only)) ? [only] : [];
}

function isSame(a: Json, b: Json): boolean {
  if (isScalar(a) || isScalar(b)) return a === b;
  const [fields, others] = [Object.entries(a), new Map(Object.entries(b))];
  if (Array.isArray(a) !== Array.isArray(b) || fields.length !== others.size) return false;
  return fields.every(([field, value]) => {
    const other = others.get(field);
    return other !== undefined && isSame(value, other);
  });
}

function noneOf(scope: FunctionScope, values: readonly Json[], { value, hint }: CheckSite): Code {
  const scalars = values.filter(isScalar);
  const others = values.filter((each) => !isScalar(each));
  const tests = others.map((each) => code`!${validatorFunction("isEqual")}(${value}, ${jsonLiteral(each)})`);
  if (scalars.length > 4) tests.unshift(code`!${scope.context.constants.set(`${hint}Values`, scalars)}.has(${value})`);
  else tests.unshift(...scalars.map((each) => code`${value} !== ${jsonLiteral(each)}`));
  return joinCode(tests, code` && `);
}

function isScalar(value: Json): value is string | number | boolean | null {
  return typeof value !== "object" || value === null;
}
