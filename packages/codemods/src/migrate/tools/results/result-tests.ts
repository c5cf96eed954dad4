import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { negate, type Outcome, type Test } from "./narrowing.js";
import type { ResultReference } from "./result-references.js";

/** An expression that tests a result, and what takes its place. */
export interface ResultTest extends Test {
  readonly node: ts.Expression;
  /** Whether it tests for a status beside success, so that it needs the response of a success or the error. */
  readonly status: number | undefined;
  readonly isNegated: boolean;
  /** Whether the code uses the value of `data && …` instead of only testing it. */
  readonly isValue: boolean;
}

/** The test that a mention of a result belongs to. Undefined where code uses the value. */
export function findResultTest(
  reference: ResultReference,
  operation: Operation,
  checker: ts.TypeChecker,
): ResultTest | undefined {
  const test = findTest(reference, checker) ?? findResponseStatusTest(reference, operation);
  return test && isAssertedBy(test.node, checker) ? { ...test, isAsserted: true } : test;
}

/** Whether an expression is what an assertion function asserts: `assert(data)`. */
function isAssertedBy(node: ts.Expression, checker: ts.TypeChecker): boolean {
  const { parent } = node;
  const isFirst =
    ts.isCallExpression(parent) && parent.arguments[0] === node && ts.isExpressionStatement(parent.parent);
  const signature = isFirst ? checker.getResolvedSignature(parent) : undefined;
  const predicate = signature && checker.getTypePredicateOfSignature(signature);
  return predicate?.kind === ts.TypePredicateKind.AssertsIdentifier && predicate.type === undefined;
}

function findTest({ field, node }: ResultReference, checker: ts.TypeChecker): ResultTest | undefined {
  if (field === "data" || field === "error") {
    const facts: Known = { test: isOk(field === "data"), isBoolean: false, status: undefined };
    const isAsserted = isAssertedBy(node, checker);
    return isAsserted
      ? { ...facts.test, node, status: undefined, isNegated: false, isValue: false }
      : climb(node, facts);
  }
  const isOkRead = ts.isPropertyAccessExpression(node.parent) && node.parent.name.text === "ok";
  return isOkRead ? climb(node.parent, { test: isOk(true), isBoolean: true, status: undefined }) : undefined;
}

/** `response.status === 404` is a test of a status, too. */
function findResponseStatusTest({ field, node }: ResultReference, operation: Operation): ResultTest | undefined {
  const { parent } = node;
  const isStatus = field === "response" && ts.isPropertyAccessExpression(parent) && parent.name.text === "status";
  return isStatus ? findStatusTest(parent, operation) : undefined;
}

function isOk(whenTrue: boolean): Test {
  return whenTrue ? { whenTrue: "ok", whenFalse: "error" } : { whenTrue: "error", whenFalse: "ok" };
}

interface Known {
  readonly test: Test;
  readonly isBoolean: boolean;
  readonly status: number | undefined;
}

function findStatusTest(node: ts.Expression, operation: Operation): ResultTest | undefined {
  const { parent } = node;
  if (!ts.isBinaryExpression(parent) || parent.left !== node || !ts.isNumericLiteral(parent.right)) return undefined;
  const value = Number(parent.right.text);
  const operator = parent.operatorToken.getText();
  const successes = operation.responses.map(({ status }) => status).filter((each) => String(each).startsWith("2"));
  const isOnlySuccess = successes.length === 1 && successes[0] === value;
  const equality = /^([=!])==?$/.exec(operator)?.[1];
  if (equality !== undefined) {
    const outcome: Outcome = value < 400 ? "ok" : "error";
    const test: Test = isOnlySuccess ? isOk(true) : { whenTrue: outcome, whenFalse: undefined };
    const facts = { test, isBoolean: true, status: isOnlySuccess ? undefined : value };
    const resultTest = climb(parent, facts);
    return equality === "!" && resultTest !== undefined
      ? { ...resultTest, ...negate(resultTest), isNegated: !resultTest.isNegated }
      : resultTest;
  }
  if (operator === ">=" && (value === 300 || value === 400))
    return climb(parent, { test: isOk(false), isBoolean: true, status: undefined });
  if (operator === "<" && (value === 300 || value === 400))
    return climb(parent, { test: isOk(true), isBoolean: true, status: undefined });
  return undefined;
}

/** Goes up to the outermost expression that only negates, or compares with undefined or null. */
function climb(start: ts.Expression, { test: first, isBoolean: starts, status }: Known): ResultTest | undefined {
  let node = start;
  let test = first;
  let isBoolean = starts;
  let isNegated = false;
  for (;;) {
    const { parent } = node;
    if (ts.isParenthesizedExpression(parent)) node = parent;
    else if (ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.ExclamationToken) {
      [node, test, isBoolean, isNegated] = [parent, negate(test), true, !isNegated];
    } else if (!isBoolean && isComparedWithNothing(node)) {
      const isEqual = parent.getText().slice(node.getText().length).trim().startsWith("=");
      [node, isBoolean] = [parent as ts.Expression, true];
      if (isEqual) [test, isNegated] = [negate(test), !isNegated];
    } else break;
  }
  const isValue = !isBoolean && !isTested(node) && isLeftOfAnd(node);
  return isBoolean || isTested(node) || isValue ? { ...test, node, status, isNegated, isValue } : undefined;
}

function isComparedWithNothing(node: ts.Expression): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    /^[=!]==?$/.test(parent.operatorToken.getText()) &&
    /^(undefined|null)$/.test(parent.right.getText())
  );
}

/** Whether code only tests an expression for truth. */
function isTested(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === node;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  if (ts.isPrefixUnaryExpression(parent)) return parent.operator === ts.SyntaxKind.ExclamationToken;
  if (ts.isParenthesizedExpression(parent)) return isTested(parent);
  return ts.isBinaryExpression(parent) && /^(&&|\|\|)$/.test(parent.operatorToken.getText()) && isTested(parent);
}

function isLeftOfAnd({ parent }: ts.Expression): boolean {
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
}
