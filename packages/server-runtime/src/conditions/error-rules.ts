import { isEqual } from "@plumbline/validator-runtime";
import { isArray, isObject } from "@plumbline/http-runtime";
import type { ErrorRule } from "../server-definition.js";
import type { RequestEvaluation } from "../request/request-evaluation.js";
import { mergeChange } from "./mutability.js";
import { isConditionMet, toWireValue } from "./conditions.js";
import { valuesAt } from "./expressions.js";
import type { EvaluationContext } from "./evaluation-context.js";

/** Checks the documented conditions under which a request fails. */
export function checkErrorRules(evaluation: RequestEvaluation): void {
  const { errorRules, errors } = evaluation.plan;
  let mergedContext: EvaluationContext | undefined;
  for (const rule of errorRules) {
    if (rule.merged?.every((field) => isUnchanged(field, evaluation)) === true) continue;
    if (rule.merged !== undefined)
      mergedContext ??= evaluation.withBody(mergeChange(evaluation.target, evaluation.body));
    const location = matchingPath(rule, rule.merged === undefined ? evaluation : (mergedContext ?? evaluation));
    if (location === undefined) continue;
    const about = errors[rule.id]?.field;
    const field = [location, typeof about === "string" && !about.startsWith("$") ? about : ""].filter(
      (each) => each !== "",
    );
    throw evaluation.error(rule.id, about === null || field.length === 0 ? {} : { field: field.join(".") });
  }
}

/** True if a request does not change a field. It is then not responsible for the stored value. */
function isUnchanged(field: string, { target, body }: RequestEvaluation): boolean {
  if (!isObject(body) || !Object.hasOwn(body, field)) return true;
  const stored = valuesAt(target, [field])[0];
  return isEqual(mergeChange(stored, body[field]), toWireValue(stored));
}

/** The location of the first object that satisfies a rule: "" for the body, `pools.0` for an item. Undefined if there is none. */
function matchingPath({ when, pointer }: ErrorRule, facts: EvaluationContext): string | undefined {
  if (pointer.length === 0) return isConditionMet(when, facts) ? "" : undefined;
  const found = pathsIn(facts.body, pointer).find((location) => {
    const value = valuesAt(facts.body, location.map(String))[0];
    return isConditionMet(when, { ...facts, self: { value, at: location } });
  });
  return found?.join(".");
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
