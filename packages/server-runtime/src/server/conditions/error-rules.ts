import { isArray, isObject } from "../../http/index.js";
import { isEqual } from "../../validator/index.js";
import { isConditionMet, toWireValue, type Condition } from "./conditions.js";
import { withBody, withSelf, type EvaluationContext } from "./evaluation-context.js";
import { valuesAt } from "./expressions.js";
import { mergeChange } from "./mutability.js";

/** A documented error and the condition on which the server responds with it. */
export interface ErrorRule {
  readonly id: string;
  readonly when: Condition;
  /** JSON pointer to the object in the body that the condition evaluates; `*` stands for each item. Empty for the body itself. */
  readonly pointer: readonly string[];
  /** Where the condition evaluates the merged object: the server rejects a request only if it changes one of these fields. */
  readonly merged?: readonly string[];
}

/** A documented error whose condition holds, and where: "" for the body, `pools.0` for an item. */
export interface MetErrorRule {
  readonly rule: ErrorRule;
  readonly location: string;
}

/** Finds the first documented condition under which a request fails. */
export function findMetErrorRule(rules: readonly ErrorRule[], facts: EvaluationContext): MetErrorRule | undefined {
  let mergedContext: EvaluationContext | undefined;
  for (const rule of rules) {
    if (rule.merged?.every((field) => isUnchanged(field, facts)) === true) continue;
    if (rule.merged !== undefined) mergedContext ??= withBody(facts, mergeChange(facts.target, facts.body));
    const location = matchingPath(rule, rule.merged === undefined ? facts : (mergedContext ?? facts));
    if (location !== undefined) return { rule, location };
  }
  return undefined;
}

/** True if a request does not change a field. It is then not responsible for the stored value. */
function isUnchanged(field: string, { target, body }: EvaluationContext): boolean {
  if (!isObject(body) || !Object.hasOwn(body, field)) return true;
  const stored = valuesAt(target, [field])[0];
  return isEqual(mergeChange(stored, body[field]), toWireValue(stored));
}

/** The location of the first object that satisfies a rule: "" for the body, `pools.0` for an item. Undefined if there is none. */
function matchingPath({ when, pointer }: ErrorRule, facts: EvaluationContext): string | undefined {
  if (pointer.length === 0) return isConditionMet(when, facts) ? "" : undefined;
  const path = pathsIn(facts.body, pointer).find((location) => {
    const value = valuesAt(facts.body, location.map(String))[0];
    return isConditionMet(when, withSelf(facts, { value, at: location }));
  });
  return path?.join(".");
}

type ValuePath = readonly (string | number)[];

function pathsIn(value: unknown, [token, ...rest]: readonly string[]): readonly ValuePath[] {
  if (token === undefined) return value === undefined ? [] : [[]];
  return childrenOf(value, token).flatMap(([key, child]) => pathsIn(child, rest).map((way) => [key, ...way]));
}

function childrenOf(value: unknown, token: string): readonly (readonly [string | number, unknown])[] {
  if (token !== "*") return [[token, valuesAt(value, [token])[0]]];
  if (isArray(value)) return value.map((each, index) => [index, each] as const);
  return isObject(value) ? Object.entries(value) : [];
}
