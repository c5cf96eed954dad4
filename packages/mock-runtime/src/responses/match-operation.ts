import type { MockDefinition, MockOperation } from "../mock-definition.js";

/** An operation and its name. */
export interface MatchedOperation {
  readonly name: string;
  readonly operation: MockOperation;
}

/** The operation of a request, by its method and path. Paths without parameters come first. */
export function matchOperation(definition: MockDefinition, { method, url }: Request): MatchedOperation | undefined {
  const { pathname } = new URL(url);
  for (const { name, operation, expression } of routesOf(definition))
    if (operation.method === method && expression.test(pathname)) return { name, operation };
  return undefined;
}

interface Route extends MatchedOperation {
  readonly expression: RegExp;
}

const routesByDefinition = new WeakMap<MockDefinition, readonly Route[]>();

function routesOf(definition: MockDefinition): readonly Route[] {
  let routes = routesByDefinition.get(definition);
  if (routes === undefined) {
    routes = Object.entries(definition.operations)
      .filter(([, { path }]) => path !== "")
      .map(([name, operation]) => ({ name, operation, expression: expressionOf(operation.path) }))
      .toSorted((a, b) => parameterCount(a.operation) - parameterCount(b.operation));
    routesByDefinition.set(definition, routes);
  }
  return routes;
}

function parameterCount({ path }: MockOperation): number {
  return path.split("{").length;
}

/** Matches the end of a path, whatever the base path. */
function expressionOf(path: string): RegExp {
  const parts = path.split(/\{[^{}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`${parts.join("[^/]+")}$`);
}
