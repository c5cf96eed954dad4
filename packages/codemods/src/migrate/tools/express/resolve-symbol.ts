import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";

/** A function of the user's code. */
export type UserFunction = ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration | ts.MethodDeclaration;

/** The symbol that an expression names, behind imports and re-exports. */
export function resolveSymbol(node: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  const name = ts.isPropertyAccessExpression(node) ? node.name : node;
  const symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
  return symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The function that an expression is or names: written in place, declared, or the value of a constant or a property. */
export function resolveFunction(node: ts.Node, checker: ts.TypeChecker, depth = 0): UserFunction | undefined {
  const value = ts.isExpression(node) ? unwrap(node) : node;
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return value;
  if (ts.isFunctionDeclaration(value) || ts.isMethodDeclaration(value))
    return value.body === undefined ? undefined : value;
  if (depth > 5) return undefined;
  const declaration =
    ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)
      ? resolveSymbol(value, checker)?.valueDeclaration
      : undefined;
  if (declaration === undefined) return undefined;
  if (ts.isShorthandPropertyAssignment(declaration)) return resolveFunction(declaration.name, checker, depth + 1);
  const next =
    ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration)
      ? declaration.initializer
      : declaration;
  return next === undefined ? undefined : resolveFunction(next, checker, depth + 1);
}

/** The identifiers in a node that refer to a parameter, and not to another one of its name. */
export function referencesTo(name: ts.Identifier, within: ts.Node, checker: ts.TypeChecker): readonly ts.Identifier[] {
  const symbol = checker.getSymbolAtLocation(name);
  const identifiers: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node !== name && node.text === name.text) {
      const other = ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node);
      if (other === symbol) identifiers.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(within);
  return identifiers;
}
