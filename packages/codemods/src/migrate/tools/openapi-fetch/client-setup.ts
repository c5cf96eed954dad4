import { ts } from "ts-morph";
import { importedNames, type ImportedName } from "../../../handlers/syntax/imports.js";
import { declarationOf, unwrap } from "../../../impact/expressions.js";
import { rewriteClientOptions, type AddedOption, type Decision } from "../client/client-options.js";
import type { ClientSecurity } from "../client/generated-client.js";
import { hookText, readObjectParameters, type HookFunction } from "../client/hook-functions.js";
import { statementOf, variableOf, type OldClient } from "../client/old-clients.js";
import type { CodeRecorder } from "../code-recorder.js";
import { referencesOf } from "../variable-references.js";

/** Options of `createClient` that generated clients have, too. */
const rewrites: Readonly<Record<string, string>> = { baseUrl: "baseUrl", headers: "headers" };

/** Finds the clients that a file creates with openapi-fetch. */
export function findFetchClients(
  file: ts.SourceFile,
  { recorder, security }: { readonly recorder: CodeRecorder; readonly security: ClientSecurity },
): readonly OldClient[] {
  const creator = importedNames(file).find(
    ({ module, imported }) => module === "openapi-fetch" && imported === "default",
  );
  const clients: OldClient[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === creator?.local)
      clients.push(readClient(node, { recorder, security, creator }));
    ts.forEachChild(node, visit);
  };
  if (creator !== undefined) visit(file);
  return clients;
}

function readClient(
  creation: ts.CallExpression,
  {
    recorder,
    security,
    creator,
  }: { readonly recorder: CodeRecorder; readonly security: ClientSecurity; readonly creator: ImportedName },
): OldClient {
  const variable = variableOf(creation);
  const { hooks, statements, undecided } = findMiddleware(variable, recorder);
  const options = rewriteClientOptions(creation.arguments[0], { rewrites, security, added: hooks });
  return {
    creation,
    creator,
    variable,
    setUp: statements,
    options: { ...options, undecided: [...options.undecided, ...undecided, ...destructured(creation)] },
  };
}

function destructured({ parent }: ts.CallExpression): readonly Decision[] {
  const isPattern = ts.isVariableDeclaration(parent) && !ts.isIdentifier(parent.name);
  return isPattern ? [{ node: parent, message: "The client has no name, since its methods are destructured." }] : [];
}

interface ReadMiddleware {
  readonly hooks: readonly AddedOption[];
  /** The statements that register the middleware, or declare it. */
  readonly statements: readonly ts.Statement[];
  readonly undecided: readonly Decision[];
}

/** What `client.use(middleware)` adds to a client. */
function findMiddleware(variable: ts.VariableDeclaration | undefined, recorder: CodeRecorder): ReadMiddleware {
  const hooks = new Map<string, AddedOption>();
  const statements: ts.Statement[] = [];
  const undecided: Decision[] = [];
  for (const use of variable === undefined ? [] : useCallsOf(variable, recorder)) {
    const all = use.arguments.map((each) => readMiddleware(each, recorder));
    const added = all.flatMap((each) => each?.hooks ?? []);
    // What stands in a function runs later, and may read its variables.
    const isBeside =
      ts.isExpressionStatement(use.parent) && use.parent.parent === (variable && statementOf(variable)?.parent);
    const isUnderstood = isBeside && all.every((each) => each !== undefined);
    if (
      !isUnderstood ||
      added.some(({ key }) => hooks.has(key)) ||
      new Set(added.map(({ key }) => key)).size < added.length
    )
      undecided.push({
        node: use,
        message:
          "Clients have one hook of each kind in place of middleware. Decide what becomes onRequest and onResponse of createClient.",
      });
    else {
      for (const hook of added) hooks.set(hook.key, hook);
      statements.push(use.parent, ...all.flatMap((each) => each?.statement ?? []));
    }
  }
  return { hooks: [...hooks.values()], statements, undecided };
}

/** The calls of `use` in all files. */
function useCallsOf({ name }: ts.VariableDeclaration, recorder: CodeRecorder): readonly ts.CallExpression[] {
  if (!ts.isIdentifier(name)) return [];
  return referencesOf(name, recorder.checker).flatMap((node) => {
    const { parent } = node;
    const isUse = ts.isPropertyAccessExpression(parent) && parent.expression === node && parent.name.text === "use";
    return isUse && ts.isCallExpression(parent.parent) ? parent.parent : [];
  });
}

function readMiddleware(
  node: ts.Expression,
  { checker }: CodeRecorder,
): { readonly hooks: readonly AddedOption[]; readonly statement: ts.Statement | undefined } | undefined {
  const declaration = ts.isIdentifier(node) ? declarationOf(node, checker) : undefined;
  const variable = declaration !== undefined && ts.isVariableDeclaration(declaration) ? declaration : undefined;
  const isHere = variable?.getSourceFile() === node.getSourceFile();
  const value = isHere ? variable?.initializer : node;
  const object = value && unwrap(value);
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
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
  const statement = isHere && variable !== undefined ? statementOf(variable) : undefined;
  const isOnlyUse =
    variable !== undefined && ts.isIdentifier(variable.name) && referencesOf(variable.name, checker).length === 1;
  return { hooks, statement: statement?.modifiers === undefined && isOnlyUse ? statement : undefined };
}

function functionOf(property: ts.ObjectLiteralElementLike): HookFunction | undefined {
  if (ts.isMethodDeclaration(property)) return property;
  if (!ts.isPropertyAssignment(property)) return undefined;
  const { initializer } = property;
  return ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer) ? initializer : undefined;
}
