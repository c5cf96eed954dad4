import { code, type Code } from "../../emit/printer.js";
import type { JsonType, Shape } from "../../model/api.js";
import { isBytes } from "../bytes.js";
import { $ } from "../runtime.js";
import { arrayChecks } from "./arrays.js";
import { conditionChecks } from "./conditions.js";
import { describedFields } from "./fields.js";
import { textLimits, valueLimits } from "./limits.js";
import { numberChecks } from "./numbers.js";
import { objectChecks } from "./objects.js";
import { below, fault, type Scope, type Spot } from "./scope.js";
import { textChecks } from "./texts.js";
import { chain, everyType, type Group } from "./types.js";
import { unionChecks } from "./unions.js";
import { valueChecks, valuesOf } from "./values.js";

/** Returns all checks of a schema, in its order. Each issue is added once. */
export function shapeChecks(scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  if (shape.never) return [fault(spot, "never")];
  const again = (each: Shape): readonly Code[] => shapeChecks(scope, each, spot);
  return [
    ...referenceChecks(scope, shape, spot),
    ...valueChecks(scope, shape, spot),
    ...typeChecks(scope, shape, spot),
    ...(shape.allOf ?? []).flatMap(again),
    ...unionChecks(scope, shape, spot),
    ...conditionChecks(scope, shape, spot, { shape: again, fault: (at) => fault(at, "not", excluded(shape)) }),
    ...valueLimits(shape, spot),
  ];
}

/** Returns the fields that exclude each other, or the excluded pattern, if `not` contains nothing else. */
function excluded({ not }: Shape): readonly string[] | string | undefined {
  if (not?.pattern !== undefined) {
    const { types, pattern, maxLength: _maxLength, origin: _origin, sources: _sources, ...others } = not;
    return Object.keys(others).length === 0 && types.every((type) => type === "string") ? pattern : undefined;
  }
  if (not?.required === undefined || not.required.length < 2) return undefined;
  const { required, types, properties = [], origin: _origin, sources: _sources, ...others } = not;
  const isPlain = Object.keys(others).length === 0 && types.every((type) => type === "object");
  return isPlain && properties.every(({ shape }) => isTypeOnly(shape)) ? required : undefined;
}

function isTypeOnly({ types: _types, origin: _origin, sources: _sources, ...others }: Shape): boolean {
  return Object.keys(others).length === 0;
}

/** Returns the same checks for a complete body, field or item, where unknown fields can be rejected. */
export function positionChecks(scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  const checks = shapeChecks(scope, shape, spot);
  const known = describedFields(scope, shape);
  if (known === undefined) return checks;
  const set = scope.around.pool.set(`${spot.hint} fields`, [...known]);
  const refuse = below(scope, spot, ({ value }) => [code`${$("refuseUnknown")}(${value}, faults, ${set});`]);
  return [...checks, code`if (reject) {\n${refuse}\n}`];
}

function referenceChecks(scope: Scope, { ref }: Shape, spot: Spot): readonly Code[] {
  if (ref === undefined) return [];
  const check = scope.around.refer(ref, scope.around.nulls);
  return below(scope, spot, ({ value }) => [code`${check}(${value}, faults, reject);`]);
}

function typeChecks(scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  const isListed = valuesOf(shape) !== undefined; // the list of values is stricter than the types
  const types = shape.types.length === 0 || isListed ? everyType : shape.types;
  const groups = groupsOf(scope, shape, spot, types);
  const checks = chain(groups, shape.types.length === 0 || isListed ? undefined : shape.types, spot);
  return isBytes(shape) && checks.length > 0
    ? [code`if (!(${spot.value} instanceof Blob)) {\n${checks}\n}`] // a file of a form, which is text wherever there are none
    : checks;
}

/** Returns the checks that a schema has for values of each type. */
export function groupsOf(scope: Scope, shape: Shape, spot: Spot, types: readonly JsonType[]): readonly Group[] {
  const distinct = types.includes("number") ? types.filter((type) => type !== "integer") : types;
  return distinct.map((type) => ({ type, statements: statementsOf(scope, shape, spot, type) }));
}

function statementsOf(scope: Scope, shape: Shape, spot: Spot, type: JsonType): readonly Code[] {
  switch (type) {
    case "string":
      return [...textChecks(scope, shape, spot), ...textLimits(scope, shape, spot)];
    case "number":
    case "integer":
      return numberChecks(shape, spot, type === "integer");
    case "array":
      return below(scope, spot, (inner) => arrayChecks(scope, shape, inner));
    case "object":
      return below(scope, spot, (inner) => objectChecks(scope, shape, inner));
    case "boolean":
    case "null":
      return [];
  }
}
