import type { Api, Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { declaredNamesIn, type CodeRecorder } from "../code-recorder.js";
import { readParameters, type ParameterRead } from "../express/parameter-reads.js";
import { referencesTo, type UserFunction } from "../express/resolve-symbol.js";

/** The locations of parameters by the names of Express, which are groups of the decoded input, too. */
const locations: ReadonlyMap<string, "query" | "path"> = new Map([
  ["query", "query"],
  ["params", "path"],
]);

/** What the tool adds to requests, and what there is instead. */
const additions: ReadonlyMap<string, string> = new Map([
  ["openapi", "Requests have no `openapi`. Decoded values are in `inputOf(operation, request)`."],
]);

/** The handler of a route. */
export interface OperationHandler {
  readonly handler: UserFunction;
  /** The operations of its routes, usually one. */
  readonly operations: readonly Operation[];
  readonly api: Api;
}

interface HandlerOfOperation extends OperationHandler {
  readonly operation: Operation;
}

/** Changes the reads of parameters in the handler of a route: decoded values are in `inputOf(operation, request)`. */
export function migrateRequestReads(each: OperationHandler, recorder: CodeRecorder): void {
  const { handler, operations } = each;
  const [operation, ...others] = operations;
  const [request] = handler.parameters;
  if (operation === undefined || request === undefined || handler.body === undefined) return;
  if (others.length > 0) {
    recorder.report(
      "toDecide",
      handler,
      "This function handles several operations. What it reads of a request is not decoded: use `inputOf`.",
    );
    return;
  }
  if (ts.isIdentifier(request.name)) migrateNamedRequest({ ...each, operation }, request.name, recorder);
  else if (ts.isObjectBindingPattern(request.name)) migratePattern({ ...each, operation }, request.name, recorder);
}

/** Whether a handler reads what the tool has decoded. */
export function readsRequest(each: OperationHandler, recorder: CodeRecorder): boolean {
  let isRead = false;
  const nothing = (): void => undefined;
  const report: CodeRecorder["report"] = (list) => void (isRead ||= list === "done");
  const dry = { ...recorder, edit: nothing, replace: nothing, mark: nothing, importName: () => "", report };
  migrateRequestReads(each, dry);
  return isRead;
}

function migrateNamedRequest(
  { handler, operation, api }: HandlerOfOperation,
  request: ts.Identifier,
  recorder: CodeRecorder,
): void {
  const { body } = handler;
  if (body === undefined) return;
  const file = handler.getSourceFile();
  const accesses = referencesTo(request, body, recorder.checker).flatMap(({ parent }) =>
    ts.isPropertyAccessExpression(parent) && ts.isIdentifier(parent.expression) ? [parent] : [],
  );
  for (const access of accesses) {
    const message = additions.get(access.name.text);
    if (message !== undefined) recorder.mark(access, message);
  }
  const groups = accesses.filter((access) => locations.has(access.name.text));
  const variable = freeName("input", file);
  const readAll = (input: string): readonly ParameterRead[] =>
    groups.flatMap((access) => {
      const location = locations.get(access.name.text) ?? "query";
      const read = readParameters(access, { api, operation, location, group: `${input}.${location}` });
      if (read === undefined)
        recorder.report("notUnderstood", access, `${operation.name} does not describe what is read here.`);
      return read ?? [];
    });
  if (readAll(variable).length === 0) return;
  const call = inputCall(operation, request.text, file, recorder);
  const isBlock = ts.isBlock(body);
  for (const { node, text } of readAll(isBlock ? variable : call)) {
    recorder.replace(node, text);
    recorder.report("done", node, `Reads a decoded parameter of ${operation.name}.`);
  }
  if (isBlock) insertStatements(body, [`const ${variable} = ${call};`], recorder);
}

/** `({ params, query }, response) => {…}`: the request gets a name, and the pattern is that of its input. */
function migratePattern(
  { handler, operation }: HandlerOfOperation,
  pattern: ts.ObjectBindingPattern,
  recorder: CodeRecorder,
): void {
  const { body } = handler;
  const names = pattern.elements.map((each) => (each.propertyName ?? each.name).getText());
  if (body === undefined || !names.some((name) => locations.has(name) || additions.has(name))) return;
  const isPlain = pattern.elements.every(
    (each) => ts.isIdentifier(each.name) && each.initializer === undefined && each.dotDotDotToken === undefined,
  );
  if (!isPlain || !ts.isBlock(body) || names.some((name) => additions.has(name))) {
    recorder.report(
      "toDecide",
      pattern,
      `The decoded parameters of ${operation.name} are in \`inputOf(${operation.name}, request)\`. Name the request to read them there.`,
    );
    return;
  }
  const file = handler.getSourceFile();
  const request = freeName("request", file);
  const call = inputCall(operation, request, file, recorder);
  const described = new Set<string>(operation.parameters.map((each) => each.in));
  const isInput = (name: string): boolean => described.has(locations.get(name) ?? "");
  const entries = pattern.elements.map(({ propertyName, name }) => ({
    from: (propertyName ?? name).getText(),
    to: name.getText(),
  }));
  const toText = (from: string, to: string): string => (from === to ? to : `${from}: ${to}`);
  const decoded = entries
    .filter(({ from }) => isInput(from))
    .map(({ from, to }) => toText(locations.get(from) ?? from, to));
  const others = entries.filter(({ from }) => !isInput(from)).map(({ from, to }) => toText(from, to));
  if (decoded.length === 0) return;
  recorder.replace(pattern, request);
  recorder.report("done", pattern, `Reads the decoded parameters of ${operation.name}.`);
  const statements = [`const { ${decoded.join(", ")} } = ${call};`];
  if (others.length > 0) statements.push(`const { ${others.join(", ")} } = ${request};`);
  insertStatements(body, statements, recorder);
}

function inputCall(operation: Operation, request: string, file: ts.SourceFile, recorder: CodeRecorder): string {
  const inputOf = recorder.importName(file, { imported: "inputOf", isType: false });
  return `${inputOf}(${recorder.importName(file, { imported: operation.name, isType: false })}, ${request})`;
}

function freeName(name: string, file: ts.SourceFile): string {
  const usedNames = declaredNamesIn(file);
  return [name, "validated", `${name}OfRequest`].find((each) => !usedNames.has(each)) ?? `${name}Validated`;
}

/** Inserts statements at the start of a block, below comments that stand there. */
function insertStatements(block: ts.Block, statements: readonly string[], recorder: CodeRecorder): void {
  const [first] = block.statements;
  if (first === undefined) return;
  const file = block.getSourceFile();
  const start = first.getStart(file);
  const { character } = file.getLineAndCharacterOfPosition(start);
  const before = file.text.slice(start - character, start);
  const indent = before.trim() === "" ? `\n${before}` : " ";
  const [comment] = ts.getLeadingCommentRanges(file.text, first.getFullStart()) ?? [];
  const at = comment?.pos ?? start;
  recorder.edit(file, { start: at, end: at, text: statements.map((each) => `${each}${indent}`).join("") });
}
