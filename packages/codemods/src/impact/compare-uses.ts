import { ts } from "ts-morph";
import type { ApiPart } from "./api-part.js";
import type { CallUse, CodeUse, CompareUse, MentionUse, StatusUse } from "./code-use.js";
import { declarationOf, readText, resolveConstant, unwrap } from "./expressions.js";
import { contentOf, propertiesOf } from "./object-uses.js";
import type { UseSearch } from "./use-search.js";

const comparisons: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

export function usesOfComparison(
  { left, right, operatorToken }: ts.BinaryExpression,
  search: UseSearch,
): readonly CodeUse[] {
  if (!comparisons.has(operatorToken.kind)) return [];
  return [...compareUses(left, right, search), ...compareUses(right, left, search)];
}

export function usesOfCase({ parent, expression }: ts.CaseClause, search: UseSearch): readonly CodeUse[] {
  return compareUses(parent.parent.expression, expression, search, true);
}

/** `["ok", "warn"].includes(pet.status)`, and `waitForPet(client, id, "ok")` */
export function usesOfIncludes(node: ts.CallExpression, search: UseSearch): readonly CodeUse[] {
  const { expression } = node;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
  const waited = search.names.stateOf(name);
  if (waited !== undefined)
    return node.arguments.flatMap((each): readonly CodeUse[] => {
      const value = unwrap(each);
      return ts.isStringLiteralLike(value)
        ? [{ kind: "compare", part: waited, node: value, value: value.text, isOneOfMany: true }]
        : [];
    });
  const [value] = node.arguments;
  if (value === undefined || name !== "includes" || !ts.isPropertyAccessExpression(expression)) return [];
  const list = resolveConstant(unwrap(expression.expression), search.reader.checker);
  if (!ts.isArrayLiteralExpression(list)) return [];
  // Where the list is written elsewhere, the place is that of the comparison.
  const isHere = list.parent === expression || unwrap(expression.expression) === list;
  return list.elements.flatMap((each) =>
    compareUses(value, each, search).map((use) => (isHere ? use : { ...use, node })),
  );
}

function compareUses(
  compared: ts.Expression,
  literal: ts.Expression,
  search: UseSearch,
  isOneOfMany = false,
): readonly CompareUse[] {
  const value = resolveConstant(unwrap(literal), search.reader.checker);
  if (!ts.isStringLiteralLike(value)) return [];
  return valueParts(compared, search).map((part) => ({
    kind: "compare",
    part,
    node: literal,
    value: value.text,
    isOneOfMany,
  }));
}

/** The parts that an expression has the value of, also through constants. */
function valueParts(expression: ts.Expression, search: UseSearch, depth = 0): readonly ApiPart[] {
  const { reader } = search;
  const { checker } = reader;
  const node = unwrap(expression);
  if (ts.isPropertyAccessExpression(node)) return reader.ofSymbol(checker.getSymbolAtLocation(node.name));
  if (!ts.isIdentifier(node) || depth > 4) return [];
  const declaration = declarationOf(node, checker);
  if (declaration === undefined) return [];
  if (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined)
    return valueParts(declaration.initializer, search, depth + 1);
  if (ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent)) {
    const name = readText(declaration.propertyName ?? declaration.name);
    const type = checker.getTypeAtLocation(declaration.parent);
    return name === undefined ? [] : reader.property(type, name).flatMap(reader.ofSymbol);
  }
  if (!ts.isParameter(declaration)) return [];
  return declaration.type === undefined
    ? reader.ofSymbol(checker.getTypeAtLocation(declaration).aliasSymbol)
    : valuesOfType(declaration.type, search);
}

/** `const labels: Record<Status, string> = {...}`: an object with an entry for each value. */
export function usesOfRecord(node: ts.ObjectLiteralExpression, search: UseSearch): readonly CodeUse[] {
  const { parent } = node;
  const type = ts.isVariableDeclaration(parent) || ts.isSatisfiesExpression(parent) ? parent.type : undefined;
  const [keys, values] = entriesOf(type);
  const parts = keys === undefined ? [] : valuesOfType(keys, search);
  const written = values === undefined ? [] : valuesOfType(values, search);
  const writes = written.flatMap((part) =>
    propertiesOf(node).map(({ at, value }) => ({ kind: "write" as const, part, node: at, value })),
  );
  const entries = parts.flatMap((part): readonly CodeUse[] => [
    { kind: "construct", part, node, ...contentOf(node, search.reader) },
    ...propertiesOf(node).map(({ name, at }) => ({
      kind: "compare" as const,
      part,
      node: at,
      value: name,
      isOneOfMany: true,
    })),
  ]);
  return [...entries, ...writes];
}

/** A text in a list, a map or a call, where one of the values of an `enum` is expected: `new Map<string, Status>([["a", "ok"]])`. */
export function usesOfText(node: ts.StringLiteralLike, search: UseSearch): readonly CodeUse[] {
  const { checker } = search.reader;
  if (!search.isWantedText(node.text) || isPropertyValue(node)) return [];
  const value = ts.isAsExpression(node.parent) ? node.parent : node;
  const type = checker.getContextualType(value);
  if (type === undefined || !type.isUnion()) return [];
  const texts = type.types.flatMap((each) => (each.isStringLiteral() ? [each.value] : []));
  return search.partsWithTexts(texts).map((part) => ({ kind: "write", part, node, value: node }));
}

/** Whether a text is the value of a property, also by a condition. These are uses of the property. */
function isPropertyValue(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return true;
  const isWrapper =
    ts.isConditionalExpression(parent) || ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent);
  return isWrapper && isPropertyValue(parent);
}

/** The types of the names and values of `Record<Status, string>` and `{ [Key in Status]: string }`. */
function entriesOf(type: ts.TypeNode | undefined): readonly (ts.TypeNode | undefined)[] {
  if (type === undefined) return [];
  if (ts.isMappedTypeNode(type)) return [type.typeParameter.constraint, type.type];
  return ts.isTypeReferenceNode(type) && type.typeName.getText() === "Record" ? (type.typeArguments ?? []) : [];
}

/** `priority: Priority = "low"` */
export function usesOfInitializer(
  { type, initializer }: ts.ParameterDeclaration | ts.VariableDeclaration | ts.PropertyDeclaration,
  search: UseSearch,
): readonly CodeUse[] {
  if (type === undefined || initializer === undefined || ts.isObjectLiteralExpression(initializer)) return [];
  return valuesOfType(type, search).map((part) => ({ kind: "write", part, node: initializer, value: initializer }));
}

/** The parts whose values a type has: `Pet["status"]`, a type of the API, or the user's name for one. */
function valuesOfType(type: ts.TypeNode, search: UseSearch, depth = 0): readonly ApiPart[] {
  const { reader } = search;
  const { checker } = reader;
  if (ts.isIndexedAccessTypeNode(type)) {
    const name = ts.isLiteralTypeNode(type.indexType) ? readText(type.indexType.literal) : undefined;
    const objectType = checker.getTypeFromTypeNode(type.objectType);
    return name === undefined ? [] : reader.property(objectType, name).flatMap(reader.ofSymbol);
  }
  if (!ts.isTypeReferenceNode(type) || depth > 4) return [];
  if (type.typeArguments !== undefined)
    return type.typeArguments.flatMap((each) => valuesOfType(each, search, depth + 1));
  const symbol = checker.getSymbolAtLocation(type.typeName);
  const parts = reader.ofSymbol(symbol);
  if (parts.length > 0) return parts;
  const actual = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return (actual?.declarations ?? []).flatMap((each) =>
    ts.isTypeAliasDeclaration(each) ? valuesOfType(each.type, search, depth + 1) : [],
  );
}

/** The comparisons of a status in the function around a call: `error.status === 409`. */
export function statusesOf({ part, node }: CallUse | MentionUse): readonly StatusUse[] {
  let scope: ts.Node = node;
  while (!ts.isSourceFile(scope.parent) && !ts.isClassLike(scope.parent)) scope = scope.parent;
  const uses: StatusUse[] = [];
  const visit = (at: ts.Node): void => {
    const [compared, value] =
      ts.isBinaryExpression(at) && comparisons.has(at.operatorToken.kind)
        ? [at.left, at.right]
        : ts.isCaseClause(at)
          ? [at.parent.parent.expression, at.expression]
          : [];
    const isStatus = compared !== undefined && /(^|\.)status$/.test(compared.getText());
    if (isStatus && value !== undefined && ts.isNumericLiteral(value))
      uses.push({ kind: "status", part, node: value, status: value.text });
    ts.forEachChild(at, visit);
  };
  visit(scope);
  return uses;
}
