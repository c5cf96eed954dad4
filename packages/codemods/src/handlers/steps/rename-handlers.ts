import { ts } from "ts-morph";
import type { HandlerRequest } from "../handler-request.js";
import { importedNames } from "../syntax/imports.js";
import { isWithin, spanOf } from "../syntax/references.js";
import type { TextEdit } from "../syntax/text-edits.js";
import type { HandlerWorkspace } from "../workspace.js";

/** Renames handlers, and what refers to them by name. Bodies keep their bytes. */
export function renameHandlers(
  workspace: HandlerWorkspace,
  renamed: ReadonlyMap<string, string>,
  { server, typeNames }: Pick<HandlerRequest, "server" | "typeNames">,
): void {
  if (renamed.size === 0) return;
  const types = new Map<string, string>();
  for (const [before, now] of renamed)
    typeNames(before).forEach((name, index) => types.set(name, typeNames(now)[index] ?? name));
  const objects = new Set(workspace.allObjects().flatMap(({ object }) => object.names));
  for (const path of workspace.paths) {
    const tree = workspace.tree(path);
    const own = workspace.objects(path).map(({ node }) => spanOf(tree, node));
    const edits = new Map<number, TextEdit>();
    const replace = (node: ts.Node, text: string): void => {
      const start = node.getStart(tree);
      edits.set(start, { start, end: node.end, text });
    };
    for (const { lists, members } of workspace.objects(path)) {
      for (const { name, node } of lists.flatMap(({ literals }) => literals)) {
        const now = renamed.get(name);
        if (now !== undefined) replace(node, quoteAs(node.getText(tree), now));
      }
      for (const { name, node } of members) {
        const now = renamed.get(name);
        if (now === undefined || node.name === undefined) continue;
        if (ts.isShorthandPropertyAssignment(node)) replace(node.name, `${keyText(now)}: ${name}`);
        else if (ts.isIdentifier(node.name)) replace(node.name, keyText(now));
        else replaceLiteral(node.name, now);
      }
    }
    for (const { node, local, imported, module } of importedNames(tree)) {
      const now = module === server ? types.get(imported) : undefined;
      if (now === undefined || !ts.isImportSpecifier(node)) continue;
      const name = node.propertyName ?? node.name;
      replace(name, node.propertyName === undefined ? `${now} as ${local}` : now);
    }
    visit(tree);
    workspace.edit(path, [...edits.values()]);

    function visit(node: ts.Node): void {
      if (ts.isVariableDeclaration(node) && node.initializer && isHandlerObject(node.initializer))
        renameBindings(node.name);
      const literal = referredName(node, isHandlerObject);
      const now = literal && renamed.get(literal.text);
      if (literal !== undefined && now !== undefined) {
        if (ts.isIdentifier(literal)) replace(literal, isIdentifierText(now) ? now : literal.text);
        else replaceLiteral(literal, now);
      }
      ts.forEachChild(node, visit);
    }

    function isHandlerObject(node: ts.Expression): boolean {
      if (ts.isIdentifier(node)) return objects.has(node.text);
      return node.kind === ts.SyntaxKind.ThisKeyword && isWithin(spanOf(tree, node), own);
    }

    function renameBindings(name: ts.BindingName): void {
      if (!ts.isObjectBindingPattern(name)) return;
      for (const { propertyName, name: local } of name.elements) {
        const key = propertyName ?? local;
        const now = ts.isIdentifier(key) ? renamed.get(key.text) : undefined;
        if (now !== undefined)
          replace(key, propertyName === undefined ? `${keyText(now)}: ${key.getText(tree)}` : keyText(now));
      }
    }

    function replaceLiteral(node: ts.Node, now: string): void {
      const literal = ts.isComputedPropertyName(node) ? node.expression : node;
      replace(literal, quoteAs(literal.getText(tree), now));
    }
  }
}

/** The part of a node that names a handler: of `Handlers["listPets"]`, of `petsHandlers.listPets` and of `this.listPets`. */
function referredName(
  node: ts.Node,
  isHandlerObject: (node: ts.Expression) => boolean,
): ts.Identifier | ts.StringLiteral | undefined {
  if (ts.isIndexedAccessTypeNode(node)) {
    const { indexType } = node;
    const isHandlers = /Handlers\b/.test(node.objectType.getText());
    return isHandlers && ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal)
      ? indexType.literal
      : undefined;
  }
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.name))
    return isHandlerObject(node.expression) ? node.name : undefined;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression))
    return isHandlerObject(node.expression) ? node.argumentExpression : undefined;
  return undefined;
}

function isIdentifierText(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

function keyText(name: string): string {
  return isIdentifierText(name) ? name : JSON.stringify(name);
}

/** Quotes a name as the literal that it replaces is quoted. */
function quoteAs(literal: string, name: string): string {
  return literal.startsWith("'") ? `'${name}'` : JSON.stringify(name);
}
