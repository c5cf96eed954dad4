import type { ts } from "ts-morph";
import type { HandlerRequest } from "../handler-request.js";
import { removeFromList } from "../objects/type-lists.js";
import { importedNames, importLine, removeImports, type ImportedName } from "../syntax/imports.js";
import { rangeOf, withEmptyLine } from "../syntax/node-range.js";
import { styleOf } from "../syntax/source-style.js";
import type { TextEdit } from "../syntax/text-edits.js";
import type { HandlerWorkspace, LocatedHandler } from "../workspace.js";
import { findUsedCode } from "./exclusive-code.js";
import { commentedCode, commentOut, type RemovalMark } from "./removed-code.js";

export interface RemovedHandler extends RemovalMark {
  /** True for a stub without code of a person. */
  readonly isStub: boolean;
}

/**
 * Turns the handler of a removed operation into a comment, with the declarations and imports that it alone uses: its types do not exist any more.
 * A stub without code of a person is deleted.
 */
export function removeHandler(
  workspace: HandlerWorkspace,
  removed: RemovedHandler,
  { server, typeNames }: Pick<HandlerRequest, "server" | "typeNames">,
): void {
  const { name, isStub } = removed;
  for (let handler = workspace.find(name); handler !== undefined; handler = workspace.find(name)) {
    const { path, tree, member } = handler;
    const used = findUsedCode(tree, member.node);
    const lists = workspace.listsOf(path).flatMap((list) => removeFromList(tree, list, [name]));
    const deleted = (node: ts.Node): TextEdit => ({ ...withEmptyLine(tree.text, rangeOf(tree, node)), text: "" });
    workspace.edit(path, [
      ...lists,
      ...[member.node, ...used.statements].map((node) => (isStub ? deleted(node) : commentOut(tree, node, removed))),
      ...(isStub ? removeImports(tree, used.imports) : commentImports(handler, used.imports, removed)),
    ]);
  }
  for (const path of workspace.paths)
    workspace.edit(
      path,
      workspace.listsOf(path).flatMap((list) => removeFromList(workspace.tree(path), list, [name])),
    );
  reportTypes(workspace, name, { server, typeNames });
}

/** Turns imports into comments. Names of an import that is still needed get a comment of their own. */
function commentImports(
  { tree }: LocatedHandler,
  names: readonly ImportedName[],
  mark: RemovalMark,
): readonly TextEdit[] {
  const { lineBreak } = styleOf(tree.text);
  const all = importedNames(tree);
  return [...new Set(names.map((each) => each.declaration))].flatMap((declaration) => {
    const removed = names.filter((each) => each.declaration === declaration);
    if (removed.length === all.filter((each) => each.declaration === declaration).length)
      return [commentOut(tree, declaration, mark)];
    const [first] = removed;
    const line = importLine(first?.module ?? "", removed);
    const text = lineBreak + commentedCode(line, mark, lineBreak);
    const following = /^[ \t]*\r?\n[ \t]*\S/.test(tree.text.slice(declaration.end)) ? lineBreak : "";
    return [...removeImports(tree, removed), { start: declaration.end, end: declaration.end, text: text + following }];
  });
}

/** Reports types of a removed operation that other code uses. */
function reportTypes(
  workspace: HandlerWorkspace,
  name: string,
  { server, typeNames }: Pick<HandlerRequest, "server" | "typeNames">,
): void {
  const types = new Set(typeNames(name));
  for (const path of workspace.paths) {
    const tree = workspace.tree(path);
    for (const { imported, module, node } of importedNames(tree))
      if (module === server && types.has(imported))
        workspace.report(path, node.getStart(tree), {
          message: `\`${imported}\` belongs to \`${name}\`, which is no longer in the description, and other code uses it.`,
          fix: "Replace the type, or remove the code that uses it.",
        });
  }
}
