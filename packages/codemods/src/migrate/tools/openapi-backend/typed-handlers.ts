import type { Api, Operation } from "@plumbline/model";
import { ts } from "ts-morph";
import type { CodeRecorder } from "../code-recorder.js";
import { readParameters } from "../express/parameter-reads.js";
import { referencesTo, type UserFunction } from "../express/resolve-symbol.js";
import type { NestedEdit } from "../nested-edits.js";
import { readResponse, type SentResponse } from "./handler-responses.js";

/** A function that handles an operation. */
export interface BackendHandler {
  readonly handler: UserFunction;
  readonly operation: Operation;
  readonly api: Api;
}

const groups: ReadonlyMap<string, readonly ["path" | "query" | "header" | "cookie", string]> = new Map([
  ["params", ["path", "path"]],
  ["query", ["query", "query"]],
  ["headers", ["header", "headers"]],
  ["cookies", ["cookie", "cookies"]],
]);

/**
 * Turns a handler of `(context, request, response)` into one of the generated server: it reads decoded values, and returns its response.
 *
 * @returns why it cannot be turned; undefined where it was
 */
export function migrateHandler(own: BackendHandler, recorder: CodeRecorder): string | undefined {
  const { handler } = own;
  const [context, request, response, ...others] = handler.parameters;
  const { body } = handler;
  if (body === undefined) return "it has no body";
  const names = [context, request, response].map((each) => each?.name);
  if (names.some((name) => name !== undefined && !ts.isIdentifier(name))) return "it takes its parameters apart";
  const [contextName, requestName, responseName] = names as (ts.Identifier | undefined)[];
  const unread = [requestName, ...others.map(({ name }) => name)].filter((name) => name !== undefined);
  if (unread.some((name) => !ts.isIdentifier(name) || referencesTo(name, body, recorder.checker).length > 0))
    return "it reads the request of Express";
  const responses = responseName === undefined ? [] : referencesTo(responseName, body, recorder.checker);
  const sent = responses.map((each) => readResponse(each, handler));
  if (sent.length === 0 || sent.includes(undefined)) return "it does not only end with `response.status(…).json(…)`";
  const reads = contextName === undefined ? [] : readContext(own, contextName, recorder.checker);
  if (typeof reads === "string") return reads;
  const file = handler.getSourceFile();
  for (const each of reads) recorder.edit(file, each);
  for (const each of sent) if (each !== undefined) replaceResponse(each, recorder);
  changeSignature(own, recorder);
  return undefined;
}

/** The edits of all uses of the context; or what else of it the handler uses. */
function readContext(
  { operation, api, handler }: BackendHandler,
  context: ts.Identifier,
  checker: ts.TypeChecker,
): readonly NestedEdit[] | string {
  const { body } = handler;
  const edits: NestedEdit[] = [];
  for (const reference of body === undefined ? [] : referencesTo(context, body, checker)) {
    const part = accessOf(reference);
    const group = part?.name.text === "request" ? accessOf(part) : undefined;
    if (part?.name.text === "operation" && accessOf(part)?.name.text === "operationId") {
      const node = accessOf(part) ?? part;
      edits.push(toEdit(node, JSON.stringify(operation.name)));
      continue;
    }
    if (group === undefined) return `it uses \`${reference.parent.getText().slice(0, 40)}\``;
    const name = group.name.text;
    if (name === "requestBody" && operation.requestBody !== undefined) {
      edits.push(toEdit(group, `${context.text}.body`));
      continue;
    }
    const [location, key] = groups.get(name) ?? [];
    const read =
      location === undefined
        ? undefined
        : readParameters(group, { api, operation, location, group: `${context.text}.${key}` });
    if (read === undefined) return `\`${operation.name}\` does not describe \`${group.parent.getText().slice(0, 40)}\``;
    edits.push(toEdit(read.node, read.text));
  }
  return edits;
}

function accessOf(node: ts.Expression): ts.PropertyAccessExpression | undefined {
  const { parent } = node;
  return ts.isPropertyAccessExpression(parent) && parent.expression === node ? parent : undefined;
}

function toEdit(node: ts.Node, text: string): NestedEdit {
  return { start: node.getStart(), end: node.getEnd(), text };
}

function replaceResponse({ node, isBody, status, body, end }: SentResponse, recorder: CodeRecorder): void {
  const file = node.getSourceFile();
  recorder.edit(file, {
    start: node.getStart(),
    end: node.getEnd(),
    text: (textOf) => {
      const entries = [`status: ${status}`, ...(body === undefined ? [] : [toEntry(textOf(body))])];
      const object = `{ ${entries.join(", ")} }`;
      return isBody ? `(${object})` : `return ${object};`;
    },
  });
  if (end === undefined) return;
  const before = node.getEnd();
  const isBare = file.text.slice(before, end.getStart()).trim() === "";
  recorder.edit(file, { start: isBare ? before : end.getStart(), end: end.getEnd(), text: "" });
}

function toEntry(text: string): string {
  return text === "body" ? text : `body: ${text}`;
}

/** One parameter, whose type comes from the server. */
function changeSignature({ handler, operation }: BackendHandler, recorder: CodeRecorder): void {
  const file = handler.getSourceFile();
  const [context] = handler.parameters;
  const last = handler.parameters.at(-1);
  if (context === undefined || last === undefined) return;
  const handlers = (): string =>
    `${recorder.importName(file, { imported: "Handlers", isType: true })}[${JSON.stringify(operation.name)}]`;
  const isDeclared = ts.isFunctionDeclaration(handler);
  const type = isDeclared ? `: Parameters<${handlers()}>[0]` : "";
  recorder.edit(file, { start: context.name.getEnd(), end: last.getEnd(), text: type });
  const isAsync = (handler.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  const result = (): string => {
    const own = `Awaited<ReturnType<${handlers()}>>`;
    return `: ${isAsync ? `Promise<${own}>` : own}`;
  };
  if (handler.type !== undefined) {
    const start = file.text.lastIndexOf(":", handler.type.getStart());
    recorder.edit(file, { start, end: handler.type.getEnd(), text: isDeclared ? result() : "" });
  } else if (isDeclared && handler.body !== undefined) {
    const close = file.text.lastIndexOf(")", handler.body.getStart()) + 1;
    recorder.edit(file, { start: close, end: close, text: result() });
  }
  const { parent } = handler;
  if (!ts.isVariableDeclaration(parent)) return;
  const start = parent.name.getEnd();
  recorder.edit(file, { start, end: parent.type?.getEnd() ?? start, text: `: ${handlers()}` });
}
