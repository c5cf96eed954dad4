import type { Api } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { rewriteClientOptions, type NewOptions } from "../client/client-options.js";
import { takesToken } from "../client/generated-client.js";
import { calleeName, resolveDeclaration } from "../client/generated-imports.js";
import { hookText, type HookFunction } from "../client/hook-functions.js";
import type { CodeRecorder } from "../code-recorder.js";

/** Options of a client of hey-api, by the names that generated clients have for them. */
const rewrites: Readonly<Record<string, string>> = { baseUrl: "baseUrl", auth: "token", headers: "headers" };

const decision = "Decide which options of the client remain: baseUrl, token, headers, fetch, onRequest, onResponse.";

/** What the set-up of clients needs. */
export interface HeyClientSetup {
  readonly recorder: CodeRecorder;
  readonly api: Api;
  readonly isGenerated: (file: ts.SourceFile) => boolean;
  /** The hooks that the client of all calls has already. It can have one of each kind. */
  readonly hooks: Set<string>;
  /** The function that changes the options of the client of all calls, as a file imports it. */
  readonly configureName: (file: ts.SourceFile) => string;
}

/**
 * Records the edits of `client.setConfig(options)`, of its interceptors, and of `createClient(options)`.
 *
 * @returns the nodes that are replaced
 */
export function migrateHeyClient(call: ts.CallExpression, setup: HeyClientSetup): readonly ts.Node[] {
  const { expression } = call;
  if (ts.isIdentifier(expression)) return migrateCreateClient(call, expression, setup);
  const root = rootOf(expression);
  if (!ts.isPropertyAccessExpression(expression) || root === undefined || !isOfTool(root, setup)) return [];
  const [, kind] = /\.interceptors\.(request|response|error)\.use$/.exec(expression.getText()) ?? [];
  if (kind !== undefined) return migrateInterceptor(call, kind, setup);
  if (expression.name.text !== "setConfig") return [];
  const options = rewriteClientOptions(call.arguments[0], { rewrites, takesToken: takesToken(setup.api) });
  return configure(call, options, setup);
}

function isOfTool(node: ts.Node, { recorder, isGenerated }: HeyClientSetup): boolean {
  const file = resolveDeclaration(node, recorder.checker)?.getSourceFile();
  return file !== undefined && isGenerated(file);
}

function rootOf(node: ts.Expression): ts.Identifier | undefined {
  if (ts.isIdentifier(node)) return node;
  return ts.isPropertyAccessExpression(node) ? rootOf(node.expression) : undefined;
}

function configure(
  call: ts.CallExpression,
  options: NewOptions | undefined,
  { recorder, configureName }: HeyClientSetup,
): readonly ts.Node[] {
  const file = call.getSourceFile();
  if (options === undefined) {
    recorder.mark(
      call,
      "Decide which options of the client remain: baseUrl, token, headers, fetch, onRequest, onResponse.",
    );
    return [];
  }
  recorder.replace(call, (textOf) => `${configureName(file)}(${options.text(textOf)})`);
  for (const { node, message } of options.undecided) recorder.report("toDecide", node, message);
  recorder.report("done", call, "The options of the client are set by `configureClient`.");
  return [call.expression];
}

/** `client.interceptors.request.use((request) => request)` */
function migrateInterceptor(call: ts.CallExpression, kind: string, setup: HeyClientSetup): readonly ts.Node[] {
  const { recorder, configureName } = setup;
  const [hook] = call.arguments;
  const isFunction = hook !== undefined && (ts.isArrowFunction(hook) || ts.isFunctionExpression(hook));
  const key = kind === "request" ? "onRequest" : "onResponse";
  const text = isFunction && kind !== "error" ? interceptorText(key, hook) : undefined;
  if (text === undefined || setup.hooks.has(key)) {
    recorder.mark(
      call,
      "Clients have hooks in place of interceptors. Decide what becomes onRequest and onResponse of the client.",
    );
    return [];
  }
  const file = call.getSourceFile();
  setup.hooks.add(key);
  recorder.replace(call, (textOf) => `${configureName(file)}({ ${key}: ${text(textOf)} })`);
  recorder.report("done", call, `The interceptor is \`${key}\` of the client.`);
  return [call.expression];
}

function interceptorText(key: "onRequest" | "onResponse", hook: HookFunction): ReturnType<typeof hookText> {
  const names = hook.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : undefined));
  if (names.includes(undefined) || names.length > 2) return undefined;
  const [first, second] = names;
  if (key === "onRequest")
    return names.length > 1 ? undefined : hookText(key, hook, { request: first, response: undefined });
  return hookText(key, hook, { request: second, response: first });
}

/** `createClient(createConfig(options))` of hey-api. */
function migrateCreateClient(call: ts.CallExpression, name: ts.Identifier, setup: HeyClientSetup): readonly ts.Node[] {
  const { recorder, api } = setup;
  const declaration = resolveDeclaration(name, recorder.checker);
  const declared = declaration && "name" in declaration ? (declaration.name as ts.Node).getText() : "";
  if (declared !== "createClient" || !isOfTool(name, setup)) return [];
  const [given] = call.arguments;
  const config =
    given !== undefined && ts.isCallExpression(given) && calleeName(given)?.text === "createConfig" ? given : undefined;
  const options = rewriteClientOptions(config === undefined ? given : config.arguments[0], {
    rewrites,
    takesToken: takesToken(api),
    at: call,
  });
  const file = call.getSourceFile();
  if (options === undefined) {
    recorder.mark(call, decision);
    return [];
  }
  recorder.replace(call, (textOf) => {
    const local = recorder.importName(file, { imported: "createClient", isType: false, local: name.text });
    return `${local}(${options.text(textOf)})`;
  });
  for (const { node, message } of options.undecided) recorder.report("toDecide", node, message);
  recorder.report("done", call, "The client is created by `createClient` of the generated package.");
  return [name, ...(config === undefined ? [] : [config.expression])];
}
