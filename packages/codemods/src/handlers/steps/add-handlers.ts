import { ts } from "ts-morph";
import type { HandlerOperation, HandlerRequest } from "../handler-request.js";
import { insertMembers } from "../objects/insert-member.js";
import { addToList } from "../objects/type-lists.js";
import { addImports } from "../syntax/imports.js";
import { rangeOf } from "../syntax/node-range.js";
import { indentAt, indentLines, styleOf } from "../syntax/source-style.js";
import type { HandlerWorkspace } from "../workspace.js";
import { classStub, fingerprintOf, objectStub } from "./stub-text.js";
import { ensureTarget, type TargetObject } from "./target-objects.js";

/** Adds stubs of operations without a handler, and names to the types of objects that have the handlers. */
export function addHandlers(
  workspace: HandlerWorkspace,
  operations: readonly HandlerOperation[],
  { server }: Pick<HandlerRequest, "server">,
): void {
  const byFile = new Map<string, HandlerOperation[]>();
  for (const operation of operations) {
    const handler = workspace.find(operation.name);
    if (handler !== undefined) {
      const { path, tree, object } = handler;
      const isListed = object.lists.some(({ literals }) => literals.some(({ name }) => name === operation.name));
      const [list] = object.lists;
      if (!isListed && list !== undefined) workspace.edit(path, [addToList(tree, list, [operation.name])]);
    } else if (!comesFromElsewhere(workspace, operation.name))
      byFile.set(operation.file, [...(byFile.get(operation.file) ?? []), operation]);
  }
  for (const [file, missing] of byFile) {
    const target = findPlace(workspace, missing, server);
    if (target === undefined || !addTo(workspace, target, missing, server))
      workspace.report(file, 0, {
        message: `${missing.length === 1 ? "The handler" : "The handlers"} ${missing.map(({ name }) => `\`${name}\``).join(", ")} ${missing.length === 1 ? "is" : "are"} missing, and this file composes its handlers in another way.`,
        fix: "Add them.",
      });
  }
}

/** True for a handler that an object gets by a spread or from a parent class. */
function comesFromElsewhere(workspace: HandlerWorkspace, operation: string): boolean {
  return workspace
    .allObjects()
    .some(
      ({ object }) =>
        object.hasOthers && object.lists.some(({ literals }) => literals.some(({ name }) => name === operation)),
    );
}

/** The object for missing handlers: one that lists them already, the one for all handlers if it is alone, or that of the tag. */
function findPlace(
  workspace: HandlerWorkspace,
  missing: readonly HandlerOperation[],
  server: string,
): TargetObject | undefined {
  const [first] = missing;
  if (first === undefined) return undefined;
  const objects = workspace.allObjects();
  const listing = objects.find(({ object }) =>
    object.lists.some(({ literals }) => literals.some(({ name }) => name === first.name)),
  );
  const [only] = objects;
  const isAlone = objects.length === 1 && only?.object.isComplete === true && only.object.members.length > 0;
  return listing ?? (isAlone ? only : ensureTarget(workspace, first, server));
}

function addTo(
  workspace: HandlerWorkspace,
  { path, object }: TargetObject,
  missing: readonly HandlerOperation[],
  server: string,
): boolean {
  const tree = workspace.tree(path);
  const [list] = object.lists;
  const isClass = !ts.isObjectLiteralExpression(object.node);
  if (isClass && list === undefined) return false;
  const texts = missing.map(({ name, stub }) => ({
    text: isClass && list !== undefined ? classStub(tree, stub, list, name) : objectStub(stub),
  }));
  const unlisted = missing.filter(
    ({ name }) => !object.lists.some(({ literals }) => literals.some((each) => each.name === name)),
  );
  workspace.edit(path, [
    ...insertMembers(tree, object, texts),
    ...(list === undefined || unlisted.length === 0
      ? []
      : [
          addToList(
            tree,
            list,
            unlisted.map(({ name }) => name),
          ),
        ]),
    ...addImports(tree, [stubError(server)]),
  ]);
  return true;
}

/** The import that stubs need. */
export function stubError(server: string): Parameters<typeof addImports>[1][number] {
  return { module: server, imported: "NotImplementedError", local: "NotImplementedError", isType: false };
}

/** Replaces a stub without code of a person, where the description has changed what it says. */
export function refreshStub(workspace: HandlerWorkspace, { name, stub }: HandlerOperation, expected: string): void {
  const handler = workspace.find(name);
  if (handler === undefined) return;
  const { path, tree, object, member } = handler;
  if (fingerprintOf(tree, member.node) === expected) return;
  const { start, end } = rangeOf(tree, member.node);
  const style = styleOf(tree.text);
  const indent = indentAt(tree.text, member.node.getStart(tree));
  const [list] = object.lists;
  const isClass = !ts.isObjectLiteralExpression(object.node);
  const text = isClass ? list && classStub(tree, stub, list, name) : objectStub(stub);
  if (text !== undefined)
    workspace.edit(path, [{ start, end, text: indentLines(text, indent, style) + style.lineBreak }]);
}
