import { ts } from "ts-morph";
import { findReferences } from "../../../handlers/syntax/references.js";
import type { TextOf } from "../nested-edits.js";

/** A function that a tool calls with each request or response. */
export type HookFunction = ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration;

/** The names of a hook's parameters in old code. Undefined: it has no such parameter. */
export interface HookParameters {
  readonly request: string | undefined;
  readonly response: string | undefined;
}

/** What old and new requests have in common. */
const requestMembers: ReadonlySet<string> = new Set(["headers", "url", "method"]);

/**
 * Returns the text of a hook for `createClient`. Undefined if the old function does more than reading, or changing headers of the request.
 */
export function hookText(
  kind: "onRequest" | "onResponse",
  hook: HookFunction,
  parameters: HookParameters,
): ((textOf: TextOf) => string) | undefined {
  const { request, response } = parameters;
  const isOnlyRead = memberNames(hook, request).every((each) => requestMembers.has(each));
  const end = readEnd(hook, kind === "onRequest" ? request : response);
  if (!isOnlyRead || end === undefined) return undefined;
  const isAsync = (hook.modifiers ?? []).some((each) => each.kind === ts.SyntaxKind.AsyncKeyword);
  const names = kind === "onRequest" ? [request ?? "request"] : responseParameters(hook, parameters);
  return () => `${isAsync ? "async " : ""}(${names.join(", ")}) => ${end}`;
}

function responseParameters(hook: HookFunction, { request, response }: HookParameters): readonly string[] {
  const isRead = request !== undefined && memberNames(hook, request).length > 0;
  return [response ?? "response", ...(isRead ? [request] : [])];
}

/** The members of a variable that a function reads. An empty name stands for another use. */
function memberNames(hook: HookFunction, name: string | undefined): readonly string[] {
  if (name === undefined || hook.body === undefined) return [];
  const { pos, end } = hook.body;
  const all = findReferences(hook.getSourceFile()).get(name) ?? [];
  return all
    .filter((each) => each.pos >= pos && each.end <= end && !isReturned(each))
    .map(({ parent }) => (ts.isPropertyAccessExpression(parent) ? parent.name.text : ""));
}

function isReturned(node: ts.Identifier): boolean {
  return ts.isReturnStatement(node.parent) || ts.isArrowFunction(node.parent);
}

/** The body without a last `return request`. Undefined if it returns anything else. */
function readEnd({ body }: HookFunction, subject: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  if (!ts.isBlock(body)) return body.getText();
  const last = body.statements.at(-1);
  const returns = returnsIn(body);
  if (last === undefined || returns.length === 0) return body.getText();
  const isPlain = ts.isReturnStatement(last) && /^(undefined)?$/.test(last.expression?.getText() ?? "");
  const isSubject = ts.isReturnStatement(last) && last.expression?.getText() === subject;
  if (returns.length > 1 || (!isPlain && !isSubject)) return undefined;
  const text = body.getText();
  const start = last.getStart() - body.getStart();
  return `${text.slice(0, start).trimEnd()}${text.slice(last.getEnd() - body.getStart())}`;
}

function returnsIn(node: ts.Node): readonly ts.ReturnStatement[] {
  const returns: ts.ReturnStatement[] = [];
  const visit = (each: ts.Node): void => {
    if (ts.isReturnStatement(each)) returns.push(each);
    if (!ts.isFunctionLike(each)) ts.forEachChild(each, visit);
  };
  ts.forEachChild(node, visit);
  return returns;
}

/** Reads the parameters of a hook that gets one object. Undefined if it uses more than the request and the response. */
export function readObjectParameters(hook: HookFunction): HookParameters | undefined {
  const [parameter, ...others] = hook.parameters;
  if (parameter === undefined) return { request: undefined, response: undefined };
  if (others.length > 0 || !ts.isObjectBindingPattern(parameter.name)) return undefined;
  const names = new Map<string, string>();
  for (const { name, propertyName, initializer, dotDotDotToken } of parameter.name.elements) {
    const key = (propertyName ?? name).getText();
    const isKnown = key === "request" || key === "response";
    if (!isKnown || !ts.isIdentifier(name) || initializer !== undefined || dotDotDotToken !== undefined)
      return undefined;
    names.set(key, name.text);
  }
  return { request: names.get("request"), response: names.get("response") };
}
