import { ts } from "ts-morph";
import { referencesOf, symbolOf } from "../variable-references.js";

/** A property of an old result: the data of successes, the body of errors, or the response. */
export type ResultField = "data" | "error" | "response";

/** A mention of a property of an old result: `error`, or `result.error`. */
export interface ResultReference {
  readonly field: ResultField;
  readonly node: ts.Expression;
}

/** Finds all mentions of the properties of a result. Undefined if code uses the result in another way. */
export function findResultReferences(
  name: ts.BindingName,
  checker: ts.TypeChecker,
): readonly ResultReference[] | undefined {
  if (ts.isArrayBindingPattern(name) || isExported(name)) return undefined;
  if (ts.isIdentifier(name)) {
    const references = referencesOf(name, checker).map((each) => propertyReference(each));
    return references.every((each) => each !== undefined) ? references : undefined;
  }
  const all: ResultReference[] = [];
  for (const element of name.elements) {
    const field = fieldOf(element);
    if (field === undefined || !ts.isIdentifier(element.name)) return undefined;
    const references = referencesOf(element.name, checker);
    if (references.some((each) => ts.isTypeQueryNode(each.parent) || isAssigned(each))) return undefined;
    all.push(...references.map((node) => ({ field, node })));
  }
  return all;
}

/** The field that an element of a pattern has. Undefined for defaults and rests. */
export function fieldOf(element: ts.BindingElement): ResultField | undefined {
  const key = element.propertyName ?? element.name;
  const isPlain = element.initializer === undefined && element.dotDotDotToken === undefined;
  return isPlain && ts.isIdentifier(key) && isResultField(key.text) ? key.text : undefined;
}

function propertyReference(node: ts.Identifier): ResultReference | undefined {
  const { parent } = node;
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node || isAssigned(parent)) return undefined;
  const { text } = parent.name;
  return isResultField(text) ? { field: text, node: parent } : undefined;
}

function isResultField(name: string): name is ResultField {
  return name === "data" || name === "error" || name === "response";
}

/** Whether the compiler knows more about a value than its declaration says, from conditions around it. */
export function isNarrowed(node: ts.Expression, checker: ts.TypeChecker): boolean {
  // `data?.name` and `data ?? []` need no knowledge, and computing their types takes longest.
  if (expectsNothing(node)) return false;
  const declared = declaredTypeOf(node, checker);
  return (
    declared !== undefined && checker.typeToString(declared) !== checker.typeToString(checker.getTypeAtLocation(node))
  );
}

function expectsNothing(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.questionDotToken !== undefined;
  return ts.isBinaryExpression(parent) && parent.left === node && /^(\?\?|\|\|)$/.test(parent.operatorToken.getText());
}

/** The type of a variable, or of a property of one, without conditions. */
function declaredTypeOf(node: ts.Expression, checker: ts.TypeChecker): ts.Type | undefined {
  if (ts.isIdentifier(node)) {
    const declaration = symbolOf(node, checker)?.valueDeclaration;
    const name = declaration && "name" in declaration ? (declaration.name as ts.Node) : undefined;
    return name && checker.getTypeAtLocation(name);
  }
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const property = declaredTypeOf(node.expression, checker)?.getProperty(node.name.text);
  return property && checker.getTypeOfSymbolAtLocation(property, node);
}

function isAssigned(node: ts.Expression): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  );
}

function isExported(name: ts.BindingName): boolean {
  const statement = name.parent.parent.parent;
  return (
    ts.isVariableStatement(statement) &&
    (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}
