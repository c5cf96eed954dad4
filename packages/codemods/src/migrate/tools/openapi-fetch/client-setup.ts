import { ts } from "ts-morph";
import type { ImportedName } from "../../../handlers/syntax/imports.js";
import { declarationOf, unwrap } from "../../../impact/expressions.js";
import { rewriteClientOptions, type AddedOption } from "../client/client-options.js";
import { hookText, readObjectParameters, type HookFunction } from "../client/hook-functions.js";
import type { CodeRecorder } from "../code-recorder.js";
import { referencesOf } from "../variable-references.js";

/** Options of `createClient` that generated clients have, too. */
const rewrites: Readonly<Record<string, string>> = { baseUrl: "baseUrl", headers: "headers" };

/** Records the edits of `createClient<paths>(options)` and of the middleware of the client. */
export function migrateFetchClient(
  call: ts.CallExpression,
  {
    recorder,
    name,
    takesToken,
  }: { readonly recorder: CodeRecorder; readonly name: ImportedName; readonly takesToken: boolean },
): void {
  const file = call.getSourceFile();
  const hooks = findMiddleware(call, recorder);
  const options = rewriteClientOptions(call.arguments[0], { rewrites, takesToken, added: hooks });
  const local = recorder.importName(file, { imported: "createClient", isType: false, local: name.local });
  recorder.replace(call.expression, local);
  if (call.typeArguments !== undefined)
    recorder.edit(file, { start: call.expression.getEnd(), end: call.arguments.pos - 1, text: "" });
  if (options === undefined) {
    recorder.mark(
      call,
      "Decide which options of the client remain: baseUrl, token, headers, fetch, onRequest, onResponse.",
    );
    return;
  }
  const [old] = call.arguments;
  if (old === undefined)
    recorder.edit(file, { start: call.arguments.pos, end: call.arguments.pos, text: options.text(() => "") });
  else recorder.replace(old, options.text);
  for (const { node, message } of options.undecided) recorder.report("toDecide", node, message);
  recorder.report("done", call, "The client is created by `createClient` of the generated package.");
}

/** The hooks that `client.use(middleware)` adds to a client. What is not understood is marked. */
function findMiddleware(call: ts.CallExpression, recorder: CodeRecorder): readonly AddedOption[] {
  const { parent } = call;
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return [];
  const uses = referencesOf(parent.name, recorder.checker).flatMap((each) => useCallOf(each) ?? []);
  const hooks = new Map<string, AddedOption>();
  for (const use of uses) {
    const middleware =
      use.arguments.length === 1 && use.arguments[0] !== undefined
        ? readMiddleware(use.arguments[0], recorder)
        : undefined;
    const isStatement = ts.isExpressionStatement(use.parent);
    if (middleware === undefined || !isStatement || middleware.hooks.some(({ key }) => hooks.has(key))) {
      recorder.mark(
        use,
        "Clients have hooks in place of middleware. Decide what becomes onRequest and onResponse of createClient.",
      );
      continue;
    }
    for (const hook of middleware.hooks) hooks.set(hook.key, hook);
    removeStatement(use.parent, recorder);
    if (middleware.statement !== undefined) removeStatement(middleware.statement, recorder);
    recorder.report(
      "done",
      use,
      `The middleware is ${middleware.hooks.map(({ key }) => `\`${key}\``).join(" and ")} of the client.`,
    );
  }
  return [...hooks.values()];
}

function useCallOf(node: ts.Identifier): ts.CallExpression | undefined {
  const { parent } = node;
  const isUse = ts.isPropertyAccessExpression(parent) && parent.expression === node && parent.name.text === "use";
  return isUse && ts.isCallExpression(parent.parent) ? parent.parent : undefined;
}

interface ReadMiddleware {
  readonly hooks: readonly AddedOption[];
  /** The statement that declares the middleware. */
  readonly statement: ts.Statement | undefined;
}

function readMiddleware(node: ts.Expression, { checker }: CodeRecorder): ReadMiddleware | undefined {
  const declaration = ts.isIdentifier(node) ? declarationOf(node, checker) : undefined;
  const isOwn =
    declaration !== undefined &&
    ts.isVariableDeclaration(declaration) &&
    ts.isIdentifier(declaration.name) &&
    declaration.getSourceFile() === node.getSourceFile() &&
    ts.isVariableDeclarationList(declaration.parent) &&
    declaration.parent.declarations.length === 1 &&
    ts.isVariableStatement(declaration.parent.parent) &&
    declaration.parent.parent.modifiers === undefined &&
    referencesOf(declaration.name, checker).length === 1;
  const object = isOwn && declaration.initializer !== undefined ? unwrap(declaration.initializer) : unwrap(node);
  if (!ts.isObjectLiteralExpression(object)) return undefined;
  const hooks: AddedOption[] = [];
  for (const property of object.properties) {
    const key = property.name?.getText();
    const hook = functionOf(property);
    const parameters = hook && readObjectParameters(hook);
    if ((key !== "onRequest" && key !== "onResponse") || hook === undefined || parameters === undefined)
      return undefined;
    const text = hookText(key, hook, parameters);
    if (text === undefined) return undefined;
    hooks.push({ key, text, from: property });
  }
  return { hooks, statement: isOwn ? declaration.parent.parent : undefined };
}

function functionOf(property: ts.ObjectLiteralElementLike): HookFunction | undefined {
  if (ts.isMethodDeclaration(property)) return property;
  if (!ts.isPropertyAssignment(property)) return undefined;
  const { initializer } = property;
  return ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer) ? initializer : undefined;
}

/** Removes a statement with its line, whose code has moved. */
function removeStatement(statement: ts.Node, recorder: CodeRecorder): void {
  const file = statement.getSourceFile();
  const start = statement.getStart(file);
  const lineStart = file.text.lastIndexOf("\n", start - 1) + 1;
  const isAlone = file.text.slice(lineStart, start).trim() === "";
  const end = /^[ \t]*(?:\r?\n(?:[ \t]*\r?\n)?)?/.exec(file.text.slice(statement.getEnd()))?.[0].length ?? 0;
  recorder.edit(file, { start: isAlone ? lineStart : start, end: statement.getEnd() + end, text: "" });
}
