import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";
import { namedProperties, printCall, valueOf, type ArgumentProperty } from "../client/call-text.js";
import { describeDecision } from "../client/decisions.js";
import { fetchOptions } from "../client/fetch-options.js";
import type { GeneratedClient } from "../client/generated-client.js";
import { findWithin } from "../client/generated-imports.js";
import { splitHeaders } from "../client/split-headers.js";
import { migrateResult, resultType } from "../results/migrate-result.js";
import type { ResultMigration } from "../results/migrated-call.js";

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

/** What a call of a generated function of hey-api needs beside the call. */
export interface SdkCall {
  readonly call: ts.CallExpression;
  readonly operation: Operation;
  /** The new function, as the file imports it. */
  readonly functionName: () => string;
  /** The client of all calls, as the file imports it. */
  readonly clientName: () => string;
}

/**
 * Records the edits of `getPet({ path: { id } })`.
 *
 * @returns whether it is understood
 */
export function migrateSdkCall(
  { call, operation, functionName, clientName }: SdkCall,
  migration: ResultMigration,
): boolean {
  const { recorder } = migration;
  const [first, ...rest] = call.arguments;
  const read = readOptions(first, operation);
  if (typeof read === "string" || rest.length > 0) {
    recorder.report("notUnderstood", call, typeof read === "string" ? read : "The call has more arguments.");
    return false;
  }
  // With `responseStyle: "data"`, the types of a client have no result around the data.
  const result = resultType(call, recorder.checker);
  const hasData = result === undefined || result.getProperty("data") !== undefined;
  const isUnderstood =
    hasData &&
    migrateResult(
      {
        call,
        operation,
        throws: read.throws,
        text: (textOf) =>
          printCall(
            { ...read, name: functionName(), client: read.client === undefined ? clientName() : textOf(read.client) },
            textOf,
          ),
      },
      migration,
    );
  if (!isUnderstood) {
    recorder.report(
      "notUnderstood",
      call,
      `The code around the call uses the result of \`${call.expression.getText()}\` in another way.`,
    );
    return false;
  }
  recorder.report("done", call, `\`${call.expression.getText()}\` is \`${operation.name}\`.`);
  for (const each of read.undecided) recorder.mark(call, describeDecision(each));
  if (read.throws) markCatch(call, migration);
  return true;
}

interface ReadOptions {
  readonly request: readonly ArgumentProperty[];
  readonly options: readonly ArgumentProperty[];
  readonly like: ts.ObjectLiteralExpression | undefined;
  readonly client: ts.Expression | undefined;
  readonly throws: boolean;
  /** Options without a counterpart, which the new call keeps. They do not compile. */
  readonly undecided: readonly string[];
}

/** Reads the argument of a call; a text says why that is not possible. */
function readOptions(argument: ts.Expression | undefined, operation: Operation): ReadOptions | string {
  const none = { request: [], options: [], like: undefined, client: undefined, throws: false, undecided: [] };
  if (argument === undefined) return none;
  const like = unwrap(argument);
  const properties = ts.isObjectLiteralExpression(like) ? namedProperties(like) : undefined;
  if (!ts.isObjectLiteralExpression(like) || properties === undefined)
    return "The options of the call are not an object with names.";
  const request: ArgumentProperty[] = [];
  const options: ArgumentProperty[] = [];
  const undecided: string[] = [];
  let throws = false;
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
        return "Whether the call throws depends on a value.";
      throws = value.kind === ts.SyntaxKind.TrueKeyword;
    } else if (key === "responseStyle") return "The call has an option `responseStyle`.";
    else {
      options.push({ key: key === "auth" ? "token" : key, from });
      if (key !== "auth" && !unchangedOptions.has(key)) undecided.push(key);
    }
  }
  return { request, options, like, client, throws, undecided };
}

/** hey-api throws the body of an error response; generated clients throw an error that has it. */
function markCatch(call: ts.CallExpression, { recorder }: ResultMigration): void {
  for (let at: ts.Node = call; !ts.isSourceFile(at) && !ts.isFunctionLike(at); at = at.parent) {
    const clause = ts.isTryStatement(at.parent) && at.parent.tryBlock === at ? at.parent.catchClause : undefined;
    const name = clause?.variableDeclaration?.name;
    const [first] = clause?.block.statements ?? [];
    if (name !== undefined && first !== undefined && ts.isIdentifier(name))
      recorder.mark(first, `\`${name.text}\` is an ApiError now. Its \`body\` has what was thrown before.`);
  }
}
