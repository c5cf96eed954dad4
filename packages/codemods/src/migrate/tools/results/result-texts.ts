import { ts } from "ts-morph";
import type { Outcome } from "./narrowing.js";
import type { ResultReference } from "./result-references.js";
import type { ResultTest } from "./result-tests.js";

/** How code names a new result, and what it knows about it. */
export interface NewResult {
  readonly name: string;
  /** Whether its data is a response with a status, headers and data. */
  readonly hasResponse: boolean;
  /** The type of the bodies of documented errors. */
  readonly errorBody: string | undefined;
}

/** What takes the place of a test. */
export function textOfTest(test: ResultTest, { name }: NewResult, outcome: Outcome | undefined): string {
  const { status, isNegated, whenTrue } = test;
  if (status === undefined) return whenTrue === "ok" ? `${name}.ok` : `!${name}.ok`;
  const isSuccess = status < 400;
  const read = `${name}.${isSuccess ? "data" : "error"}.status ${isNegated ? "!==" : "==="} ${status}`;
  if (outcome === (isSuccess ? "ok" : "error")) return read;
  const other = isSuccess ? `${name}.ok` : `!${name}.ok`;
  if (isNegated) return `(${isSuccess ? `!${name}.ok` : `${name}.ok`} || ${read})`;
  return `(${other} && ${read})`;
}

/** What takes the place of a value, and the node that it replaces. Undefined for values without a counterpart. */
export function replacementOf(
  { field, node }: ResultReference,
  result: NewResult,
  outcome: Outcome | undefined,
): { readonly node: ts.Expression; readonly text: string } | undefined {
  const { name, hasResponse, errorBody } = result;
  const data = hasResponse ? `${name}.data.data` : `${name}.data`;
  const body = errorBody === undefined ? `${name}.error.body` : `(${name}.error.body as ${errorBody})`;
  const choose = (ok: string, error: string): string => {
    if (outcome !== undefined) return outcome === "ok" ? ok : error;
    return ok === error ? ok : `(${name}.ok ? ${ok} : ${error})`;
  };
  switch (field) {
    case "data":
      return { node, text: choose(data, "undefined") };
    case "error":
      return { node, text: ts.isThrowStatement(node.parent) ? `${name}.error` : choose("undefined", body) };
    case "response": {
      const { parent } = node;
      if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node) return undefined;
      if (parent.name.text === "status")
        return { node: parent, text: choose(`${name}.data.status`, `${name}.error.status`) };
      return parent.name.text === "headers" ? replacementOfHeaders(parent, name, choose) : undefined;
    }
  }
}

function replacementOfHeaders(
  node: ts.Expression,
  name: string,
  choose: (ok: string, error: string) => string,
): { readonly node: ts.Expression; readonly text: string } | undefined {
  const { parent: get } = node;
  const call = get.parent;
  const isGet = ts.isPropertyAccessExpression(get) && get.name.text === "get";
  if (!isGet || !ts.isCallExpression(call) || call.expression !== get) return undefined;
  const [header] = call.arguments;
  const args = header?.getText() ?? "";
  const text = choose(`${name}.data.headers.get(${args})`, `(${name}.error.headers?.get(${args}) ?? null)`);
  return { node: call, text };
}

/** A text without parentheses where the code around it needs none. */
export function withoutParentheses(text: string, node: ts.Node): string {
  const { parent } = node;
  const isAlone =
    (ts.isCallExpression(parent) && parent.expression !== node) ||
    ts.isVariableDeclaration(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isTemplateSpan(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isIfStatement(parent) ||
    ts.isWhileStatement(parent) ||
    ts.isCaseClause(parent) ||
    ts.isArrowFunction(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isShorthandPropertyAssignment(parent) ||
    ts.isJsxExpression(parent);
  return isAlone && text.startsWith("(") && closesAtEnd(text) ? text.slice(1, -1) : text;
}

/** Whether the first parenthesis of a text closes at its end. */
function closesAtEnd(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "(") depth++;
    if (text[index] === ")") depth--;
    if (depth === 0) return index === text.length - 1;
  }
  return false;
}
