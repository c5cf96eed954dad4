import { ts } from "ts-morph";
import { applyEdits, type TextEdit } from "../../../handlers/syntax/text-edits.js";
import { callsIn } from "../express/express-routes.js";
import { referencesTo, type UserFunction } from "../express/resolve-symbol.js";

/** The option `onError` in code, from an error handler that formats the errors of the tool. */
export interface ErrorFormat {
  readonly handler: UserFunction;
  /** Undefined: the handler does more than to format them. */
  readonly onError: string | undefined;
}

/** What a handler reads of an error of the tool, as code for an error response of the validator. */
const replacements: ReadonlyMap<string, string> = new Map([
  ["message", 'issues.map(({ reason }) => reason).join(", ")'],
  [
    "errors",
    "issues.map(({ in: location, field, code, reason }) => ({\n" +
      '  path: `/${location === "path" ? "params" : location}${field === undefined ? "" : `/${field.replaceAll(".", "/")}`}`,\n' +
      "  message: reason,\n" +
      "  errorCode: `${code}.openapi.validation`,\n" +
      "}))",
  ],
  ["status", "status"],
]);

/** Finds the error handlers that format errors of the tool: functions of four parameters that read what these have. */
export function findErrorFormats(files: readonly ts.SourceFile[], checker: ts.TypeChecker): readonly ErrorFormat[] {
  return files.flatMap(functionsIn).flatMap((handler): readonly ErrorFormat[] => {
    const [error] = handler.parameters;
    if (handler.parameters.length !== 4 || error === undefined || !ts.isIdentifier(error.name)) return [];
    const { body } = handler;
    if (body === undefined) return [];
    const read = new Set(
      referencesTo(error.name, body, checker).map(({ parent }) =>
        ts.isPropertyAccessExpression(parent) ? parent.name.text : "",
      ),
    );
    // Errors of the tool have a status and a list; other errors have neither.
    const isOfTool = read.has("errors") || (read.has("status") && read.has("message"));
    return isOfTool ? [{ handler, onError: formatOf(handler, error.name, checker) }] : [];
  });
}

function functionsIn(file: ts.SourceFile): readonly UserFunction[] {
  const functions: UserFunction[] = [];
  const visit = (node: ts.Node): void => {
    const isFunction = ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node);
    if (isFunction && node.body !== undefined) functions.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return functions;
}

/** The code of `onError`, where the handler has one response with a body that only depends on the error. */
function formatOf(handler: UserFunction, error: ts.Identifier, checker: ts.TypeChecker): string | undefined {
  const { body } = handler;
  const responses = callsIn(handler).filter(
    ({ expression }) => ts.isPropertyAccessExpression(expression) && /^(json|send)$/.test(expression.name.text),
  );
  const [response, ...others] = responses;
  const [content] = response?.arguments ?? [];
  if (body === undefined || content === undefined || others.length > 0) return undefined;
  const references = new Set(referencesTo(error, content, checker));
  const edits: TextEdit[] = [];
  const used = new Set<string>();
  let isPlain = true;
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && isStatusOf(node.left, references)) {
      used.add("status");
      edits.push(editOf(node, "status", content));
      return;
    }
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && references.has(node.expression)) {
      const text = replacements.get(node.name.text);
      if (text === undefined) isPlain = false;
      else {
        used.add(node.name.text === "status" ? "status" : "issues");
        edits.push(editOf(node, text, content));
      }
      return;
    }
    // Anything else that the response depends on is not known where the validator is created.
    if (ts.isIdentifier(node) && isFree(node, content, checker)) isPlain = false;
    ts.forEachChild(node, visit);
  };
  visit(content);
  if (!isPlain || !used.has("issues")) return undefined;
  const text = dedent(applyEdits(content.getText(), edits)).replaceAll("\n", "\n  ");
  const status = fixedStatusOf(response);
  const names = [...used].sort().join(", ");
  return `({ ${names} }) => ({${status === undefined ? "" : `\n  status: ${status},`}\n  body: ${text},\n})`;
}

/** A text of several lines, with its last line at the left. */
function dedent(text: string): string {
  const [, indent = ""] = /\n([ \t]*)[^\n]*$/.exec(text) ?? [];
  return text.replaceAll(`\n${indent}`, "\n");
}

/** `err.status || 500` and `err.status ?? 500` */
function isStatusOf(node: ts.Expression, errors: ReadonlySet<ts.Node>): boolean {
  return ts.isPropertyAccessExpression(node) && errors.has(node.expression) && /^status(Code)?$/.test(node.name.text);
}

function editOf(node: ts.Node, text: string, within: ts.Node): TextEdit {
  const start = within.getStart();
  const source = within.getSourceFile().text;
  const line = source.lastIndexOf("\n", node.getStart()) + 1;
  const [indent = ""] = /^[ \t]*/.exec(source.slice(line)) ?? [];
  const isAlone = ts.isPropertyAssignment(node.parent);
  const indented = text.replaceAll("\n", `\n${indent}`);
  return { start: node.getStart() - start, end: node.getEnd() - start, text: isAlone ? indented : `(${indented})` };
}

/** Whether an identifier refers to a declaration outside of an expression. */
function isFree(node: ts.Identifier, within: ts.Node, checker: ts.TypeChecker): boolean {
  const { parent } = node;
  const isName = "name" in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent);
  if (isName || node.text === "undefined") return false;
  const declaration = checker.getSymbolAtLocation(node)?.declarations?.[0];
  if (declaration === undefined) return true;
  const isInside =
    declaration.getSourceFile() === within.getSourceFile() &&
    declaration.pos >= within.pos &&
    declaration.end <= within.end;
  return !isInside && !/\blib\.[\w.]*d\.ts$/.test(declaration.getSourceFile().fileName);
}

/** `res.status(422).json(…)`: a status that does not depend on the error. */
function fixedStatusOf(response: ts.CallExpression | undefined): string | undefined {
  const [, status] =
    /\.status\((\d{3})\)\s*\.\s*\w+\($/.exec(
      response?.expression === undefined ? "" : `${response.expression.getText()}(`,
    ) ?? [];
  return status;
}
