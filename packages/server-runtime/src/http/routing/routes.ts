import type { OperationDefinition, ParameterDefinition } from "../operation-definition.js";
import { couldMatchBase } from "./path-confusion.js";
import { RouteNode, type RouteParameter, type RouteTarget } from "./route-tree.js";
import { parseBasePath, startBelow } from "./server-path.js";

/** What the router needs of an operation. */
export interface RouteDefinition extends Pick<OperationDefinition, "method" | "path"> {
  readonly parameters?: readonly (RouteParameter & Pick<ParameterDefinition, "name" | "in">)[];
}

/** The result of routing a request. */
export type RouteMatch<T> =
  | { readonly kind: "route"; readonly route: T; readonly values: readonly string[]; readonly query: string }
  /** No operation has this path. */
  | { readonly kind: "path" }
  /** Operations have this path, but not with this method. */
  | { readonly kind: "method"; readonly allow: readonly string[] };

export interface Routes<T> {
  /** Undefined if the target is outside the base paths. */
  find(method: string, target: string): RouteMatch<T> | undefined;
}

/**
 * Builds a tree of path segments, once. Of several routes with the same method and path, the first one is found.
 *
 * @throws TypeError for a malformed base path
 */
export function buildRoutes<T extends { readonly definition: RouteDefinition }>(
  routes: Iterable<T>,
  basePath: string | readonly string[] = "",
): Routes<T> {
  const value = (typeof basePath === "string" ? [basePath] : basePath).map(parseBasePath);
  // The longest first: one base path may be below another.
  const bases = value.toSorted((a, b) => b.path.length - a.path.length);
  const root = new RouteNode<T>();
  for (const route of routes) {
    const { method, path, parameters = [] } = route.definition;
    const parameter = (name: string) => parameters.find((each) => each.in === "path" && each.name === name);
    root.add({ path, method, route, parameter });
  }
  return {
    find: (method, target) => {
      const { path, query } = split(target);
      const start = startBelow(path, bases);
      if (start === undefined) return bases.some((each) => couldMatchBase(path, each.path)) ? unknownPath : undefined;
      const values: string[] = [];
      const routeTarget = target.includes("#") ? undefined : root.walk(path, start, values);
      if (routeTarget === undefined) return unknownPath;
      const route = routeOf(routeTarget, method);
      return route === undefined ? routeTarget.methodError : { kind: "route", route, values, query };
    },
  };
}

/** The names of path parameters, in order. */
export function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{[+;.]?([^{}]*)\}/g)].map(([, name = ""]) => name);
}

const unknownPath: RouteMatch<never> = { kind: "path" };

function routeOf<T>({ methods }: RouteTarget<T>, method: string): T | undefined {
  return methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : undefined);
}

/** Splits a request target. Proxies may receive absolute URLs. */
function split(target: string): { readonly path: string; readonly query: string } {
  const start = target.startsWith("/") ? 0 : originLength(target);
  const question = target.indexOf("?", start);
  return question === -1
    ? { path: start === 0 ? target : target.slice(start), query: "" }
    : { path: target.slice(start, question), query: target.slice(question + 1) };
}

function originLength(target: string): number {
  return /^https?:\/\/[^/?#\\]*/i.exec(target)?.[0].length ?? 0;
}
