import { ts } from "ts-morph";

/** What is known about a result where an expression is true or false, or at a place in code. */
export type Outcome = "ok" | "error";

/** What an expression says about a result. */
export interface Test {
  readonly whenTrue: Outcome | undefined;
  readonly whenFalse: Outcome | undefined;
  /** Whether code goes on only if the expression is true: `assert(data)`. */
  readonly isAsserted?: boolean;
}

/** The expressions that test a result, such as `error !== undefined`. */
export type Tests = ReadonlyMap<ts.Node, Test>;

const unknown: Test = { whenTrue: undefined, whenFalse: undefined };

/** What is known about a result at a node, from the conditions around it and the early exits before it. */
export function outcomeAt(node: ts.Node, tests: Tests): Outcome | undefined {
  return outcomesAt(node, tests)[0];
}

/** Whether conditions around a node contradict each other. The compiler then has no type for the result. */
export function isUnreachable(node: ts.Node, tests: Tests): boolean {
  return new Set(outcomesAt(node, tests)).size > 1;
}

/** The outcomes of all conditions around a node, the innermost first. */
function outcomesAt(node: ts.Node, tests: Tests): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  for (let at = node; !ts.isSourceFile(at); at = at.parent) outcomes.push(...(outcomeIn(at.parent, at, tests) ?? []));
  return outcomes;
}

/** What is known about a result where a child of a node is evaluated. */
function outcomeIn(parent: ts.Node, child: ts.Node, tests: Tests): readonly Outcome[] | undefined {
  const outcome = branchOutcome(parent, child, tests);
  if (outcome !== undefined) return [outcome];
  const statements = ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseClause(parent) ? parent.statements : [];
  const index = statements.findIndex((each) => each === child);
  return statements
    .slice(0, Math.max(index, 0))
    .flatMap((each) => outcomeAfter(each, tests) ?? [])
    .toReversed();
}

/** What a condition says about its branches. */
function branchOutcome(parent: ts.Node, child: ts.Node, tests: Tests): Outcome | undefined {
  if (ts.isIfStatement(parent)) {
    if (child === parent.thenStatement) return testOf(parent.expression, tests).whenTrue;
    return child === parent.elseStatement ? testOf(parent.expression, tests).whenFalse : undefined;
  }
  if (ts.isConditionalExpression(parent)) {
    if (child === parent.whenTrue) return testOf(parent.condition, tests).whenTrue;
    return child === parent.whenFalse ? testOf(parent.condition, tests).whenFalse : undefined;
  }
  if (ts.isBinaryExpression(parent) && child === parent.right) {
    const operator = parent.operatorToken.kind;
    if (operator === ts.SyntaxKind.AmpersandAmpersandToken) return testOf(parent.left, tests).whenTrue;
    return operator === ts.SyntaxKind.BarBarToken ? testOf(parent.left, tests).whenFalse : undefined;
  }
  return undefined;
}

/** What is known behind a statement that exits for one of the outcomes. */
function outcomeAfter(statement: ts.Statement, tests: Tests): Outcome | undefined {
  if (ts.isExpressionStatement(statement) && ts.isCallExpression(statement.expression)) {
    const [asserted] = statement.expression.arguments;
    const test = asserted && tests.get(asserted);
    return test?.isAsserted === true ? test.whenTrue : undefined;
  }
  if (!ts.isIfStatement(statement)) return undefined;
  const { whenTrue, whenFalse } = testOf(statement.expression, tests);
  if (exits(statement.thenStatement))
    return whenFalse ?? (statement.elseStatement && outcomeAfter(statement.elseStatement, tests));
  return statement.elseStatement !== undefined && exits(statement.elseStatement) ? whenTrue : undefined;
}

function exits(statement: ts.Statement): boolean {
  if (ts.isBlock(statement)) {
    const last = statement.statements.at(-1);
    return last !== undefined && exits(last);
  }
  if (ts.isIfStatement(statement))
    return statement.elseStatement !== undefined && exits(statement.thenStatement) && exits(statement.elseStatement);
  if (ts.isSwitchStatement(statement)) return exitsInEachCase(statement.caseBlock);
  return (
    ts.isReturnStatement(statement) ||
    ts.isThrowStatement(statement) ||
    ts.isContinueStatement(statement) ||
    ts.isBreakStatement(statement)
  );
}

/** Whether a switch has a default, and returns or throws in each case. */
function exitsInEachCase({ clauses }: ts.CaseBlock): boolean {
  const isLeft = (last: ts.Statement | undefined): boolean =>
    last !== undefined && !ts.isBreakStatement(last) && exits(last);
  return (
    clauses.some(ts.isDefaultClause) &&
    clauses.every(
      ({ statements }, index) => isLeft(statements.at(-1)) || (statements.length === 0 && index < clauses.length - 1),
    )
  );
}

/** What an expression says about a result. */
export function testOf(node: ts.Expression, tests: Tests): Test {
  const test = tests.get(node);
  if (test !== undefined) return test;
  if (ts.isParenthesizedExpression(node)) return testOf(node.expression, tests);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return negate(testOf(node.operand, tests));
  if (!ts.isBinaryExpression(node)) return unknown;
  const [left, right] = [testOf(node.left, tests), testOf(node.right, tests)];
  const same = (key: "whenTrue" | "whenFalse"): Outcome | undefined =>
    left[key] === right[key] ? left[key] : undefined;
  if (node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return { whenTrue: left.whenTrue ?? right.whenTrue, whenFalse: same("whenFalse") };
  if (node.operatorToken.kind === ts.SyntaxKind.BarBarToken)
    return { whenTrue: same("whenTrue"), whenFalse: left.whenFalse ?? right.whenFalse };
  return unknown;
}

/** The test of the opposite expression. */
export function negate({ whenTrue, whenFalse }: Test): Test {
  return { whenTrue: whenFalse, whenFalse: whenTrue };
}
