import type { HandlerOperation, HandlerRequest, HandlerUpdate, PreviousHandler } from "./handler-request.js";
import { addHandlers, refreshStub } from "./steps/add-handlers.js";
import { matchOperations } from "./steps/match-operations.js";
import { moveHandler } from "./steps/move-handlers.js";
import { removeHandler } from "./steps/remove-handlers.js";
import { restoreCode } from "./steps/removed-code.js";
import { renameHandlers } from "./steps/rename-handlers.js";
import { fingerprint, fingerprintOf, objectStub } from "./steps/stub-text.js";
import { reExportedFiles } from "./steps/target-objects.js";
import { updateIndex } from "./steps/update-index.js";
import { importedNames, removeImports } from "./syntax/imports.js";
import { findSyntaxIssues, HandlerSyntaxError, parseSource } from "./syntax/parse.js";
import { findReferences } from "./syntax/references.js";
import { HandlerWorkspace } from "./workspace.js";

/**
 * Brings files with handlers into step with a description: adds, renames and moves handlers, and turns those of removed operations into comments.
 * What a person wrote keeps its bytes. The result of a second run equals that of the first.
 *
 * @param request - The operations, the files, and what the previous run has returned.
 * @returns The new texts.
 * @throws HandlerSyntaxError for files that do not parse, or that have the markers of a merge conflict.
 */
export function updateHandlers(request: HandlerRequest): HandlerUpdate {
  const { operations, previous, texts } = request;
  rejectSyntaxErrors(texts);
  const byName = new Map(operations.map((each) => [each.name, each] as const));
  const workspace = new HandlerWorkspace(texts, {
    isOperation: (name) => byName.has(name) || Object.hasOwn(previous, name),
    objectNames: new Set(operations.map(({ object }) => object)),
  });
  const changes = matchOperations(
    Object.entries(previous).map(([name, { route }]) => ({ name, route })),
    operations,
  );
  const stubs = findStubs(workspace, previous);
  const remove = (name: string): void =>
    removeHandler(workspace, { name, route: previous[name]?.route ?? "", isStub: stubs.has(name) }, request);
  const targets = new Set(changes.renamed.values());
  for (const name of changes.removed) if (targets.has(name)) remove(name);
  // A handler that already has the new name is the user's own: the old one has no operation any more.
  const renamed = new Map(
    [...changes.renamed].filter(([, now]) => workspace.find(now) === undefined || changes.renamed.has(now)),
  );
  renameHandlers(workspace, renamed, request);
  const knownNow = new Map(
    Object.entries(previous).flatMap(([name, known]) =>
      changes.removed.includes(name) ? [] : [[renamed.get(name) ?? name, known] as const],
    ),
  );
  const stubsNow = new Set([...stubs].map((name) => renamed.get(name) ?? name));

  for (const { name } of operations) restoreHandler(workspace, name);
  for (const operation of operations) {
    const entry = knownNow.get(operation.name);
    // Where a person has moved a handler elsewhere, it stays.
    const path = workspace.find(operation.name)?.path;
    if (entry === undefined || path === undefined || entry.tag === operation.tag) continue;
    const home = request.fileOf(entry.tag);
    if ([home, ...reExportedFiles(workspace, home)].includes(path)) moveHandler(workspace, operation, request);
  }
  for (const name of removedNames(workspace, byName, previous)) remove(name);
  for (const operation of operations)
    if (stubsNow.has(operation.name)) refreshStub(workspace, operation, fingerprint(objectStub(operation.stub)));
  addHandlers(workspace, operations, request);
  updateIndex(workspace, operations, request);
  removeUnusedErrors(workspace, request.server);
  return {
    files: changedFiles(workspace, request.index),
    handlers: describeHandlers(operations),
    issues: workspace.issues,
  };
}

function rejectSyntaxErrors(texts: HandlerRequest["texts"]): void {
  const issues = findSyntaxIssues(Object.entries(texts));
  if (issues.length > 0) throw new HandlerSyntaxError(issues);
}

/** The names of the operations whose handlers have no code of a person. */
function findStubs(workspace: HandlerWorkspace, previous: HandlerRequest["previous"]): ReadonlySet<string> {
  const stubs = Object.entries(previous).filter(([name, { stub }]) => {
    const handler = workspace.find(name);
    return handler !== undefined && fingerprintOf(handler.tree, handler.member.node) === stub;
  });
  return new Set(stubs.map(([name]) => name));
}

/** Turns the handler of an operation that is back in the description from a comment into code. */
function restoreHandler(workspace: HandlerWorkspace, name: string): void {
  if (workspace.find(name) !== undefined) return;
  for (const path of workspace.paths) {
    const before = workspace.text(path);
    const text = restoreCode(before, name);
    if (text === before) continue;
    workspace.write(path, text);
    if (findSyntaxIssues([[path, text]]).length > 0 || workspace.find(name) === undefined)
      workspace.write(path, before);
  }
}

/** The names of handlers and of types without an operation. */
function removedNames(
  workspace: HandlerWorkspace,
  operations: ReadonlyMap<string, unknown>,
  previous: HandlerRequest["previous"],
): ReadonlySet<string> {
  const names = workspace.allObjects().flatMap(({ object: { lists, members } }) => {
    const listed = lists.flatMap(({ literals }) => literals.map(({ name }) => name));
    return [...listed, ...members.flatMap(({ name }) => (Object.hasOwn(previous, name) ? [name] : []))];
  });
  return new Set(names.filter((name) => !operations.has(name)));
}

/** Removes imports that stubs and types needed, where this run has removed what used them. */
function removeUnusedErrors(workspace: HandlerWorkspace, server: string): void {
  for (const path of workspace.paths.filter((each) => workspace.isChanged(each))) {
    const tree = workspace.tree(path);
    const references = findReferences(tree);
    const original = findReferences(parseSource(path, workspace.original(path) ?? ""));
    const unused = importedNames(tree).filter(
      ({ local, imported, module }) =>
        module === server &&
        (imported === "NotImplementedError" || imported === "Handlers") &&
        references.get(local)?.length === 1 &&
        original.get(local)?.length !== 1,
    );
    workspace.edit(path, removeImports(tree, unused));
  }
}

function changedFiles(workspace: HandlerWorkspace, index: string): HandlerUpdate["files"] {
  const paths = workspace.paths.filter(
    (path) => path === index || workspace.isChanged(path) || workspace.objects(path).length > 0,
  );
  const files = paths.map((path) => ({ path, original: workspace.original(path), text: workspace.text(path) }));
  const changed = files.filter(({ original, text }) => original !== text);
  const [issue] = findSyntaxIssues(changed.map(({ path, text }) => [path, text] as const));
  if (issue !== undefined)
    throw new Error(`The new text of ${issue.path}:${issue.line} does not parse: ${issue.message}`);
  return files;
}

function describeHandlers(operations: readonly HandlerOperation[]): Readonly<Record<string, PreviousHandler>> {
  return Object.fromEntries(
    operations.map(
      ({ name, route, tag, stub }) => [name, { route, tag, stub: fingerprint(objectStub(stub)) }] as const,
    ),
  );
}
