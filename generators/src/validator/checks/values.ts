import { code, join, literal, type Code } from "../../emit/printer.js";
import type { Json, JsonType, Shape } from "../../model/api.js";
import { $ } from "../runtime.js";
import { fault, type Scope, type Spot } from "./scope.js";

/** `enum` and `const`. Where there is one, it says more than the types, and only the values of those types are left in it. */
export function valueChecks(scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  const values = valuesOf(shape);
  if (values === undefined) return [];
  if (values.length === 0) return [fault(spot, "never")];
  const [only] = values;
  const told = values.length === 1 ? fault(spot, "const", only) : fault(spot, "enum", values);
  return [code`if (${noneOf(scope, values, spot)}) ${told}`];
}

/** What a shape lists, as far as its types allow it; undefined when it lists nothing. */
export function valuesOf(shape: Shape): readonly Json[] | undefined {
  const listed = shape.const === undefined ? shape.enum : [shape.const];
  return listed?.filter((value) => shape.types.length === 0 || shape.types.some((type) => isOf(value, type)));
}

function noneOf(scope: Scope, values: readonly Json[], { value, hint }: Spot): Code {
  const scalars = values.filter(isScalar);
  const others = values.filter((each) => !isScalar(each));
  const tests = others.map((each) => code`!${$("isEqual")}(${value}, ${literal(each)})`);
  if (scalars.length > 4) tests.unshift(code`!${scope.around.pool.set(`${hint}Values`, scalars)}.has(${value})`);
  else tests.unshift(...scalars.map((each) => code`${value} !== ${literal(each)}`));
  return join(tests, code` && `);
}

function isScalar(value: Json): value is string | number | boolean | null {
  return typeof value !== "object" || value === null;
}

function isOf(value: Json, type: JsonType): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "boolean":
    case "number":
    case "string":
      return typeof value === type;
  }
}
