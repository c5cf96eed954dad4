import { isSuccess, type Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { readText, unwrap } from "../../../impact/expressions.js";
import { namedProperties, printCall, valueOf, type ArgumentProperty } from "../client/call-text.js";
import { describeDecision, notUnderstood, type Obstacle } from "../client/decisions.js";
import { fetchOptions } from "../client/fetch-options.js";
import type { GeneratedClient } from "../client/generated-client.js";
import type { TextOf } from "../nested-edits.js";
import { planResult } from "../results/migrate-result.js";
import type { RecordEdits, ResultMigration } from "../results/migrated-call.js";

/** The groups of parameters, by their names in `params`. */
const groups: Readonly<Record<string, string>> = { path: "path", query: "query", header: "headers", cookie: "cookies" };

/** Options of a call that a generated client has, too. */
const unchangedOptions: ReadonlySet<string> = new Set(["signal", "baseUrl", "headers", ...fetchOptions]);

/**
 * Reads `client.GET("/pets", init)`.
 *
 * @param clientText prints the new client
 * @returns what records its edits, or why it stays
 */
export function planFetchCall(
  call: ts.CallExpression,
  clientText: (textOf: TextOf) => string,
  migration: ResultMigration,
): RecordEdits | Obstacle {
  const { recorder, client } = migration;
  const member = ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : "";
  // `client.request("get", "/pets")` has the method as an argument.
  const args = member === "request" ? call.arguments : [undefined, ...call.arguments];
  const read = readRequest(args, member, client);
  if ("message" in read) return read;
  const { operation, init } = read;
  const record = planResult(
    {
      call,
      operation,
      throws: false,
      text(textOf) {
        const name = recorder.importName(call.getSourceFile(), { imported: operation.name, isType: false });
        return printCall({ ...init, name, client: clientText(textOf) }, textOf);
      },
    },
    migration,
  );
  const title = titleOf(operation);
  if (record === undefined)
    return notUnderstood(`The code around the call uses the result of ${title} in another way.`);
  return () => {
    record();
    recorder.report("done", call, `${title} is \`${operation.name}\`.`);
  };
}

/** The method and the path template of an operation: `GET /pets`. */
export function titleOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** The operation of a request, and what it sends. */
export interface FetchRequest {
  readonly operation: Operation;
  readonly init: ReadInit;
}

/**
 * Reads the arguments of a call: the method, the path and the init.
 *
 * @param member the method, if it's no argument
 */
export function readRequest(
  [first, second, init, ...rest]: readonly (ts.Expression | undefined)[],
  member: string,
  client: GeneratedClient,
): FetchRequest | Obstacle {
  const method = first === undefined ? member : (readLiteral(first) ?? "").toUpperCase();
  const path = second && readLiteral(second);
  if (path === undefined || method === "") return notUnderstood("The method or the path of the call is not a literal.");
  const operation = client.operationAt(method, path);
  if (operation === undefined) return notUnderstood(`The description has no ${method} ${path}.`);
  const read = readInit(init, operation);
  if ("message" in read) return read;
  return rest.length > 0 ? notUnderstood("The call has more arguments.") : { operation, init: read };
}

function readLiteral(node: ts.Expression): string | undefined {
  return ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** The request and the options of a call. */
export interface ReadInit {
  readonly request: readonly ArgumentProperty[];
  readonly options: readonly ArgumentProperty[];
  readonly like: ts.ObjectLiteralExpression | undefined;
}

/** Reads the init of a call. */
export function readInit(init: ts.Expression | undefined, operation: Operation): ReadInit | Obstacle {
  if (init === undefined) return { request: [], options: [], like: undefined };
  const like = unwrap(init);
  const properties = ts.isObjectLiteralExpression(like) ? namedProperties(like) : undefined;
  if (!ts.isObjectLiteralExpression(like) || properties === undefined)
    return notUnderstood("The options of the call are not an object with names.");
  const request: ArgumentProperty[] = [];
  const options: ArgumentProperty[] = [];
  for (const [key, from] of properties) {
    if (key === "params") {
      const read = readParams(valueOf(from), operation);
      if (read === undefined) return notUnderstood("The parameters of the call are not an object with names.");
      request.push(...read);
    } else if (key === "body") request.push({ key, from });
    else if (unchangedOptions.has(key)) options.push({ key, from });
    else if (key !== "parseAs" || !isDocumentedParse(valueOf(from), operation))
      return { list: "toDecide", message: describeDecision(key) };
  }
  return { request, options, like };
}

function readParams(value: ts.Expression, operation: Operation): readonly ArgumentProperty[] | undefined {
  const params = unwrap(value);
  if (ts.isObjectLiteralExpression(params)) {
    const properties = namedProperties(params);
    return properties && [...properties].map(([key, from]) => ({ key: groups[key] ?? key, from }));
  }
  // Objects in variables have the same names, unless there are headers: `header` is `headers`.
  const hasSameNames = operation.parameters.every((each) => each.in === "path" || each.in === "query");
  return hasSameNames ? [{ key: "params", from: value }] : undefined;
}

/** Whether a call reads its response as its description says. */
function isDocumentedParse(value: ts.Expression, { responses }: Operation): boolean {
  const types = responses.filter(isSuccess).flatMap(({ contents }) => contents.map(({ mediaType }) => mediaType));
  const expected = types.every((each) => each.endsWith("json"))
    ? "json"
    : types.every((each) => each.startsWith("text/"))
      ? "text"
      : undefined;
  return expected !== undefined && readText(value) === expected;
}
