import { ts } from "ts-morph";
import type { ApiPart } from "./api-part.js";
import type { CodeUse, MentionUse, OperationCall } from "./code-use.js";
import {
  statusesOf,
  usesOfCase,
  usesOfInitializer,
  usesOfComparison,
  usesOfIncludes,
  usesOfRecord,
  usesOfText,
} from "./compare-uses.js";
import { isGuarded, isGuardedVariable, isWritten, readText } from "./expressions.js";
import { mutationsOf } from "./mutation-uses.js";
import { usesOfFlow, usesOfObject } from "./object-uses.js";
import { usesOfPathCall } from "./path-calls.js";
import { resultsOf } from "./result-uses.js";
import { usesOfImportType, usesOfIndexedType, usesOfPick } from "./type-uses.js";
import type { FileSearch, UseSearch } from "./use-search.js";

/** Collects the uses of an API in a file, in order. */
export function collectUses(file: ts.SourceFile, search: UseSearch): readonly CodeUse[] {
  const uses: CodeUse[] = [];
  const isJavaScript = /\.[cm]?jsx?$/.test(file.fileName);
  const imported = importedParts(file, search);
  const locals = new Set(imported.map(({ local }) => local));
  const isImported = (name: string): boolean => locals.has(name);
  const inFile = { ...search, isImported, isWanted: (name: string) => search.isWanted(name) || isImported(name) };
  const visit = (node: ts.Node): void => {
    const usesHere = usesAt(node, inFile);
    const calls = usesHere.filter((use) => use.kind === "call");
    const errors = usesHere.filter((use) => use.kind === "mention").filter(({ name }) => name.endsWith("Error"));
    uses.push(
      ...usesHere,
      ...[...calls, ...errors].flatMap(statusesOf),
      ...calls.flatMap((use) => [...resultsOf(use, search), ...mutationsOf(use, search)]),
    );
    if (ts.isImportDeclaration(node)) return;
    ts.forEachChild(node, visit);
    // In JavaScript, comments have the types.
    if (isJavaScript && ts.isFunctionLike(node)) for (const tag of ts.getJSDocTags(node)) ts.forEachChild(tag, visit);
  };
  visit(file);
  return [...imported.map(({ mention }) => mention), ...uses];
}

interface ImportedPart {
  /** The name in the file. */
  readonly local: string;
  readonly mention: MentionUse;
}

/** The parts of the API that a file imports: other files may have renamed them. */
function importedParts(file: ts.SourceFile, { reader }: UseSearch): readonly ImportedPart[] {
  return file.statements
    .filter(ts.isImportDeclaration)
    .flatMap(({ importClause }) => importClause?.namedBindings ?? [])
    .flatMap((each) => (ts.isNamedImports(each) ? each.elements : []))
    .flatMap((specifier) =>
      reader.ofSymbol(reader.checker.getSymbolAtLocation(specifier.name)).map((part) => ({
        local: specifier.name.text,
        mention: mentionOf(part, specifier.propertyName ?? specifier.name),
      })),
    );
}

function mentionOf(part: ApiPart, node: ts.Node): MentionUse {
  return { kind: "mention", part, node, name: readText(node) ?? node.getText(), isPath: false };
}

function usesAt(node: ts.Node, search: FileSearch): readonly CodeUse[] {
  if (ts.isPropertyAccessExpression(node)) return usesOfAccess(node, node.name, search);
  if (ts.isElementAccessExpression(node)) return usesOfElement(node, search);
  if (ts.isIdentifier(node)) return usesOfIdentifier(node, search);
  if (ts.isBindingElement(node)) return usesOfBinding(node, search);
  if (ts.isObjectLiteralExpression(node)) return [...usesOfObject(node, search), ...usesOfRecord(node, search)];
  if (ts.isBinaryExpression(node)) return usesOfComparison(node, search);
  if (ts.isCaseClause(node)) return usesOfCase(node, search);
  if (ts.isCallExpression(node))
    return [
      ...usesOfPathCall(node, search),
      ...usesOfIncludes(node, search),
      ...(isOperation(node.expression, search) ? node.arguments.flatMap((each) => usesOfFlow(each, search)) : []),
    ];
  if (ts.isIndexedAccessTypeNode(node)) return usesOfIndexedType(node, search);
  if (ts.isTypeReferenceNode(node)) return usesOfPick(node, search);
  if (ts.isStringLiteralLike(node)) return usesOfText(node, search);
  if (ts.isImportTypeNode(node)) return usesOfImportType(node, search);
  if (ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node))
    return usesOfInitializer(node, search);
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
  const property = reader.property(reader.checker.getTypeAtLocation(node.expression), name);
  return partUses(property.flatMap(reader.ofSymbol), node, node.argumentExpression);
}

/** Uses of parts that an expression names. `node` is what may be called, read or written. */
function partUses(parts: readonly ApiPart[], node: ts.Expression, at: ts.Node): readonly CodeUse[] {
  return parts.map((part): CodeUse => {
    if (part.kind === "operation") return operationUse(part, node, at);
    if (part.kind === "schema" && part.path.length === 0) return { kind: "type", part, node: at, name: at.getText() };
    const written = isWritten(node);
    if (written !== undefined) return { kind: "write", part, node: at, value: written.value };
    return { kind: "read", part, node: at, isGuarded: isGuarded(node), hasDefault: false, isType: false };
  });
}

/** The call of a function of the generated client, its name in a type, or the function as a value. */
function operationUse(part: ApiPart, node: ts.Expression, at: ts.Node): CodeUse {
  const { parent } = node;
  if (ts.isTypeNode(parent) || ts.isQualifiedName(parent) || ts.isExportSpecifier(parent)) return mentionOf(part, at);
  if (!ts.isCallExpression(parent)) return { kind: "call", part, node: at };
  const [first, , request] = parent.arguments;
  if (first === node && /(^|\.)paginateList$/.test(parent.expression.getText()))
    return { kind: "call", part, node: at, call: { request, form: "client", isDeferred: false } };
  if (parent.expression !== node) return { kind: "call", part, node: at };
  const isDeferred = at.getText().endsWith("Mutation");
  const call: OperationCall = { request: parent.arguments[1], form: "client", isDeferred };
  return { kind: "call", part, node: at, call };
}

function usesOfIdentifier(node: ts.Identifier, { reader, isWanted }: UseSearch): readonly CodeUse[] {
  if (!isWanted(node.text) || !isReference(node)) return [];
  const { checker } = reader;
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  return reader.ofSymbol(symbol).flatMap((part): readonly CodeUse[] => {
    if (part.kind === "operation") return [operationUse(part, node, node)];
    return part.path.length === 0 && part.kind === "schema" ? [{ kind: "type", part, node, name: node.text }] : [];
  });
}

/** True for a name that refers to something, and does not declare it or select a property. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isExportSpecifier(parent)) return (parent.propertyName ?? parent.name) === node;
  return !("name" in parent && parent.name === node);
}

function usesOfBinding(node: ts.BindingElement, { reader, isWanted }: UseSearch): readonly CodeUse[] {
  const name = node.propertyName ?? node.name;
  if (!ts.isObjectBindingPattern(node.parent) || !(ts.isIdentifier(name) || ts.isStringLiteral(name))) return [];
  if (node.dotDotDotToken !== undefined || !isWanted(name.text)) return [];
  const property = reader.property(reader.checker.getTypeAtLocation(node.parent), name.text);
  const guarded = ts.isIdentifier(node.name) && isGuardedVariable(node.name);
  const hasDefault = node.initializer !== undefined;
  return property.flatMap(reader.ofSymbol).map((part): CodeUse =>
    // `const { getPet } = await import("...")`
    part.kind === "operation"
      ? mentionOf(part, name)
      : { kind: "read", part, node: name, isGuarded: guarded, hasDefault, isType: false },
  );
}

/** True for an expression with the name of an operation's function. The types of other calls take long to find. */
function isOperation(callee: ts.Expression, { names, isImported }: FileSearch): boolean {
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  return ts.isIdentifier(name) && (isImported(name.text) || names.ofClient([name.text])?.kind === "operation");
}
