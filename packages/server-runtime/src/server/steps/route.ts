import {
  createRequestValidator,
  defaultBodyLimitBytes,
  type MatchedRoute,
  type Operation,
  type RequestHead,
  type RequestValidator,
} from "../../http/index.js";
import type { BaseServerOptions } from "../options.js";
import { ownEntry, type ServerDefinition } from "../server-definition.js";

/** A route, or why there is none. */
export type FoundRoute =
  | { readonly kind: "route"; readonly match: MatchedRoute; readonly validator: RequestValidator }
  | { readonly kind: "path" }
  | { readonly kind: "method"; readonly allow: readonly string[] };

/** Finds the operations of requests. */
export interface Router {
  /** The operations that have a path. */
  readonly operations: readonly Operation[];
  /** Undefined if the path is not below the base paths. */
  find(request: RequestHead): FoundRoute | undefined;
}

/** Creates the router of an API. The paths of the option `operationRoutes` are outside the base paths. */
export function createRouter(definition: ServerDefinition, options: BaseServerOptions): Router {
  const { bodyLimit = defaultBodyLimitBytes } = options;
  const unknown = options.unknown ?? "strip";
  const basePath = options.basePath ?? definition.basePaths;
  const routed = routedOperations(definition, options);
  const validator = createRequestValidator(definition.operations, { bodyLimit, unknown, basePath });
  const routeValidator = routed.length === 0 ? undefined : createRequestValidator(routed, { bodyLimit, unknown });
  return {
    operations: [...definition.operations, ...routed],
    find: (request) => {
      const match = validator.match(request);
      if (match?.kind === "route") return { kind: "route", match, validator };
      const routeMatch = routeValidator?.match(request);
      if (routeValidator !== undefined && routeMatch?.kind === "route")
        return { kind: "route", match: routeMatch, validator: routeValidator };
      return match ?? (routeMatch?.kind === "method" ? routeMatch : undefined);
    },
  };
}

/** The operations to which the description gives no path, with those of the options. */
function routedOperations(
  { operationsWithoutPath }: ServerDefinition,
  { operationRoutes = {} }: BaseServerOptions,
): readonly Operation[] {
  return operationsWithoutPath.flatMap((operation) => {
    const operationRoute = ownEntry(operationRoutes, operation.definition.name);
    return operationRoute === undefined
      ? []
      : [{ ...operation, definition: { ...operation.definition, path: operationRoute.path } }];
  }) as unknown as readonly Operation[];
}
