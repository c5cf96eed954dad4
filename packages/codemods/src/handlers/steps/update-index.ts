import { ts } from "ts-morph";
import type { HandlerOperation, HandlerRequest } from "../handler-request.js";
import { insertMembers } from "../objects/insert-member.js";
import { addImports } from "../syntax/imports.js";
import { relativeModule } from "../syntax/module-paths.js";
import { findReferences } from "../syntax/references.js";
import type { HandlerWorkspace } from "../workspace.js";

/** Creates the file that puts the objects together, or adds the objects that this run has created. */
export function updateIndex(
  workspace: HandlerWorkspace,
  operations: readonly HandlerOperation[],
  { index, server }: Pick<HandlerRequest, "index" | "server">,
): void {
  const isNew = !workspace.has(index);
  const objects = [...new Map(operations.map((each) => [each.file, each] as const)).values()].filter(
    ({ file, object }) =>
      workspace.objects(file).some(({ names, isComplete }) => !isComplete && names.includes(object)) &&
      (isNew || !(workspace.original(file) ?? "").includes(object)),
  );
  if (isNew) {
    if (objects.length === 0 && workspace.allObjects().some(({ object }) => object.isComplete)) return;
    workspace.write(index, indexText(objects, { index, server }));
    return;
  }
  const tree = workspace.tree(index);
  const references = findReferences(tree);
  const missing = objects.filter(({ object, file }) => file !== index && !references.has(object));
  if (missing.length === 0) return;
  const all = workspace.objects(index).find(({ isComplete }) => isComplete);
  if (all === undefined || !ts.isObjectLiteralExpression(all.node)) {
    workspace.report(index, 0, {
      message: `No object here has the type Handlers, so ${missing.map(({ object }) => `\`${object}\``).join(", ")} cannot be added.`,
      fix: "Add them where you put the handlers together.",
    });
    return;
  }
  workspace.edit(index, [
    ...insertMembers(
      tree,
      all,
      missing.map(({ object }) => ({ text: `...${object},` })),
    ),
    ...addImports(
      tree,
      missing.map(({ object, file }) => ({
        local: object,
        imported: object,
        module: relativeModule(index, file, tree),
        isType: false,
      })),
    ),
  ]);
}

function indexText(
  objects: readonly HandlerOperation[],
  { index, server }: Pick<HandlerRequest, "index" | "server">,
): string {
  const imports = objects.map(
    ({ object, file }) => `import { ${object} } from ${JSON.stringify(relativeModule(index, file))};\n`,
  );
  return `import type { Handlers } from ${JSON.stringify(server)};
${imports.join("")}
/** The handlers of all operations. */
export const handlers: Handlers = {
${objects.map(({ object }) => `  ...${object},\n`).join("")}};
`;
}
