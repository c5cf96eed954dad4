import type { Limit, Schema } from "../../../model/index.js";
import { code, jsonLiteral, type Code } from "../../printer.js";
import { validatorFunction, validatorType } from "../runtime.js";
import { emitIssue, type FunctionScope, type CheckSite } from "./scope.js";

/** Emits the `x-limits` of a complete value: its length as JSON. */
export function valueLimits(schema: Schema, spot: CheckSite): readonly Code[] {
  return limitsOfKind(schema, "serialized-length").flatMap(({ max }) =>
    max === undefined
      ? []
      : [
          code`if (${validatorFunction("serializedLength")}(${spot.value}) > ${jsonLiteral(max)}) ${emitIssue(spot, "serialized", max)}`,
        ],
  );
}

/** Emits the `x-limits` of a string: its length in bytes. Also checks requested scopes against the scope grammar. */
export function stringLimits(scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  const { scopes } = scope.context;
  const bytes = limitsOfKind(schema, "bytes").flatMap(({ max }) =>
    max === undefined
      ? []
      : [
          code`if (${validatorFunction("utf8Length")}(${spot.value}) > ${jsonLiteral(max)}) ${emitIssue(spot, "bytes", max)}`,
        ],
  );
  if (schema.scopeCeiling === undefined || scopes === undefined) return bytes;
  const levels = Object.keys(scopes.levels);
  const grammar = { areas: scopes.areas, levels, all: scopes.all, separator: scopes.separator };
  const shared = scope.context.constants.share(
    "scope grammar",
    (name) => code`const ${name}: ${validatorType("ScopeSyntax")} = ${jsonLiteral(grammar)};`,
  );
  const example = `${scopes.areas[0] ?? ""}:${levels[0] ?? ""}`;
  return [
    ...bytes,
    code`if (!${validatorFunction("isScopeString")}(${spot.value}, ${shared})) ${emitIssue(spot, "scopes", scopes.all, example)}`,
  ];
}

/** Emits the `x-limits` of an object: the combined length of several fields. */
export function objectLimits(_scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  return limitsOfKind(schema, "combined-length").flatMap(({ by = [], max }) =>
    max === undefined
      ? []
      : [
          code`if (${validatorFunction("combinedLength")}(${spot.value}, ${jsonLiteral(by)}) > ${jsonLiteral(max)}) ${emitIssue(spot, "combined", by, max)}`,
        ],
  );
}

/** Emits the `x-limits` of an array: unique keys, and the combined length of its strings. */
export function arrayLimits(_scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  const unique = limitsOfKind(schema, "unique").flatMap(({ by = [], within }) =>
    within === "array"
      ? [
          code`if (!${validatorFunction("isUniqueBy")}(${spot.value}, ${jsonLiteral(by)})) ${emitIssue(spot, "unique", by)}`,
        ]
      : [],
  );
  const combined = limitsOfKind(schema, "combined-length").flatMap(({ max }) =>
    max === undefined
      ? []
      : [
          code`if (${validatorFunction("textLength")}(${spot.value}) > ${jsonLiteral(max)}) ${emitIssue(spot, "combined", undefined, max)}`,
        ],
  );
  return [...unique, ...combined];
}

function limitsOfKind({ limits = [] }: Schema, kind: Limit["kind"]): readonly Limit[] {
  return limits.filter((limit) => limit.kind === kind);
}
