import type { Api, Operation } from "@plumbline/kit/model";
import { serverPath } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";
import { resolveSymbol } from "./resolve-symbol.js";

/** A route of Express, with the operation that it implements. */
export interface ExpressRoute {
  readonly call: ts.CallExpression;
  readonly operation: Operation;
  readonly handlers: readonly ts.Expression[];
}

const methods: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

interface Mount {
  readonly parent: ts.Symbol;
  readonly path: string;
}

/**
 * Finds the routes of Express that implement operations: those of an app, and of routers that it uses, at the paths where they are mounted.
 */
export function findExpressRoutes(
  files: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
  api: Api,
): readonly ExpressRoute[] {
  const calls = files.flatMap(callsIn);
  const mounts = new Map<ts.Symbol, Mount[]>();
  for (const call of calls) {
    const { expression } = call;
    if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== "use") continue;
    const parent = resolveSymbol(expression.expression, checker);
    const [first] = call.arguments;
    const path = first !== undefined && ts.isStringLiteralLike(first) ? first.text : "";
    for (const each of call.arguments) {
      const router =
        ts.isIdentifier(each) || ts.isPropertyAccessExpression(each) ? resolveSymbol(each, checker) : undefined;
      if (parent === undefined || router === undefined) continue;
      mounts.set(router, [...(mounts.get(router) ?? []), { parent, path }]);
    }
  }
  const bases = new Set(api.servers.map(({ url }) => serverPath(url)));
  const operations = new Map(
    api.operations.flatMap((operation) =>
      [...bases].map((base) => [keyOf(operation.method, `${base}${operation.path}`), operation] as const),
    ),
  );
  return calls.flatMap((call): readonly ExpressRoute[] => {
    const route = routeOf(call);
    const receiver = route && resolveSymbol(route.receiver, checker);
    if (route === undefined || receiver === undefined) return [];
    const matches = prefixesOf(receiver, mounts).flatMap(
      (prefix) => operations.get(keyOf(route.method, `${prefix}${route.path}`)) ?? [],
    );
    const [operation] = matches;
    return operation === undefined || new Set(matches).size > 1 ? [] : [{ call, operation, handlers: route.handlers }];
  });
}

/** All calls in a node. */
export function callsIn(within: ts.Node): readonly ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(within);
  return calls;
}

interface RouteCall {
  readonly receiver: ts.Expression;
  readonly method: string;
  readonly path: string;
  readonly handlers: readonly ts.Expression[];
}

/** `app.get("/pets", handler)`, and `app.route("/pets").get(handler).post(handler)` */
function routeOf(call: ts.CallExpression): RouteCall | undefined {
  const { expression, arguments: args } = call;
  if (!ts.isPropertyAccessExpression(expression) || !methods.has(expression.name.text)) return undefined;
  const method = expression.name.text;
  const [first, ...others] = args;
  if (first !== undefined && ts.isStringLiteralLike(first))
    return others.length === 0
      ? undefined
      : { receiver: expression.expression, method, path: first.text, handlers: others };
  let at = unwrap(expression.expression);
  while (ts.isCallExpression(at) && ts.isPropertyAccessExpression(at.expression)) {
    const [path] = at.arguments;
    if (at.expression.name.text === "route" && path !== undefined && ts.isStringLiteralLike(path))
      return { receiver: at.expression.expression, method, path: path.text, handlers: [...args] };
    at = unwrap(at.expression.expression);
  }
  return undefined;
}

/** The paths that an app or a router is mounted at. An app, and a router that nothing in the code mounts, begin at the root. */
function prefixesOf(symbol: ts.Symbol, mounts: ReadonlyMap<ts.Symbol, readonly Mount[]>, depth = 0): readonly string[] {
  const uses = mounts.get(symbol) ?? [];
  if (uses.length === 0 || depth > 8) return [""];
  return uses.flatMap(({ parent, path }) => prefixesOf(parent, mounts, depth + 1).map((prefix) => `${prefix}${path}`));
}

/** A method and a path without the names of parameters, and without a slash at the end. */
function keyOf(method: string, path: string): string {
  const shape = path
    .replaceAll(/\{[^}]*\}|:[A-Za-z_]\w*/g, "{}")
    .replaceAll(/\/+/g, "/")
    .replace(/\/$/, "");
  return `${method.toUpperCase()} ${shape}`;
}
