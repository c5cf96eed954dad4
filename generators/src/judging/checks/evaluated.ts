import { code, join, literal, type Code } from "../../emit/printer.js";
import type { Shape } from "../../model/api.js";
import { $ } from "../runtime.js";
import { holds } from "./conditions.js";
import type { Scope, Spot } from "./scope.js";

/**
 * Emits an expression that is true if some keyword of the schema evaluates a field, so that `unevaluatedProperties`
 * beside it does not apply.
 * Branches count if they match. Returns `undefined` if no field is ever evaluated.
 */
export function isEvaluatedField(scope: Scope, shape: Shape, spot: Spot, key: Code): Code | undefined {
  const here: Code[] = [];
  const names = (shape.properties ?? []).map((property) => property.name);
  if (names.length > 0) here.push(code`${scope.around.pool.set(`${spot.hint} fields`, names)}.has(${key})`);
  for (const pattern of Object.keys(shape.patternProperties ?? {}))
    here.push(code`${scope.around.pool.pattern(spot.hint, pattern, shape.origin)}.test(${key})`);
  if (shape.additionalProperties !== undefined || shape.unevaluatedProperties !== undefined) return code`true`;
  for (const [field, each] of Object.entries(shape.dependentSchemas ?? {})) {
    const inner = isEvaluatedField(scope, each, spot, key);
    if (inner !== undefined) here.push(code`(${$("hasOwn")}(${spot.value}, ${literal(field)}) && (${inner}))`);
  }
  return either([...here, ...within(scope, shape, spot, (each) => isEvaluatedField(scope, each, spot, key))]);
}

/** Emits the same expression for the items of an array. */
export function isEvaluatedItem(scope: Scope, shape: Shape, spot: Spot, index: Code): Code | undefined {
  if (shape.items !== undefined || shape.unevaluatedItems !== undefined) return code`true`;
  const here: Code[] = [];
  if (shape.prefixItems !== undefined) here.push(code`${index} < ${literal(shape.prefixItems.length)}`);
  if (shape.contains !== undefined)
    here.push(holds(scope, shape.contains, { value: code`${spot.value}[${index}]`, hint: `${spot.hint} contained` }));
  return either([...here, ...within(scope, shape, spot, (each) => isEvaluatedItem(scope, each, spot, index))]);
}

/** Emits the tests of subschemas, each on the condition that it matches. */
function within(scope: Scope, shape: Shape, spot: Spot, evaluated: (part: Shape) => Code | undefined): readonly Code[] {
  const found: Code[] = [];
  const where = (part: Shape, isTried: boolean): void => {
    const inner = evaluated(part);
    if (inner === undefined) return;
    found.push(
      isTried ? code`(${holds(scope, part, { ...spot, hint: `${spot.hint} part` })} && (${inner}))` : code`(${inner})`,
    );
  };
  if (shape.ref !== undefined) where(scope.named(shape.ref), false);
  for (const part of shape.allOf ?? []) where(part, false);
  for (const part of [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]) where(part, true);
  if (shape.if !== undefined) {
    const test = holds(scope, shape.if, { ...spot, hint: `${spot.hint} if` });
    const condition = evaluated(shape.if);
    const met = shape.then === undefined ? undefined : evaluated(shape.then);
    const unmet = shape.else === undefined ? undefined : evaluated(shape.else);
    const then = either([condition, met].filter((each) => each !== undefined));
    found.push(code`(${test} ? ${then ?? code`false`} : ${unmet ?? code`false`})`);
  }
  return found;
}

function either(tests: readonly Code[]): Code | undefined {
  return tests.length === 0 ? undefined : join(tests, code` || `);
}
