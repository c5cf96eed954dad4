import { code, join, type Code } from "../../emit/printer.js";
import type { JsonType, Shape } from "../../model/api.js";
import { $ } from "../runtime.js";
import { fault, type Scope, type Spot } from "./scope.js";

/** The checks for values of one type. */
export interface Group {
  readonly type: JsonType;
  readonly statements: readonly Code[];
}

/** Emits the checks by type. If `types` is given, any other type is an issue. */
export function chain(groups: readonly Group[], types: readonly JsonType[] | undefined, spot: Spot): readonly Code[] {
  const wrong = types === undefined ? undefined : fault(spot, "type", ...(types.length === 1 ? types : [[...types]]));
  const [only, ...others] = groups;
  if (only !== undefined && others.length === 0 && wrong !== undefined) {
    const isNot = code`if (${testOf(only.type, spot.value, false)}) ${wrong}`;
    return [only.statements.length === 0 ? isNot : code`${isNot}\nelse {\n${only.statements}\n}`];
  }
  const busy = groups.filter(({ statements }) => statements.length > 0);
  const idle = groups.filter(({ statements }) => statements.length === 0);
  const branches = busy.map(({ type, statements }) => code`if (${testOf(type, spot.value, true)}) {\n${statements}\n}`);
  if (wrong !== undefined) {
    const none = idle.map(({ type }) => testOf(type, spot.value, false));
    branches.push(none.length === 0 ? wrong : code`if (${joinTests(none)}) ${wrong}`);
  }
  return branches.length === 0 ? [] : [join(branches, code` else `)];
}

function joinTests(tests: readonly Code[]): Code {
  return tests.length === 1 ? (tests[0] ?? code`true`) : code`(${join(tests, code`) && (`)})`;
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
      return is ? code`${$("isList")}(${value})` : code`!${$("isList")}(${value})`;
    case "object":
      return is ? code`${$("isObject")}(${value})` : code`!${$("isObject")}(${value})`;
  }
}

export const everyType: readonly JsonType[] = ["string", "number", "array", "object"];

/** Returns the types that a schema allows, by itself or by its reference, or `undefined` if it does not restrict them. */
export function statedTypes(
  scope: Pick<Scope, "named">,
  shape: Shape,
  seen: ReadonlySet<string> = new Set(),
): readonly JsonType[] | undefined {
  if (shape.types.length > 0) return shape.types;
  if (shape.ref === undefined || seen.has(shape.ref)) return undefined;
  return statedTypes(scope, scope.named(shape.ref), new Set([...seen, shape.ref]));
}

/** False if a schema certainly rejects null. */
export function allowsNull(scope: Pick<Scope, "named">, shape: Shape, seen: ReadonlySet<string> = new Set()): boolean {
  if (shape.never) return false;
  if (shape.types.length > 0 && !shape.types.includes("null")) return false;
  if (shape.const !== undefined && shape.const !== null) return false;
  if (shape.enum !== undefined && !shape.enum.includes(null)) return false;
  const allows = (each: Shape): boolean => allowsNull(scope, each, seen);
  if (shape.ref !== undefined && !seen.has(shape.ref)) {
    const further = new Set([...seen, shape.ref]);
    if (!allowsNull(scope, scope.named(shape.ref), further)) return false;
  }
  if (shape.allOf !== undefined && !shape.allOf.every(allows)) return false;
  if (shape.anyOf !== undefined && !shape.anyOf.some(allows)) return false;
  return shape.oneOf === undefined || shape.oneOf.some(allows);
}
