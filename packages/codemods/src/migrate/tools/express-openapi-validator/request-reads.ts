import type { Api, Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { declaredNamesIn, type CodeRecorder } from "../code-recorder.js";
import { outermostAssertion, readParameters, type ParameterRead } from "../express/parameter-reads.js";
import { referencesTo, type UserFunction } from "../express/resolve-symbol.js";

/** The locations of parameters by the names of Express, which are groups of the decoded input, too. */
const locations: ReadonlyMap<string, "query" | "path"> = new Map([
  ["query", "query"],
  ["params", "path"],
]);

const withoutCounterpart = "Requests have no `openapi`. Decoded values are in `inputOf(operation, request)`.";

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
  const references = referencesTo(request, body, recorder.checker);
  const groups = references.flatMap(groupOf);
  const variable = freeName("input", file);
  const readAll = (input: string): readonly ParameterRead[] =>
    groups.flatMap(({ node, location }) => {
      const read = readParameters(node, { api, operation, location, group: `${input}.${location}` });
      if (read === undefined)
        recorder.report("notUnderstood", node, `${operation.name} does not describe what is read here.`);
      return read ?? [];
    });
  if (readAll(variable).length > 0) {
    const call = inputCall(operation, request.text, file, recorder);
    const isBlock = ts.isBlock(body);
    for (const { node, text } of readAll(isBlock ? variable : call)) {
      recorder.replace(node, text);
      recorder.report("done", node, `Reads a decoded parameter of ${operation.name}.`);
    }
    if (isBlock) insertStatements(body, [`const ${variable} = ${call};`], recorder);
  }
  for (const each of references) migrateMetadata(each, operation, recorder);
}

interface ParameterGroup {
  readonly node: ts.Expression;
  readonly location: "query" | "path";
}

/** `request.query`, `request.params` and `request.openapi.pathParams` */
function groupOf(request: ts.Identifier): readonly ParameterGroup[] {
  const access = memberOf(request);
  const location = access && locations.get(access.name.text);
  if (access !== undefined && location !== undefined) return [{ node: access, location }];
  const member = access?.name.text === "openapi" ? memberOf(access) : undefined;
  return member?.name.text === "pathParams" ? [{ node: member, location: "path" }] : [];
}

/** Other members of `request.openapi`. */
function migrateMetadata(request: ts.Identifier, { name }: Operation, recorder: CodeRecorder): void {
  const access = memberOf(request);
  const member = access && memberOf(access);
  if (access?.name.text !== "openapi" || member?.name.text === "pathParams") return;
  const detail = member?.name.text === "schema" ? memberOf(member) : undefined;
  if (detail?.name.text !== "operationId") return recorder.mark(access, withoutCounterpart);
  recorder.replace(detail, JSON.stringify(name));
  recorder.report("done", detail, `The name of the operation is ${name}.`);
}

/** The access to a member of a value, behind assertions: `(request as any).openapi`. */
function memberOf(value: ts.Node): ts.PropertyAccessExpression | undefined {
  const outer = outermostAssertion(value);
  const { parent } = outer;
  return ts.isPropertyAccessExpression(parent) && parent.expression === outer ? parent : undefined;
}

/** `({ params, query }, response) => {…}`: the request gets a name, and the pattern is that of its input. */
function migratePattern(
  { handler, operation }: HandlerOfOperation,
  pattern: ts.ObjectBindingPattern,
  recorder: CodeRecorder,
): void {
  const { body } = handler;
  const names = pattern.elements.map((each) => (each.propertyName ?? each.name).getText());
  if (body === undefined || !names.some((name) => locations.has(name) || name === "openapi")) return;
  const isPlain = pattern.elements.every(
    (each) => ts.isIdentifier(each.name) && each.initializer === undefined && each.dotDotDotToken === undefined,
  );
  if (!isPlain || !ts.isBlock(body) || names.includes("openapi")) {
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
