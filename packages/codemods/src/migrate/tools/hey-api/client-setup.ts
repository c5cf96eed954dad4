import { ts } from "ts-morph";
import { importedNames } from "../../../handlers/syntax/imports.js";
import { rewriteClientOptions, type AddedOption, type Decision, type NewOptions } from "../client/client-options.js";
import type { ClientSecurity } from "../client/generated-client.js";
import { calleeName, resolveDeclaration } from "../client/generated-imports.js";
import { hookText, type HookFunction } from "../client/hook-functions.js";
import { isInside, statementOf, variableOf, type OldClient } from "../client/old-clients.js";
import type { CodeRecorder } from "../code-recorder.js";
import type { TextOf } from "../nested-edits.js";
import { referencesOf } from "../variable-references.js";

/** Options of a client of hey-api, by the names that generated clients have for them. */
const rewrites: Readonly<Record<string, string>> = { baseUrl: "baseUrl", auth: "token", headers: "headers" };

const decision =
  "Clients have one hook of each kind in place of interceptors. Decide what becomes onRequest and onResponse of the client.";

/** What the set-up of clients needs. */
export interface HeySetUpContext {
  readonly recorder: CodeRecorder;
  readonly security: ClientSecurity;
  readonly isGenerated: (file: ts.SourceFile) => boolean;
}

/** A call that sets up the client of all calls: of `setConfig`, or of an interceptor. */
export interface SetUpCall {
  readonly call: ts.CallExpression;
  /** Prints the options of the new client. Undefined: a person decides. */
  readonly text: ((textOf: TextOf) => string) | undefined;
  readonly undecided: readonly Decision[];
  /** The hook that it adds. The client can have one of each kind. */
  readonly hook: string | undefined;
}

/** Reads `client.setConfig(options)` and `client.interceptors.request.use(hook)`, of the client of all calls. */
export function readSetUpCall(call: ts.CallExpression, context: HeySetUpContext): SetUpCall | undefined {
  const { expression } = call;
  const root = rootOf(expression);
  if (!ts.isPropertyAccessExpression(expression) || root === undefined || !isOfTool(root, context)) return undefined;
  if (interceptorKind(call) !== undefined) {
    const hook = readInterceptor(call);
    if (hook === undefined)
      return { call, text: undefined, undecided: [{ node: call, message: decision }], hook: undefined };
    return { call, text: (textOf) => `{ ${hook.key}: ${hook.text(textOf)} }`, undecided: [], hook: hook.key };
  }
  if (expression.name.text !== "setConfig") return undefined;
  const { security } = context;
  return { call, hook: undefined, ...rewriteClientOptions(call.arguments[0], { rewrites, security }) };
}

function isOfTool(node: ts.Node, { recorder, isGenerated }: HeySetUpContext): boolean {
  const file = resolveDeclaration(node, recorder.checker)?.getSourceFile();
  return file !== undefined && isGenerated(file);
}

function rootOf(node: ts.Expression): ts.Identifier | undefined {
  if (ts.isIdentifier(node)) return node;
  return ts.isPropertyAccessExpression(node) ? rootOf(node.expression) : undefined;
}

/** `request`, `response` or `error` in `client.interceptors.request.use(…)` */
function interceptorKind({ expression }: ts.CallExpression): string | undefined {
  return /\.interceptors\.(request|response|error)\.use$/.exec(expression.getText())?.[1];
}

function readInterceptor(call: ts.CallExpression): AddedOption | undefined {
  const kind = interceptorKind(call);
  const [hook] = call.arguments;
  const isFunction = hook !== undefined && (ts.isArrowFunction(hook) || ts.isFunctionExpression(hook));
  const key = kind === "request" ? "onRequest" : "onResponse";
  const text = isFunction && kind !== "error" ? interceptorText(key, hook) : undefined;
  return text && { key, text };
}

function interceptorText(key: "onRequest" | "onResponse", hook: HookFunction): ReturnType<typeof hookText> {
  const names = hook.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : undefined));
  if (names.includes(undefined) || names.length > 2) return undefined;
  const [first, second] = names;
  if (key === "onRequest")
    return names.length > 1 ? undefined : hookText(key, hook, { request: first, response: undefined });
  return hookText(key, hook, { request: second, response: first });
}

/** Finds the clients that a file creates beside the one of all calls: `createClient(createConfig(options))`. */
export function findHeyClients(file: ts.SourceFile, context: HeySetUpContext): readonly OldClient[] {
  const creator = importedNames(file).find(({ imported, node }) => {
    const name = ts.isImportSpecifier(node) ? node.name : undefined;
    return imported === "createClient" && name !== undefined && isOfTool(name, context);
  });
  const clients: OldClient[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === creator?.local) {
      const variable = variableOf(node);
      const { hooks, setUp, undecided } = findInterceptors(variable, context);
      const options = readOptionsOf(node, hooks, context);
      const all = [...options.undecided, ...undecided];
      clients.push({ creation: node, creator, variable, setUp, options: { ...options, undecided: all } });
    }
    ts.forEachChild(node, visit);
  };
  if (creator !== undefined) visit(file);
  return clients;
}

function readOptionsOf(
  creation: ts.CallExpression,
  added: readonly AddedOption[],
  { security }: HeySetUpContext,
): NewOptions {
  const [given] = creation.arguments;
  const config =
    given !== undefined && ts.isCallExpression(given) && calleeName(given)?.text === "createConfig" ? given : undefined;
  const options = config === undefined ? given : config.arguments[0];
  return rewriteClientOptions(options, { rewrites, security, added, at: creation });
}

/** The interceptors of a client with a name, which stand beside it. */
function findInterceptors(
  variable: ts.VariableDeclaration | undefined,
  { recorder }: HeySetUpContext,
): {
  readonly hooks: readonly AddedOption[];
  readonly setUp: readonly ts.Statement[];
  readonly undecided: readonly Decision[];
} {
  const hooks: AddedOption[] = [];
  const setUp: ts.Statement[] = [];
  const undecided: Decision[] = [];
  const block = variable && statementOf(variable)?.parent;
  const references =
    variable !== undefined && ts.isIdentifier(variable.name) ? referencesOf(variable.name, recorder.checker) : [];
  for (const node of references) {
    const call = setUpOf(node);
    if (call === undefined) continue;
    const hook = readInterceptor(call);
    const isRepeated = hooks.some(({ key }) => key === hook?.key);
    if (hook === undefined || isRepeated || !ts.isExpressionStatement(call.parent) || call.parent.parent !== block)
      undecided.push({ node: call, message: decision });
    else {
      hooks.push(hook);
      setUp.push(call.parent);
    }
  }
  return { hooks, setUp, undecided };
}

/** The call that sets up a client, by a mention of it: `client.setConfig(…)`, `client.interceptors.request.use(…)`. */
export function setUpOf(node: ts.Identifier): ts.CallExpression | undefined {
  const { parent } = node;
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node) return undefined;
  let at: ts.Node = parent;
  while (ts.isPropertyAccessExpression(at.parent) && at.parent.expression === at) at = at.parent;
  const call = at.parent;
  const isSetUp = ts.isCallExpression(call) && isInside(at, call.expression);
  return isSetUp && /^(setConfig|interceptors)$/.test(parent.name.text) ? call : undefined;
}
