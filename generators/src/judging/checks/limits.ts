import { code, literal, type Code } from "../../emit/printer.js";
import type { Limit, Shape } from "../../model/api.js";
import { $, $type } from "../runtime.js";
import { fault, type Scope, type Spot } from "./scope.js";

/** Emits the `x-limits` of a complete value: its length as JSON. */
export function valueLimits(shape: Shape, spot: Spot): readonly Code[] {
  return limitsOf(shape, "serialized-length").flatMap(({ max }) =>
    max === undefined
      ? []
      : [code`if (${$("serializedLength")}(${spot.value}) > ${literal(max)}) ${fault(spot, "serialized", max)}`],
  );
}

/** Emits the `x-limits` of a string: its length in bytes. Also checks requested scopes against the scope grammar. */
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

/** Emits the `x-limits` of an object: the combined length of several fields. */
export function objectLimits(_scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  return limitsOf(shape, "combined-length").flatMap(({ by = [], max }) =>
    max === undefined
      ? []
      : [
          code`if (${$("combinedLength")}(${spot.value}, ${literal(by)}) > ${literal(max)}) ${fault(spot, "combined", by, max)}`,
        ],
  );
}

/** Emits the `x-limits` of an array: unique keys, and the combined length of its strings. */
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
