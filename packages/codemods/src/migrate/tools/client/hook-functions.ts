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
  const end = bodyWithoutResult(hook, kind === "onRequest" ? request : response);
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

/** The body, which returns nothing in place of the message. Undefined if it returns anything else. */
function bodyWithoutResult({ body }: HookFunction, subject: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  if (!ts.isBlock(body)) return body.getText() === subject ? "{}" : body.getText();
  const returns = returnsIn(body);
  const returned = returns.map(({ expression }) => expression?.getText() ?? "undefined");
  if (returned.some((each) => each !== "undefined" && each !== subject)) return undefined;
  const last = body.statements.at(-1);
  let text = body.getText();
  for (const each of returns.toReversed()) {
    const [start, end] = [each.getStart() - body.getStart(), each.getEnd() - body.getStart()];
    text =
      each === last
        ? text.slice(0, start).trimEnd() + text.slice(end)
        : `${text.slice(0, start)}return;${text.slice(end)}`;
  }
  return text;
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
