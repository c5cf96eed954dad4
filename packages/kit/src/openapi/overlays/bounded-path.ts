import { JSONPathEnvironment, jsonpath, type FilterFunction, type JSONPathQuery } from "json-p3";
import { fastTextLength } from "../patterns/backtracking.js";
import { countChildren, type StepBudget } from "./step-budget.js";

/**
 * Returns a compiler of JSONPath queries that charge an effort: for each node that a selector visits or that is
 * compared, and for the steps
 * of regular expressions. Depth is not limited here, because the input is at most a hundred levels deep.
 */
export function pathCompiler(effort: StepBudget): (query: string) => JSONPathQuery {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: Number.POSITIVE_INFINITY });
  for (const name of ["match", "search"])
    environment.functionRegister.set(name, withBudget(environment.functionRegister.get(name), effort));
  return (query) => {
    const compiled = environment.compile(query);
    for (const part of partsOf(compiled)) {
      if (part instanceof jsonpath.JSONPathSelector) chargeNodes(part, effort);
      if (part instanceof jsonpath.expressions.InfixExpression) chargeComparison(part, effort);
    }
    return compiled;
  };
}

/** Charges a name or index selector for one node, and any other selector for all children. */
function chargeNodes(selector: jsonpath.JSONPathSelector, { spend }: StepBudget): void {
  const { NameSelector, IndexSelector } = jsonpath.selectors;
  const isSingle = selector instanceof NameSelector || selector instanceof IndexSelector;
  const resolve = selector.resolve.bind(selector);
  selector.resolve = (node) => {
    spend(isSingle ? 1 : 1 + countChildren(node.value));
    return resolve(node);
  };
}

/** Objects and arrays are compared node by node. */
function chargeComparison(
  expression: InstanceType<typeof jsonpath.expressions.InfixExpression>,
  { spend }: StepBudget,
): void {
  if (expression.logical) return;
  const evaluate = expression.evaluate.bind(expression);
  expression.evaluate = (context) => {
    for (const side of [expression.left, expression.right]) {
      const value: unknown = side.evaluate(context);
      chargeValue(value instanceof jsonpath.JSONPathNodeList ? value.nodes.map((node) => node.value) : value, spend);
    }
    return evaluate(context);
  };
}

function chargeValue(value: unknown, spend: StepBudget["spend"]): void {
  if (typeof value !== "object" || value === null) return;
  spend(countChildren(value));
  for (const inside of Object.values(value)) chargeValue(inside, spend);
}

function withBudget(matcher: FilterFunction | undefined, { spend }: StepBudget): FilterFunction {
  if (matcher === undefined) throw new Error("the library of JSONPath has no such function");
  const { argTypes, returnType } = matcher;
  const patterns = new Set<string>();
  const call = (text: unknown, pattern: unknown): unknown => {
    if (typeof text !== "string" || typeof pattern !== "string") return false;
    if (!patterns.has(pattern)) spend(stepsPerPattern);
    patterns.add(pattern);
    spend(text.length);
    if (isPattern(pattern) && text.length > fastTextLength(pattern)) spend(Infinity);
    return matcher.call(text, pattern);
  };
  return { argTypes, returnType, call };
}

/** Steps to analyze a pattern. */
const stepsPerPattern = 50_000;

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u").source !== "";
  } catch {
    return false;
  }
}

/** Returns all parts of a compiled query: segments, selectors, filters and their contents. */
function partsOf(query: JSONPathQuery): readonly object[] {
  const parts = new Set<object>();
  const waiting: unknown[] = [query.segments];
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (typeof part !== "object" || part === null || part instanceof JSONPathEnvironment || parts.has(part)) continue;
    parts.add(part);
    waiting.push(...Object.values(part));
  }
  return [...parts];
}
