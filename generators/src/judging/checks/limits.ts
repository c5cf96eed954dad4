import { code, literal, type Code } from "../../emit/printer.js";
import type { Limit, Shape } from "../../model/api.js";
import { $, $type } from "../runtime.js";
import { fault, type Scope, type Spot } from "./scope.js";

/** `x-limits` of a whole value: how long it is as JSON. */
export function valueLimits(shape: Shape, spot: Spot): readonly Code[] {
  return limitsOf(shape, "serialized-length").flatMap(({ max }) =>
    max === undefined
      ? []
      : [code`if (${$("serializedLength")}(${spot.value}) > ${literal(max)}) ${fault(spot, "serialized", max)}`],
  );
}

/** `x-limits` of a text: how many bytes it is; and scopes that someone asks for, which have a grammar. */
export function textLimits(scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  const { scopes } = scope.around;
  const bytes = limitsOf(shape, "bytes").flatMap(({ max }) =>
    max === undefined ? [] : [code`if (${$("bytesOf")}(${spot.value}) > ${literal(max)}) ${fault(spot, "bytes", max)}`],
  );
  if (shape.scopeCeiling === undefined || scopes === undefined) return bytes;
  const levels = Object.keys(scopes.levels);
  const grammar = { areas: scopes.areas, levels, all: scopes.all, separator: scopes.separator };
  const shared = scope.around.pool.share(
    "scope grammar",
    (own) => code`const ${own}: ${$type("ScopeGrammar")} = ${literal(grammar)};`,
  );
  const example = `${scopes.areas[0] ?? ""}:${levels[0] ?? ""}`;
  return [
    ...bytes,
    code`if (!${$("isScopes")}(${spot.value}, ${shared})) ${fault(spot, "scopes", scopes.all, example)}`,
  ];
}

/** `x-limits` of an object: how long several fields are together. */
export function objectLimits(_scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  return limitsOf(shape, "combined-length").flatMap(({ by = [], max }) =>
    max === undefined
      ? []
      : [
          code`if (${$("combinedLength")}(${spot.value}, ${literal(by)}) > ${literal(max)}) ${fault(spot, "combined", by, max)}`,
        ],
  );
}

/** `x-limits` of an array: no two items with the same key, and how long its texts are together. */
export function arrayLimits(_scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  const unique = limitsOf(shape, "unique").flatMap(({ by = [], within }) =>
    within === "array"
      ? [code`if (!${$("isUniqueBy")}(${spot.value}, ${literal(by)})) ${fault(spot, "unique", by)}`]
      : [],
  );
  const combined = limitsOf(shape, "combined-length").flatMap(({ max }) =>
    max === undefined
      ? []
      : [code`if (${$("textLength")}(${spot.value}) > ${literal(max)}) ${fault(spot, "combined", undefined, max)}`],
  );
  return [...unique, ...combined];
}

function limitsOf({ limits = [] }: Shape, kind: Limit["kind"]): readonly Limit[] {
  return limits.filter((limit) => limit.kind === kind);
}
