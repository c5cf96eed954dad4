import type { Schema } from "../../../model/index.js";
import { code, joinCode, jsonLiteral, type Code } from "../../printer.js";
import { validatorFunction } from "../runtime.js";
import { conditionHint, emitMatches } from "./conditions.js";
import type { FunctionScope, CheckSite } from "./scope.js";

/**
 * Emits an expression that is true if some keyword of the schema evaluates a field, so that `unevaluatedProperties`
 * beside it does not apply.
 * Branches count if they match. Returns `undefined` if no field is ever evaluated.
 */
export function isEvaluatedField(scope: FunctionScope, schema: Schema, spot: CheckSite, key: Code): Code | undefined {
  const here: Code[] = [];
  const names = (schema.properties ?? []).map((property) => property.name);
  if (names.length > 0) here.push(code`${scope.context.constants.set(`${spot.hint} fields`, names)}.has(${key})`);
  for (const pattern of Object.keys(schema.patternProperties ?? {}))
    here.push(code`${scope.context.constants.pattern(spot.hint, pattern, schema)}.test(${key})`);
  if (schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined) return code`true`;
  for (const [field, each] of Object.entries(schema.dependentSchemas ?? {})) {
    const inner = isEvaluatedField(scope, each, spot, key);
    if (inner !== undefined)
      here.push(code`(${validatorFunction("hasOwn")}(${spot.value}, ${jsonLiteral(field)}) && (${inner}))`);
  }
  return joinAlternatives([
    ...here,
    ...partTests(scope, schema, spot, (each) => isEvaluatedField(scope, each, spot, key)),
  ]);
}

/** Emits the same expression for the items of an array. */
export function isEvaluatedItem(scope: FunctionScope, schema: Schema, spot: CheckSite, index: Code): Code | undefined {
  if (schema.items !== undefined || schema.unevaluatedItems !== undefined) return code`true`;
  const here: Code[] = [];
  if (schema.prefixItems !== undefined) here.push(code`${index} < ${jsonLiteral(schema.prefixItems.length)}`);
  if (schema.contains !== undefined)
    here.push(
      emitMatches(scope, schema.contains, { value: code`${spot.value}[${index}]`, hint: `${spot.hint} contained` }),
    );
  return joinAlternatives([
    ...here,
    ...partTests(scope, schema, spot, (each) => isEvaluatedItem(scope, each, spot, index)),
  ]);
}

/** Emits the tests of subschemas, each on the condition that it matches. */
function partTests(
  scope: FunctionScope,
  schema: Schema,
  spot: CheckSite,
  evaluated: (part: Schema) => Code | undefined,
): readonly Code[] {
  const tests: Code[] = [];
  const applied = [schema.ref === undefined ? undefined : scope.resolve(schema.ref), ...(schema.allOf ?? [])];
  for (const part of applied) {
    const inner = part === undefined ? undefined : evaluated(part);
    if (inner !== undefined) tests.push(code`(${inner})`);
  }
  for (const branches of [schema.anyOf ?? [], schema.oneOf ?? []])
    tests.push(...branchTests(scope, branches, spot, evaluated));
  if (schema.if !== undefined) {
    const test = emitMatches(scope, schema.if, { ...spot, hint: conditionHint(spot.hint, schema.if) });
    const condition = evaluated(schema.if);
    const thenTest = schema.then === undefined ? undefined : evaluated(schema.then);
    const elseTest = schema.else === undefined ? undefined : evaluated(schema.else);
    const then = joinAlternatives([condition, thenTest].filter((each) => each !== undefined));
    tests.push(code`(${test} ? ${then ?? code`false`} : ${elseTest ?? code`false`})`);
  }
  return tests;
}

/** Emits the tests of the branches of a union. Where none matches, the union has an issue, and what a branch evaluates needs no other. */
function branchTests(
  scope: FunctionScope,
  branches: readonly Schema[],
  spot: CheckSite,
  evaluated: (part: Schema) => Code | undefined,
): readonly Code[] {
  const inner = branches.map(evaluated);
  const any = joinAlternatives(inner.filter((each) => each !== undefined));
  if (any === undefined || branches.length === 1) return any === undefined ? [] : [code`(${any})`];
  const matches = branches.map((branch) => emitMatches(scope, branch, { ...spot, hint: `${spot.hint} part` }));
  const tests = matches.flatMap((match, index) => {
    const test = inner[index];
    return test === undefined ? [] : [code`(${match} && (${test}))`];
  });
  return [...tests, code`(!(${joinCode(matches, code` || `)}) && (${any}))`];
}

function joinAlternatives(tests: readonly Code[]): Code | undefined {
  return tests.length === 0 ? undefined : joinCode(tests, code` || `);
}
