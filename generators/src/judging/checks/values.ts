import { code, join, literal, type Code } from "../../emit/printer.js";
import type { Json, JsonType, Shape } from "../../model/api.js";
import { $ } from "../runtime.js";
import { fault, type Scope, type Spot } from "./scope.js";

/** Emits `enum` and `const`. These replace the type check, and are reduced to the values of the allowed types. */
export function valueChecks(scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  const values = valuesOf(shape);
  if (values === undefined) return [];
  if (values.length === 0) return [fault(spot, "never")];
  const [only] = values;
  const told = values.length === 1 ? fault(spot, "const", only) : fault(spot, "enum", values);
  return [code`if (${noneOf(scope, values, spot)}) ${told}`];
}

/** Returns the values that a schema lists and its types allow, or `undefined` if it has no list. */
export function valuesOf(shape: Shape): readonly Json[] | undefined {
  return listed(shape)?.filter((value) => shape.types.length === 0 || shape.types.some((type) => isOf(value, type)));
}

/** Returns the values that both `enum` and `const` allow. */
function listed({ const: only, enum: values }: Shape): readonly Json[] | undefined {
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
