import { ts } from "ts-morph";
import type { ApiNames, ApiPart } from "./api-part.js";
import type { CallUse, CodeUse } from "./code-use.js";
import { isGuarded, isWritten, readText, unwrap } from "./expressions.js";
import type { PartReader } from "./part-reader.js";
import { usesOfPathCall } from "./path-calls.js";

/** What a search for uses needs. */
export interface UseSearch {
  readonly reader: PartReader;
  readonly names: ApiNames;
  /** The names of the properties, functions and types that matter. Others are not resolved. */
  readonly isWanted: (name: string) => boolean;
  /** Whether objects matter that lack a property. */
  readonly wantsObjects: boolean;
}

interface FileSearch extends UseSearch {
  /** Whether the file has imported a part of the API under this name. */
  readonly isImported: (name: string) => boolean;
}

/** The names of the parts of a request. */
const requestGroups: ReadonlySet<string> = new Set(["path", "query", "headers", "cookies", "body"]);

/** Collects the uses of an API in a file, in order. */
export function collectUses(file: ts.SourceFile, search: UseSearch): readonly CodeUse[] {
  const uses: CodeUse[] = [];
  const imported = importedParts(file, search);
  const isImported = (name: string): boolean => imported.some(({ node }) => node.text === name);
  const inFile = { ...search, isImported, isWanted: (name: string) => search.isWanted(name) || isImported(name) };
  const visit = (node: ts.Node): void => {
    uses.push(...usesAt(node, inFile));
    if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
  };
  visit(file);
  const imports = imported.map(({ part, node }) => ({ kind: "import" as const, part, node }));
  return [...imports, ...uses];
}

/** The parts of the API that a file imports, with their names in this file: other files may have renamed them. */
function importedParts(
  file: ts.SourceFile,
  { reader }: UseSearch,
): readonly { readonly part: ApiPart; readonly node: ts.Identifier }[] {
  return file.statements
    .filter(ts.isImportDeclaration)
    .flatMap(({ importClause }) => importClause?.namedBindings ?? [])
    .flatMap((each) => (ts.isNamedImports(each) ? each.elements : []))
    .flatMap(({ name: node }) =>
      reader.ofSymbol(reader.checker.getSymbolAtLocation(node)).map((part) => ({ part, node })),
    );
}

function usesAt(node: ts.Node, search: FileSearch): readonly CodeUse[] {
  if (ts.isPropertyAccessExpression(node)) return usesOfAccess(node, node.name, search);
  if (ts.isElementAccessExpression(node)) return usesOfElement(node, search);
  if (ts.isIdentifier(node)) return usesOfIdentifier(node, search);
  if (ts.isBindingElement(node)) return usesOfBinding(node, search);
  if (ts.isObjectLiteralExpression(node)) return usesOfObject(node, search);
  if (ts.isBinaryExpression(node)) return usesOfComparison(node, search);
  if (ts.isCaseClause(node)) return compareUses(node.parent.parent.expression, node.expression, search);
  if (ts.isCallExpression(node))
    return [
      ...usesOfPathCall(node, search),
      ...usesOfIncludes(node, search),
      ...(isOperation(node.expression, search) ? node.arguments.flatMap((each) => usesOfFlow(each, search)) : []),
    ];
  if (ts.isIndexedAccessTypeNode(node)) return usesOfIndexedType(node, search);
  if (ts.isTypeReferenceNode(node)) return usesOfPick(node, search);
  return [];
}

function usesOfAccess(node: ts.PropertyAccessExpression, name: ts.MemberName, search: UseSearch): readonly CodeUse[] {
  if (!search.isWanted(name.text)) return [];
  const { reader } = search;
  return partUses(reader.ofSymbol(reader.checker.getSymbolAtLocation(name)), node, name);
}

function usesOfElement(node: ts.ElementAccessExpression, { reader, isWanted }: UseSearch): readonly CodeUse[] {
  const name = readText(node.argumentExpression);
  if (name === undefined || !isWanted(name)) return [];
  const found = reader.property(reader.checker.getTypeAtLocation(node.expression), name);
  return partUses(found.flatMap(reader.ofSymbol), node, node.argumentExpression);
}

/** Uses of parts that an expression names. `node` is what may be called, read or written. */
function partUses(parts: readonly ApiPart[], node: ts.Expression, at: ts.Node): readonly CodeUse[] {
  return parts.map((part): CodeUse => {
    if (part.kind === "operation") return { kind: "call", part, node: at, ...callOf(node) };
    const written = isWritten(node);
    if (written !== undefined) return { kind: "write", part, node: at, value: written.value };
    return { kind: "read", part, node: at, isGuarded: isGuarded(node) };
  });
}

/** The call of a function of the generated client, if the expression is called. */
function callOf(node: ts.Expression): Pick<CallUse, "call"> {
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.expression !== node) return {};
  return { call: { request: parent.arguments[1], form: "client" } };
}

function usesOfIdentifier(node: ts.Identifier, { reader, isWanted }: UseSearch): readonly CodeUse[] {
  if (!isWanted(node.text) || !isReference(node)) return [];
  const { checker } = reader;
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  return reader.ofSymbol(symbol).flatMap((part): readonly CodeUse[] => {
    if (part.kind === "operation") return [{ kind: "call", part, node, ...callOf(node) }];
    return part.path.length === 0 && part.kind === "schema" ? [{ kind: "type", part, node }] : [];
  });
}

/** True for a name that refers to something, and does not declare it or select a property. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent))
    return parent.parent !== undefined && nameOf(parent) !== node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isExportSpecifier(parent)) return (parent.propertyName ?? parent.name) === node;
  return !("name" in parent && parent.name === node);
}

function nameOf(node: ts.PropertyAccessExpression | ts.QualifiedName): ts.Node {
  return ts.isQualifiedName(node) ? node.left : node.name;
}

function usesOfBinding(node: ts.BindingElement, { reader, isWanted }: UseSearch): readonly CodeUse[] {
  const name = node.propertyName ?? node.name;
  if (!ts.isObjectBindingPattern(node.parent) || !(ts.isIdentifier(name) || ts.isStringLiteral(name))) return [];
  if (node.dotDotDotToken !== undefined || !isWanted(name.text)) return [];
  const found = reader.property(reader.checker.getTypeAtLocation(node.parent), name.text);
  return found
    .flatMap(reader.ofSymbol)
    .map((part) => ({ kind: "read", part, node: name, isGuarded: node.initializer !== undefined }));
}

function usesOfObject(node: ts.ObjectLiteralExpression, search: UseSearch): readonly CodeUse[] {
  const { reader, isWanted, wantsObjects } = search;
  const named = node.properties.flatMap((each) => {
    const name = each.name === undefined ? undefined : readText(each.name);
    return name === undefined ? [] : [[name, each] as const];
  });
  const names = new Set(named.map(([name]) => name));
  if (!wantsObjects && ![...names].some((name) => isWanted(name) || requestGroups.has(name))) return [];
  const type = reader.checker.getContextualType(node);
  if (type === undefined) return [];
  const isOpen = node.properties.some(
    (each) => ts.isSpreadAssignment(each) || (each.name && ts.isComputedPropertyName(each.name)),
  );
  const constructed = reader.ofType(type).map((part) => ({ kind: "construct" as const, part, node, names, isOpen }));
  const written = named.flatMap(([name, each]): readonly CodeUse[] => {
    const value = valueOf(each);
    const parts = reader.property(type, name).flatMap(reader.ofSymbol);
    const writes = isWanted(name) ? parts : [];
    return [
      ...writes.map((part) => ({ kind: "write" as const, part, node: each.name ?? each, value })),
      ...(parts.length > 0 && value !== undefined ? usesOfFlow(value, search) : []),
    ];
  });
  return [...constructed, ...written];
}

/** True for an expression with the name of an operation's function. The types of other calls take long to find. */
function isOperation(callee: ts.Expression, { names, isImported }: FileSearch): boolean {
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  return ts.isIdentifier(name) && (isImported(name.text) || names.ofClient([name.text])?.kind === "operation");
}

function valueOf(property: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  if (ts.isPropertyAssignment(property)) return property.initializer;
  return ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
}

/** A value of the user's own type, where the API's is expected: `body: readForm()`. */
function usesOfFlow(value: ts.Expression, { reader, isWanted, wantsObjects }: UseSearch): readonly CodeUse[] {
  const { checker } = reader;
  const node = unwrap(value);
  if (ts.isLiteralExpression(node) || ts.isObjectLiteralExpression(node) || ts.isFunctionLike(node)) return [];
  const given = checker.getTypeAtLocation(value);
  // Types of functions and arrays are not the API's, and the expected type takes much longer to find.
  if (!(given.flags & ts.TypeFlags.Object) || given.getCallSignatures().length > 0 || checker.isArrayLikeType(given))
    return [];
  const names = new Set(given.getProperties().map(({ name }) => name));
  if (!wantsObjects && ![...names].some(isWanted)) return [];
  if (reader.ofType(given).length > 0) return [];
  const expected = checker.getContextualType(value);
  const parts = reader.ofType(expected);
  return [
    ...parts.map((part) => ({ kind: "construct" as const, part, node: value, names, isOpen: false })),
    ...[...names].filter(isWanted).flatMap((name) =>
      reader
        .property(expected, name)
        .flatMap(reader.ofSymbol)
        .map((part) => ({ kind: "write" as const, part, node: value, value: undefined })),
    ),
  ];
}

const comparisons: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

function usesOfComparison({ left, right, operatorToken }: ts.BinaryExpression, search: UseSearch): readonly CodeUse[] {
  if (!comparisons.has(operatorToken.kind)) return [];
  return [...compareUses(left, right, search), ...compareUses(right, left, search)];
}

/** `["ok", "warn"].includes(pet.status)` */
function usesOfIncludes({ expression, arguments: [value] }: ts.CallExpression, search: UseSearch): readonly CodeUse[] {
  if (value === undefined || !ts.isPropertyAccessExpression(expression) || expression.name.text !== "includes")
    return [];
  const list = unwrap(expression.expression);
  if (!ts.isArrayLiteralExpression(list)) return [];
  return list.elements.flatMap((each) => compareUses(value, each, search));
}

function compareUses(compared: ts.Expression, literal: ts.Expression, search: UseSearch): readonly CodeUse[] {
  const value = readText(unwrap(literal));
  if (value === undefined) return [];
  return valueParts(compared, search).map((part) => ({ kind: "compare", part, node: literal, value }));
}

/** The parts that an expression has the value of, also through constants. */
function valueParts(expression: ts.Expression, search: UseSearch, depth = 0): readonly ApiPart[] {
  const { reader } = search;
  const { checker } = reader;
  const node = unwrap(expression);
  if (ts.isPropertyAccessExpression(node)) return reader.ofSymbol(checker.getSymbolAtLocation(node.name));
  if (!ts.isIdentifier(node) || depth > 4) return [];
  const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
  if (declaration === undefined) return [];
  if (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined)
    return valueParts(declaration.initializer, search, depth + 1);
  if (ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent)) {
    const name = readText(declaration.propertyName ?? declaration.name);
    const type = checker.getTypeAtLocation(declaration.parent);
    return name === undefined ? [] : reader.property(type, name).flatMap(reader.ofSymbol);
  }
  return ts.isParameter(declaration) ? reader.ofSymbol(checker.getTypeAtLocation(declaration).aliasSymbol) : [];
}

/** `Pet["status"]`, and `paths["/pets"]["get"]` */
function usesOfIndexedType({ objectType, indexType }: ts.IndexedAccessTypeNode, search: UseSearch): readonly CodeUse[] {
  const { reader } = search;
  const type = reader.checker.getTypeFromTypeNode(objectType);
  return literalTexts(indexType).flatMap((name) => typePropertyUses(type, name, indexType, search));
}

/** `Pick<Pet, "id" | "status">` and `Omit<Pet, "status">` */
function usesOfPick({ typeName, typeArguments }: ts.TypeReferenceNode, search: UseSearch): readonly CodeUse[] {
  const [of, keys] = typeArguments ?? [];
  if (of === undefined || keys === undefined || !ts.isIdentifier(typeName) || !/^(Pick|Omit)$/.test(typeName.text))
    return [];
  const type = search.reader.checker.getTypeFromTypeNode(of);
  return literalTexts(keys).flatMap((name) => typePropertyUses(type, name, keys, search));
}

function typePropertyUses(type: ts.Type, name: string, node: ts.Node, { reader }: UseSearch): readonly CodeUse[] {
  return reader
    .property(type, name)
    .flatMap(reader.ofSymbol)
    .map((part) =>
      part.kind === "operation" ? { kind: "call", part, node } : { kind: "read", part, node, isGuarded: false },
    );
}

function literalTexts(node: ts.TypeNode): readonly string[] {
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(literalTexts);
  const text = ts.isLiteralTypeNode(node) ? readText(node.literal) : undefined;
  return text === undefined ? [] : [text];
}
