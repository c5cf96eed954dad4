import { ts } from "ts-morph";
import type { CallUse, ResultUse } from "./code-use.js";
import type { UseSearch } from "./use-search.js";

/** The places that read the result of a call: `(await listPets(client)).map(...)`, or what a variable with it is used for. */
export function resultsOf({ part, node }: CallUse, { reader }: UseSearch): readonly ResultUse[] {
  const { checker } = reader;
  const result = resultOf(node);
  if (result === undefined) return [];
  const { parent } = result;
  if (isRead(result)) return [{ kind: "result", part, node: parent }];
  const name = ts.isVariableDeclaration(parent) && parent.initializer === result ? resultName(parent.name) : undefined;
  if (name === undefined) return [];
  const symbol = checker.getSymbolAtLocation(name);
  let scope: ts.Node = parent;
  while (!ts.isBlock(scope) && !ts.isSourceFile(scope)) scope = scope.parent;
  const uses: ResultUse[] = [];
  const visit = (at: ts.Node): void => {
    if (
      ts.isIdentifier(at) &&
      at !== name &&
      at.text === name.text &&
      isRead(at) &&
      checker.getSymbolAtLocation(at) === symbol
    )
      uses.push({ kind: "result", part, node: at });
    ts.forEachChild(at, visit);
  };
  visit(scope);
  return uses;
}

/** The expression with the result: that of the call, of `await`, and of functions such as `withResponse` and `fetchQuery` around it. */
export function resultOf(node: ts.Node): ts.Expression | undefined {
  let at = node;
  while (!ts.isCallExpression(at)) {
    if (ts.isStatement(at) || ts.isSourceFile(at)) return undefined;
    at = at.parent;
  }
  let result: ts.Expression = at;
  for (;;) {
    const { parent } = result;
    const isAround =
      ts.isAwaitExpression(parent) ||
      ts.isParenthesizedExpression(parent) ||
      ts.isNonNullExpression(parent) ||
      (ts.isCallExpression(parent) && parent.expression !== result);
    if (!isAround) return result;
    result = parent;
  }
}

/** The variable for a result: itself, or `data` of openapi-fetch and `withResponse`. */
function resultName(name: ts.BindingName): ts.Identifier | undefined {
  if (ts.isIdentifier(name)) return name;
  if (ts.isArrayBindingPattern(name)) return undefined;
  const data = name.elements.find((each) => (each.propertyName ?? each.name).getText() === "data");
  return data !== undefined && ts.isIdentifier(data.name) ? data.name : undefined;
}

/** Whether an expression is read from, or iterated over. */
function isRead(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) return parent.expression === node;
  return (ts.isForOfStatement(parent) && parent.expression === node) || ts.isSpreadElement(parent);
}
