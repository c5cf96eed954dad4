import type { JsonType, Schema } from "../../../model/index.js";
import { code, joinCode, type Code } from "../../printer.js";
import { validatorFunction } from "../runtime.js";
import { emitElse, emitIf, emitIssue, type FunctionScope, type CheckSite } from "./scope.js";

/** The checks for values of one type. */
export interface TypeGroup {
  readonly type: JsonType;
  readonly statements: readonly Code[];
}

/** Emits the checks by type. If `types` is given, any other type is an issue. */
export function emitTypeChain(
  groups: readonly TypeGroup[],
  types: readonly JsonType[] | undefined,
  spot: CheckSite,
): readonly Code[] {
  const wrong =
    types === undefined ? undefined : emitIssue(spot, "type", ...(types.length === 1 ? types : [[...types]]));
  const [only, ...others] = groups;
  if (only !== undefined && others.length === 0 && wrong !== undefined) {
    const isNot = emitIf(testOf(only.type, spot.value, false), [wrong]);
    return [only.statements.length === 0 ? isNot : code`${isNot}${emitElse(only.statements)}`];
  }
  const busy = groups.filter(({ statements }) => statements.length > 0);
  const idle = groups.filter(({ statements }) => statements.length === 0);
  const [sole, ...further] = busy;
  if (wrong === undefined && sole !== undefined && further.length === 0)
    return [emitIf(testOf(sole.type, spot.value, true), sole.statements)];
  const branches = busy.map(({ type, statements }) => code`if (${testOf(type, spot.value, true)}) {\n${statements}\n}`);
  if (wrong !== undefined) {
    const none = idle.map(({ type }) => testOf(type, spot.value, false));
    branches.push(none.length === 0 ? wrong : code`if (${joinTests(none)}) ${wrong}`);
  }
  return branches.length === 0 ? [] : [joinCode(branches, code` else `)];
}

function joinTests(tests: readonly Code[]): Code {
  return tests.length === 1 ? (tests[0] ?? code`true`) : code`(${joinCode(tests, code`) && (`)})`;
}

function testOf(type: JsonType, value: Code, is: boolean): Code {
  switch (type) {
    case "null":
      return is ? code`${value} === null` : code`${value} !== null`;
    case "boolean":
      return is ? code`typeof ${value} === "boolean"` : code`typeof ${value} !== "boolean"`;
    case "string":
      return is ? code`typeof ${value} === "string"` : code`typeof ${value} !== "string"`;
    case "number":
      return is
        ? code`typeof ${value} === "number" && Number.isFinite(${value})`
        : code`typeof ${value} !== "number" || !Number.isFinite(${value})`;
    case "integer":
      return is
        ? code`typeof ${value} === "number" && Number.isInteger(${value})`
        : code`typeof ${value} !== "number" || !Number.isInteger(${value})`;
    case "array":
      return is ? code`${validatorFunction("isArray")}(${value})` : code`!${validatorFunction("isArray")}(${value})`;
    case "object":
      return is ? code`${validatorFunction("isObject")}(${value})` : code`!${validatorFunction("isObject")}(${value})`;
  }
}

export const allJsonTypes: readonly JsonType[] = ["string", "number", "array", "object"];

/** Returns the types that a schema allows, by itself or by its reference, or `undefined` if it does not restrict them. */
export function declaredTypes(
  scope: Pick<FunctionScope, "resolve">,
  schema: Schema,
  visited: ReadonlySet<string> = new Set(),
): readonly JsonType[] | undefined {
  if (schema.types.length > 0) return schema.types;
  if (schema.ref === undefined || visited.has(schema.ref)) return undefined;
  return declaredTypes(scope, scope.resolve(schema.ref), new Set([...visited, schema.ref]));
}

/** False if a schema certainly rejects null. */
export function allowsNull(
  scope: Pick<FunctionScope, "resolve">,
  schema: Schema,
  visited: ReadonlySet<string> = new Set(),
): boolean {
  if (schema.never) return false;
  if (schema.types.length > 0 && !schema.types.includes("null")) return false;
  if (schema.const !== undefined && schema.const !== null) return false;
  if (schema.enum !== undefined && !schema.enum.includes(null)) return false;
  const allows = (each: Schema): boolean => allowsNull(scope, each, visited);
  if (schema.ref !== undefined && !visited.has(schema.ref)) {
    const further = new Set([...visited, schema.ref]);
    if (!allowsNull(scope, scope.resolve(schema.ref), further)) return false;
  }
  if (schema.allOf !== undefined && !schema.allOf.every(allows)) return false;
  if (schema.anyOf !== undefined && !schema.anyOf.some(allows)) return false;
  return schema.oneOf === undefined || schema.oneOf.some(allows);
}
