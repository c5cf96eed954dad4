import { ts } from "ts-morph";
import type { HandlerOperation, HandlerRequest } from "../handler-request.js";
import { insertMembers } from "../objects/insert-member.js";
import { addToList, removeFromList } from "../objects/type-lists.js";
import { addImports, importedNames, removeImports, topNames, type NeededImport } from "../syntax/imports.js";
import { relativeModule, resolveModule } from "../syntax/module-paths.js";
import { rangeOf, withEmptyLine } from "../syntax/node-range.js";
import { declaredNames, declaresTypes, hasExport } from "../syntax/references.js";
import { styleOf } from "../syntax/source-style.js";
import type { HandlerWorkspace, LocatedHandler } from "../workspace.js";
import { findUsedCode, type UsedCode } from "./exclusive-code.js";
import { ensureTarget, type TargetObject } from "./target-objects.js";

/** Moves a handler to the file of its new tag, with the declarations and imports that it alone uses. */
export function moveHandler(
  workspace: HandlerWorkspace,
  operation: HandlerOperation,
  { server }: Pick<HandlerRequest, "server">,
): void {
  const from = workspace.find(operation.name);
  if (from === undefined || from.path === operation.file) return;
  const before = workspace.has(operation.file) ? workspace.text(operation.file) : undefined;
  const target = ensureTarget(workspace, operation, server);
  const report = (reason: string): void =>
    workspace.report(from.path, from.member.node.getStart(from.tree), {
      message: `The handler \`${operation.name}\` now has the tag of ${operation.file}, and ${reason}.`,
      fix: "Move it, or leave it here: both work.",
    });
  if (target === undefined) return report(`that file declares \`${operation.object}\` otherwise`);
  if (target.path === from.path) return;
  const used = findUsedCode(from.tree, from.member.node);
  const obstacle = findObstacle(workspace, from, target, used);
  if (obstacle !== undefined) {
    workspace.undo(operation.file, before);
    return report(obstacle);
  }
  insert(workspace, operation.name, from, target, used);
  remove(workspace, operation.name, from, used);
}

function findObstacle(
  workspace: HandlerWorkspace,
  { tree, path, member, object }: LocatedHandler,
  target: TargetObject,
  used: UsedCode,
): string | undefined {
  if (!ts.isObjectLiteralExpression(object.node) || !ts.isObjectLiteralExpression(target.object.node))
    return "a handler of a class cannot be moved alone";
  if (isInFunction(object.node)) return "it stands in a function, whose variables it may use";
  if (member.node.parent !== object.node) return "it stands in an object that others may use";
  if (usesThis(member.node)) return "its `this` would be another object";
  const targetTree = workspace.tree(target.path);
  const present = topNames(targetTree);
  const imports = importedNames(targetTree);
  const collisions = [
    ...[...used.statements.flatMap(declaredNames), ...used.freeNames].filter((name) => present.has(name)),
    ...neededImports(tree, path, target.path, used)
      .filter(
        ({ local, module, imported }) =>
          present.has(local) &&
          !imports.some(
            (each) =>
              each.local === local && each.imported === imported && isSameModule(each.module, module, target.path),
          ),
      )
      .map(({ local }) => local),
  ];
  return collisions[0] === undefined ? undefined : `\`${collisions[0]}\` has another meaning there`;
}

function isSameModule(a: string, b: string, from: string): boolean {
  return a === b || (resolveModule(from, a) !== undefined && resolveModule(from, a) === resolveModule(from, b));
}

function isInFunction({ parent }: ts.Node): boolean {
  return !ts.isSourceFile(parent) && (ts.isFunctionLike(parent) || isInFunction(parent));
}

function usesThis(node: ts.Node): boolean {
  if (node.kind === ts.SyntaxKind.ThisKeyword || node.kind === ts.SyntaxKind.SuperKeyword) return true;
  return ts.forEachChild(node, (child) => usesThis(child) || undefined) ?? false;
}

/** The imports that moved code needs in its new file. */
function neededImports(tree: ts.SourceFile, path: string, to: string, used: UsedCode): readonly NeededImport[] {
  const rebase = (module: string): string => {
    const file = resolveModule(path, module);
    return file === undefined ? module : relativeModule(to, file, tree);
  };
  return [
    ...[...used.imports, ...used.sharedImports].map(({ local, imported, module, isType }) => ({
      local,
      imported,
      module: rebase(module),
      isType,
    })),
    ...[...used.sharedDeclarations].map(([name, statement]) => ({
      local: name,
      imported: name,
      module: relativeModule(to, path, tree),
      isType: declaresTypes(statement),
    })),
  ];
}

function insert(
  workspace: HandlerWorkspace,
  name: string,
  { tree, path, member }: LocatedHandler,
  { path: to, object }: TargetObject,
  used: UsedCode,
): void {
  const target = workspace.tree(to);
  const { lineBreak } = styleOf(target.text);
  const moved = used.statements.map((each) => textOf(tree, each).replace(/\r?\n$/, "") + lineBreak + lineBreak);
  const statement = target.statements.find((each) => each.pos <= object.node.pos && object.node.end <= each.end);
  const start = statement === undefined ? target.text.length : rangeOf(target, statement).start;
  const [list] = object.lists;
  const needed = neededImports(tree, path, to, used).filter(
    ({ local, imported, module }) =>
      !importedNames(target).some(
        (each) => each.local === local && each.imported === imported && isSameModule(each.module, module, to),
      ),
  );
  workspace.edit(to, [
    ...(moved.length === 0 ? [] : [{ start, end: start, text: moved.join("") }]),
    ...insertMembers(target, object, [{ text: withComma(tree, member.node), isVerbatim: true }]),
    ...(list === undefined || list.literals.some((each) => each.name === name)
      ? []
      : [addToList(target, list, [name])]),
    ...addImports(target, needed),
  ]);
}

function textOf(tree: ts.SourceFile, node: ts.Node): string {
  const { start, end } = rangeOf(tree, node);
  return tree.text.slice(start, end);
}

/** The text of a member with its comments, and with a comma. */
function withComma(tree: ts.SourceFile, node: ts.Node): string {
  const { start, end } = rangeOf(tree, node);
  const rest = tree.text.slice(node.end, end);
  const hasComma = /^\s*(?:\/\*[^*]*\*+(?:[^*/][^*]*\*+)*\/\s*)*,/.test(rest) || /^\s*\/\/.*\r?\n\s*,/.test(rest);
  return tree.text.slice(start, node.end) + (hasComma ? "" : ",") + rest;
}

function remove(
  workspace: HandlerWorkspace,
  name: string,
  { tree, path, member }: LocatedHandler,
  used: UsedCode,
): void {
  // An object that spreads this one lists the name, too.
  const lists = workspace.listsOf(path);
  const exported = exportedNames(tree);
  const shared = [...used.sharedDeclarations].filter(
    ([each, statement]) => !hasExport(statement) && !exported.has(each),
  );
  const { lineBreak } = styleOf(tree.text);
  const names = shared.map(([each, statement]) => (declaresTypes(statement) ? `type ${each}` : each));
  const end = tree.text.length;
  const gap = tree.text.endsWith("\n") ? "" : lineBreak;
  workspace.edit(path, [
    ...[member.node, ...used.statements].map((node) => ({
      ...withEmptyLine(tree.text, rangeOf(tree, node)),
      text: "",
    })),
    ...removeImports(tree, used.imports),
    ...lists.flatMap((list) => removeFromList(tree, list, [name])),
    ...(names.length === 0
      ? []
      : [{ start: end, end, text: `${gap}${lineBreak}export { ${names.join(", ")} };${lineBreak}` }]),
  ]);
}

function exportedNames(tree: ts.SourceFile): ReadonlySet<string> {
  return new Set(
    tree.statements.flatMap((each) =>
      ts.isExportDeclaration(each) && each.exportClause !== undefined && ts.isNamedExports(each.exportClause)
        ? each.exportClause.elements.flatMap(({ propertyName, name }) =>
            propertyName === undefined ? [name.text] : [],
          )
        : [],
    ),
  );
}
