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
  const rename = {
    renamed,
    objects,
    typeOf: (module: string, name: string) => (module === server ? types.get(name) : undefined),
  };
  for (const path of workspace.paths) new FileRenamer(workspace, path, rename).run();
}

interface Rename {
  readonly renamed: ReadonlyMap<string, string>;
  /** The names of the objects with handlers. */
  readonly objects: ReadonlySet<string>;
  /** Returns the new name of a type of a module. */
  readonly typeOf: (module: string, name: string) => string | undefined;
}

/** Renames in one file. */
class FileRenamer {
  readonly #workspace: HandlerWorkspace;
  readonly #path: string;
  readonly #tree: ts.SourceFile;
  readonly #rename: Rename;
  /** The handler objects of this file. */
  readonly #spans: ReturnType<typeof spanOf>[];
  /** By their start. */
  readonly #edits = new Map<number, TextEdit>();

  constructor(workspace: HandlerWorkspace, path: string, rename: Rename) {
    this.#workspace = workspace;
    this.#path = path;
    this.#tree = workspace.tree(path);
    this.#rename = rename;
    this.#spans = workspace.objects(path).map(({ node }) => spanOf(this.#tree, node));
  }

  run(): void {
    for (const object of this.#workspace.objects(this.#path)) this.#renameMembers(object);
    this.#renameImports();
    this.#visit(this.#tree);
    this.#workspace.edit(this.#path, [...this.#edits.values()]);
  }

  #renameMembers({ lists, members }: ReturnType<HandlerWorkspace["objects"]>[number]): void {
    const { renamed } = this.#rename;
    for (const { name, node } of lists.flatMap(({ literals }) => literals)) {
      const next = renamed.get(name);
      if (next !== undefined) this.#replaceLiteral(node, next);
    }
    for (const { name, node } of members) {
      const next = renamed.get(name);
      if (next === undefined || node.name === undefined) continue;
      if (ts.isShorthandPropertyAssignment(node)) this.#replace(node.name, `${keyText(next)}: ${name}`);
      else if (ts.isIdentifier(node.name)) this.#replace(node.name, keyText(next));
      else this.#replaceLiteral(node.name, next);
    }
  }

  #renameImports(): void {
    for (const { node, local, imported, module } of importedNames(this.#tree)) {
      const next = this.#rename.typeOf(module, imported);
      if (next === undefined || !ts.isImportSpecifier(node)) continue;
      const name = node.propertyName ?? node.name;
      this.#replace(name, node.propertyName === undefined ? `${next} as ${local}` : next);
    }
  }

  #visit(node: ts.Node): void {
    if (ts.isVariableDeclaration(node) && node.initializer && this.#isHandlerObject(node.initializer))
      this.#renameBindings(node.name);
    const reference = referredName(node, (object) => this.#isHandlerObject(object));
    const next = reference && this.#rename.renamed.get(reference.text);
    if (reference !== undefined && next !== undefined) {
      if (ts.isIdentifier(reference)) this.#replace(reference, isIdentifierText(next) ? next : reference.text);
      else this.#replaceLiteral(reference, next);
    }
    ts.forEachChild(node, (child) => this.#visit(child));
  }

  #isHandlerObject(node: ts.Expression): boolean {
    if (ts.isIdentifier(node)) return this.#rename.objects.has(node.text);
    return node.kind === ts.SyntaxKind.ThisKeyword && isWithin(spanOf(this.#tree, node), this.#spans);
  }

  #renameBindings(name: ts.BindingName): void {
    if (!ts.isObjectBindingPattern(name)) return;
    for (const { propertyName, name: local } of name.elements) {
      const key = propertyName ?? local;
      const next = ts.isIdentifier(key) ? this.#rename.renamed.get(key.text) : undefined;
      if (next !== undefined)
        this.#replace(key, propertyName === undefined ? `${keyText(next)}: ${key.getText(this.#tree)}` : keyText(next));
    }
  }

  #replaceLiteral(node: ts.Node, name: string): void {
    const literal = ts.isComputedPropertyName(node) ? node.expression : node;
    this.#replace(literal, quoteAs(literal.getText(this.#tree), name));
  }

  #replace(node: ts.Node, text: string): void {
    const start = node.getStart(this.#tree);
    this.#edits.set(start, { start, end: node.end, text });
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
