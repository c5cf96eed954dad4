import { ts } from "ts-morph";
import type { UserFunction } from "../express/resolve-symbol.js";

/** A response that a handler sends with Express: where it stands, and what it has. */
export interface SentResponse {
  /** The statement, or the body of an arrow function, to replace. */
  readonly node: ts.Node;
  /** Whether the node is the body of an arrow function. */
  readonly isBody: boolean;
  /** The code of the status. */
  readonly status: string;
  readonly body: ts.Expression | undefined;
  /** A `return` behind the response, which the new one replaces. */
  readonly end: ts.Statement | undefined;
}

/**
 * Reads a response from a reference to the response of Express: `res.status(404).json({})`, which the function then ends with.
 *
 * @returns undefined for any other use
 */
export function readResponse(reference: ts.Identifier, handler: UserFunction): SentResponse | undefined {
  const chain = readChain(reference);
  if (chain === undefined || findEnclosingFunction(chain.call) !== handler) return undefined;
  const { call, ...sent } = chain;
  const value = ts.isVoidExpression(call.parent) || ts.isAwaitExpression(call.parent) ? call.parent : call;
  const { parent } = value;
  if (parent === handler) return { ...sent, node: value, isBody: true, end: undefined };
  if (ts.isParenthesizedExpression(parent) || !ts.isStatement(parent)) return undefined;
  if (ts.isReturnStatement(parent)) return { ...sent, node: parent, isBody: false, end: undefined };
  if (!ts.isExpressionStatement(parent)) return undefined;
  const next = statementAfter(parent);
  if (next !== undefined && ts.isReturnStatement(next) && next.expression === undefined)
    return { ...sent, node: parent, isBody: false, end: next };
  return isLast(parent, handler) ? { ...sent, node: parent, isBody: false, end: undefined } : undefined;
}

interface ResponseChain {
  readonly call: ts.CallExpression;
  readonly status: string;
  readonly body: ts.Expression | undefined;
}

/** `res.status(201).json(body)`, `res.json(body)`, `res.status(204).end()` and `res.sendStatus(204)` */
function readChain(reference: ts.Identifier): ResponseChain | undefined {
  const first = methodCall(reference);
  if (first === undefined) return undefined;
  const [argument] = first.call.arguments;
  if (first.name === "sendStatus" && argument !== undefined)
    return { call: first.call, status: argument.getText(), body: undefined };
  if (first.name !== "status") return endOfChain(first, "200");
  const second = methodCall(first.call);
  return second === undefined || argument === undefined ? undefined : endOfChain(second, argument.getText());
}

function endOfChain({ name, call }: MethodCall, status: string): ResponseChain | undefined {
  const [body] = call.arguments;
  return /^(json|send|end)$/.test(name) && call.arguments.length < 2 ? { call, status, body } : undefined;
}

interface MethodCall {
  readonly name: string;
  readonly call: ts.CallExpression;
}

/** The call of a method of an expression. */
function methodCall(node: ts.Expression): MethodCall | undefined {
  const access = node.parent;
  if (!ts.isPropertyAccessExpression(access) || access.expression !== node) return undefined;
  const call = access.parent;
  return ts.isCallExpression(call) && call.expression === access ? { name: access.name.text, call } : undefined;
}

/** The innermost function around a node. */
export function findEnclosingFunction(node: ts.Node): ts.Node | undefined {
  let at: ts.Node = node.parent;
  while (!ts.isFunctionLike(at)) {
    if (ts.isSourceFile(at)) return undefined;
    at = at.parent;
  }
  return at;
}

function statementAfter(statement: ts.Statement): ts.Statement | undefined {
  const { parent } = statement;
  return ts.isBlock(parent) ? parent.statements[parent.statements.indexOf(statement) + 1] : undefined;
}

/** Whether a function ends with a statement: nothing runs after it. */
function isLast(statement: ts.Statement, handler: UserFunction): boolean {
  const { parent } = statement;
  if (ts.isIfStatement(parent)) return isLast(parent, handler);
  if (!ts.isBlock(parent) || parent.statements.at(-1) !== statement) return false;
  if (parent.parent === handler) return true;
  return ts.isIfStatement(parent.parent) && isLast(parent.parent, handler);
}
