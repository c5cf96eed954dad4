import { ts } from "ts-morph";
import { findReferences } from "../../../handlers/syntax/references.js";

/**
 * What a property of an old result has: the data of successes, the body of errors, either of them, the response, its status or its headers.
 */
export type ResultField = "data" | "error" | "either" | "response" | "status" | "headers";

/** The properties of an old result. */
export type ResultFields = Readonly<Record<string, ResultField>>;

/** A mention of a property of an old result: `error`, or `result.error`. */
export interface ResultReference {
  readonly field: ResultField;
  readonly node: ts.Expression;
}

/** Finds all mentions of the properties of a result. Undefined if code uses the result in another way. */
export function findResultReferences(
  name: ts.BindingName,
  fields: ResultFields,
  checker: ts.TypeChecker,
): readonly ResultReference[] | undefined {
  if (ts.isArrayBindingPattern(name) || isExported(name)) return undefined;
  if (ts.isIdentifier(name)) {
    const found = referencesOf(name, checker).map((each) => propertyReference(each, fields));
    return found.every((each) => each !== undefined) ? found : undefined;
  }
  const all: ResultReference[] = [];
  for (const element of name.elements) {
    const field = fieldOf(element, fields);
    if (field === undefined || !ts.isIdentifier(element.name)) return undefined;
    const found = referencesOf(element.name, checker);
    if (found.some((each) => ts.isTypeQueryNode(each.parent) || isAssigned(each))) return undefined;
    all.push(...found.map((node) => ({ field, node })));
  }
  return all;
}

/** The field that an element of a pattern has. Undefined for defaults and rests. */
export function fieldOf(element: ts.BindingElement, fields: ResultFields): ResultField | undefined {
  const key = element.propertyName ?? element.name;
  const isPlain = element.initializer === undefined && element.dotDotDotToken === undefined;
  return isPlain && ts.isIdentifier(key) && Object.hasOwn(fields, key.text) ? fields[key.text] : undefined;
}

function propertyReference(node: ts.Identifier, fields: ResultFields): ResultReference | undefined {
  const { parent } = node;
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node || isAssigned(parent)) return undefined;
  const field = Object.hasOwn(fields, parent.name.text) ? fields[parent.name.text] : undefined;
  return field && { field, node: parent };
}

/** Each file is searched once, whatever the number of its variables. */
const referencesByFile = new WeakMap<ts.SourceFile, ReturnType<typeof findReferences>>();

/** All mentions of a variable, without its declaration. */
export function referencesOf(name: ts.Identifier, checker: ts.TypeChecker): readonly ts.Identifier[] {
  const symbol = checker.getSymbolAtLocation(name);
  const file = name.getSourceFile();
  const inFile = referencesByFile.get(file) ?? findReferences(file);
  referencesByFile.set(file, inFile);
  const all = inFile.get(name.text) ?? [];
  return all.filter((each) => each !== name && symbolOf(each, checker) === symbol);
}

function symbolOf(node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  return ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
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
