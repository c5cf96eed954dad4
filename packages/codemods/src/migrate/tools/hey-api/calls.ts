import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";
import { namedProperties, printCall, valueOf, type ArgumentProperty } from "../client/call-text.js";
import { describeDecision, notUnderstood, type Obstacle } from "../client/decisions.js";
import { fetchOptions } from "../client/fetch-options.js";
import type { GeneratedClient } from "../client/generated-client.js";
import { findWithin } from "../client/generated-imports.js";
import { splitHeaders } from "../client/split-headers.js";
import type { CodeRecorder } from "../code-recorder.js";
import type { TextOf } from "../nested-edits.js";
import { planResult } from "../results/migrate-result.js";
import type { RecordEdits, ResultMigration } from "../results/migrated-call.js";

/** Options of a call that a generated client has, too. */
const unchangedOptions: ReadonlySet<string> = new Set(["signal", "baseUrl", ...fetchOptions]);

/** Finds the operation that a generated function of hey-api sends. */
export function operationOfSdk(declaration: ts.Declaration, client: GeneratedClient): Operation | undefined {
  return findWithin(declaration, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
    const [init] = node.arguments;
    const isMethod = /^(get|put|post|delete|options|head|patch|trace)$/.test(node.expression.name.text);
    if (!isMethod || init === undefined || !ts.isObjectLiteralExpression(init)) return undefined;
    const url = init.properties.find((each) => each.name?.getText() === "url");
    const text = url && ts.isPropertyAssignment(url) ? url.initializer : undefined;
    if (text === undefined || !ts.isStringLiteralLike(text)) return undefined;
    return client.operationAt(node.expression.name.text, text.text);
  });
}

/** A call of a generated function of hey-api. */
export interface SdkCall {
  readonly call: ts.CallExpression;
  readonly declaration: ts.Declaration;
  readonly operation: Operation;
  readonly options: CallOptions;
  /** The new function, as the file imports it. */
  readonly functionName: () => string;
  /** The new client, as the file imports it. */
  readonly clientText: (textOf: TextOf) => string;
}

/** Reads `getPet({ path: { id } })`. Returns what records its edits, or why it stays. */
export function planSdkCall(
  { call, declaration, operation, options, functionName, clientText }: SdkCall,
  migration: ResultMigration,
): RecordEdits | Obstacle {
  const { recorder } = migration;
  const throws = options.throws ?? throwsByDefault(declaration);
  // With `responseStyle: "data"`, the types of a client have no result around the data.
  const result = resultType(call, recorder.checker);
  const hasResult = result === undefined || result.getProperty("data") !== undefined;
  const text = (textOf: TextOf): string =>
    printCall({ ...options, name: functionName(), client: clientText(textOf) }, textOf);
  const record = hasResult ? planResult({ call, operation, throws, text }, migration) : undefined;
  const name = call.expression.getText();
  if (record === undefined)
    return notUnderstood(`The code around the call uses the result of \`${name}\` in another way.`);
  return () => {
    record();
    recorder.report("done", call, `\`${name}\` is \`${operation.name}\`.`);
    if (throws) markCatch(call, recorder);
  };
}

/** The type of the result that the promise of a call has. Undefined where it is unknown. */
function resultType(call: ts.CallExpression, checker: ts.TypeChecker): ts.Type | undefined {
  const type = checker.getAwaitedType(checker.getTypeAtLocation(call));
  if (type === undefined || (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return undefined;
  return type.isUnion() ? type.types[0] : type;
}

/** Whether a function throws errors without an option: `<ThrowOnError extends boolean = true>`. */
function throwsByDefault(declaration: ts.Declaration): boolean {
  const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
  const parameters = value !== undefined && ts.isFunctionLike(value) ? value.typeParameters : undefined;
  return (
    parameters?.some(({ name, default: each }) => name.text === "ThrowOnError" && each?.getText() === "true") === true
  );
}

/** The argument of a call, in the groups of a generated function. */
export interface CallOptions {
  readonly request: readonly ArgumentProperty[];
  readonly options: readonly ArgumentProperty[];
  readonly like: ts.ObjectLiteralExpression | undefined;
  readonly client: ts.Expression | undefined;
  /** Undefined: the call does not say. */
  readonly throws: boolean | undefined;
}

/** Reads the argument of a call. */
export function readCallOptions(
  [argument, ...others]: readonly ts.Expression[],
  operation: Operation,
): CallOptions | Obstacle {
  if (others.length > 0) return notUnderstood("The call has more arguments.");
  if (argument === undefined)
    return { request: [], options: [], like: undefined, client: undefined, throws: undefined };
  const like = unwrap(argument);
  const properties = ts.isObjectLiteralExpression(like) ? namedProperties(like) : undefined;
  if (!ts.isObjectLiteralExpression(like) || properties === undefined)
    return notUnderstood("The options of the call are not an object with names.");
  const request: ArgumentProperty[] = [];
  const options: ArgumentProperty[] = [];
  let throws: boolean | undefined;
  let client: ts.Expression | undefined;
  for (const [key, from] of properties) {
    const value = valueOf(from);
    if (["path", "query", "body"].includes(key)) request.push({ key, from });
    else if (key === "headers") {
      const split = splitHeaders(from, operation);
      request.push(...split.request);
      options.push(...split.options);
    } else if (key === "client") client = value;
    else if (key === "throwOnError") {
      if (value.kind !== ts.SyntaxKind.TrueKeyword && value.kind !== ts.SyntaxKind.FalseKeyword)
        return notUnderstood("Whether the call throws depends on a value.");
      throws = value.kind === ts.SyntaxKind.TrueKeyword;
    } else if (key === "responseStyle") return notUnderstood("The call has an option `responseStyle`.");
    else if (key === "auth") options.push({ key: "token", from });
    else if (unchangedOptions.has(key)) options.push({ key, from });
    else return { list: "toDecide", message: describeDecision(key) };
  }
  return { request, options, like, client, throws };
}

/** hey-api throws the body of an error response; generated clients throw an error that has it. */
export function markCatch(call: ts.CallExpression, recorder: CodeRecorder): void {
  for (let at: ts.Node = call; !ts.isSourceFile(at) && !ts.isFunctionLike(at); at = at.parent) {
    const clause = ts.isTryStatement(at.parent) && at.parent.tryBlock === at ? at.parent.catchClause : undefined;
    const name = clause?.variableDeclaration?.name;
    const [first] = clause?.block.statements ?? [];
    if (name !== undefined && first !== undefined && ts.isIdentifier(name))
      recorder.mark(first, `\`${name.text}\` is an ApiError now. Its \`body\` has what was thrown before.`);
  }
}
