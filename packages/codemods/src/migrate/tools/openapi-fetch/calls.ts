import { isSuccess, type Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { readText, unwrap } from "../../../impact/expressions.js";
import { namedProperties, printCall, valueOf, type ArgumentProperty } from "../client/call-text.js";
import { describeDecision } from "../client/decisions.js";
import { fetchOptions } from "../client/fetch-options.js";
import { migrateResult } from "../results/migrate-result.js";
import type { ResultMigration } from "../results/migrated-call.js";

/** The groups of parameters, by their names in `params`. */
const groups: Readonly<Record<string, string>> = { path: "path", query: "query", header: "headers", cookie: "cookies" };

/** Options of a call that a generated client has, too. */
const unchangedOptions: ReadonlySet<string> = new Set(["signal", "baseUrl", "headers", ...fetchOptions]);

/** Records the edits of `client.GET("/pets", init)`. */
export function migrateFetchCall(call: ts.CallExpression, migration: ResultMigration): void {
  const { recorder, client } = migration;
  if (!ts.isPropertyAccessExpression(call.expression)) return;
  const { text: member } = call.expression.name;
  // `client.request("get", "/pets")` has the method as an argument.
  const [first, second, init, ...rest] = member === "request" ? call.arguments : [undefined, ...call.arguments];
  const method = first === undefined ? member : (readLiteral(first) ?? "").toUpperCase();
  const path = second && readLiteral(second);
  if (path === undefined || method === "")
    return recorder.report("notUnderstood", call, "The method or the path of the call is not a literal.");
  const operation = client.operationAt(method, path);
  if (operation === undefined)
    return recorder.report("notUnderstood", call, `The description has no ${method} ${path}.`);
  const read = readInit(init, operation);
  if (typeof read === "string" || rest.length > 0)
    return recorder.report("notUnderstood", call, typeof read === "string" ? read : "The call has more arguments.");
  const instance = call.expression.expression;
  const nameOf = (): string => recorder.importName(call.getSourceFile(), { imported: operation.name, isType: false });
  const isUnderstood = migrateResult(
    {
      call,
      operation,
      throws: false,
      text: (textOf) => printCall({ ...read, name: nameOf(), client: textOf(instance) }, textOf),
    },
    migration,
  );
  if (!isUnderstood)
    return recorder.report(
      "notUnderstood",
      call,
      `The code around the call uses the result of ${method} ${path} in another way.`,
    );
  recorder.report("done", call, `${method} ${path} is \`${operation.name}\`.`);
  for (const each of read.undecided) recorder.mark(call, describeDecision(each));
}

function readLiteral(node: ts.Expression): string | undefined {
  return ts.isStringLiteralLike(node) ? node.text : undefined;
}

interface ReadInit {
  readonly request: readonly ArgumentProperty[];
  readonly options: readonly ArgumentProperty[];
  readonly like: ts.ObjectLiteralExpression | undefined;
  /** Options without a counterpart, which the new call keeps. They do not compile. */
  readonly undecided: readonly string[];
}

/** Reads the second argument of a call; a text says why that is not possible. */
function readInit(init: ts.Expression | undefined, operation: Operation): ReadInit | string {
  if (init === undefined) return { request: [], options: [], like: undefined, undecided: [] };
  const like = unwrap(init);
  const properties = ts.isObjectLiteralExpression(like) ? namedProperties(like) : undefined;
  if (!ts.isObjectLiteralExpression(like) || properties === undefined)
    return "The options of the call are not an object with names.";
  const request: ArgumentProperty[] = [];
  const options: ArgumentProperty[] = [];
  const undecided: string[] = [];
  for (const [key, from] of properties) {
    if (key === "params") {
      const params = unwrap(valueOf(from));
      const read = ts.isObjectLiteralExpression(params) ? readParams(params) : undefined;
      // Objects in variables have the same names, unless there are headers: `header` is `headers`.
      const hasSameNames = operation.parameters.every((each) => each.in === "path" || each.in === "query");
      if (read !== undefined) request.push(...read);
      else if (hasSameNames && !ts.isObjectLiteralExpression(params)) request.push({ key, from: valueOf(from) });
      else return "The parameters of the call are not an object with names.";
    } else if (key === "body") request.push({ key, from });
    else if (key === "parseAs" && isDocumentedParse(valueOf(from), operation)) continue;
    else {
      options.push({ key, from });
      if (!unchangedOptions.has(key)) undecided.push(key);
    }
  }
  return { request, options, like, undecided };
}

function readParams(params: ts.ObjectLiteralExpression): readonly ArgumentProperty[] | undefined {
  const properties = namedProperties(params);
  if (properties === undefined) return undefined;
  return [...properties].map(([key, from]) => ({ key: groups[key] ?? key, from }));
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
