import { ts } from "ts-morph";
import type { HandlerOperation } from "../handler-request.js";
import type { HandlerObject } from "../objects/handler-objects.js";
import { addImports, topNames } from "../syntax/imports.js";
import { resolveModule } from "../syntax/module-paths.js";
import { styleOf } from "../syntax/source-style.js";
import type { HandlerWorkspace } from "../workspace.js";

/** The object that a new handler of a tag belongs to. */
export interface TargetObject {
  readonly path: string;
  readonly object: HandlerObject;
}

type Target = Pick<HandlerOperation, "file" | "object">;

/** Finds the object for the handlers of a tag: in the file of the tag, or in one that it re-exports. */
export function findTarget(workspace: HandlerWorkspace, { file, object: name }: Target): TargetObject | undefined {
  const paths = [file, ...reExportedFiles(workspace, file)];
  const candidates = paths.flatMap((path) =>
    workspace.objects(path).flatMap((object) => (object.isComplete ? [] : [{ path, object }])),
  );
  // Without the usual name, that of the most handlers: others are parts of it.
  const largest = candidates.toSorted((a, b) => b.object.members.length - a.object.members.length);
  return candidates.find(({ object }) => object.names.includes(name)) ?? largest[0];
}

/** The files of the workspace that a file re-exports, directly or by an import. */
export function reExportedFiles(workspace: HandlerWorkspace, path: string): readonly string[] {
  if (!workspace.has(path)) return [];
  const modules = workspace
    .tree(path)
    .statements.flatMap((each) =>
      ts.isExportDeclaration(each) || ts.isImportDeclaration(each) ? (each.moduleSpecifier ?? []) : [],
    );
  return modules.flatMap((module) => {
    const resolved = ts.isStringLiteral(module) ? resolveModule(path, module.text) : undefined;
    return resolved !== undefined && workspace.has(resolved) ? [resolved] : [];
  });
}

/** Finds the object for the handlers of a tag, or creates it. Returns undefined where the file has another use of its name. */
export function ensureTarget(workspace: HandlerWorkspace, target: Target, server: string): TargetObject | undefined {
  const existing = findTarget(workspace, target);
  if (existing !== undefined) return existing;
  const { file, object } = target;
  if (workspace.has(file) && namesOf(workspace.tree(file)).has(object)) return undefined;
  if (workspace.has(file)) {
    const handlers = { module: server, imported: "Handlers", local: "Handlers", isType: true };
    workspace.edit(file, addImports(workspace.tree(file), [handlers]));
  } else workspace.write(file, `import { type Handlers } from ${JSON.stringify(server)};\n`);
  const text = workspace.text(file);
  const { lineBreak } = styleOf(text);
  const empty = `export const ${object} = {} satisfies Pick<Handlers, never>;${lineBreak}`;
  workspace.write(file, `${text.trimEnd()}${lineBreak}${lineBreak}${empty}`);
  return findTarget(workspace, target);
}

/** The names that a file declares or exports. */
function namesOf(tree: ts.SourceFile): ReadonlySet<string> {
  const exported = tree.statements.flatMap((each) =>
    ts.isExportDeclaration(each) && each.exportClause !== undefined && ts.isNamedExports(each.exportClause)
      ? each.exportClause.elements.map(({ name }) => name.text)
      : [],
  );
  return new Set([...topNames(tree), ...exported]);
}
