import type { ResponseValidators } from "../http/index.js";
import type { Authenticator } from "./access/authentication.js";
import type { AnyHandlers } from "./handlers.js";
import type { BaseServerOptions } from "./options.js";
import type { RateLimitStore } from "./rate-limits/limits.js";
import { createMemoryStore } from "./rate-limits/memory-store.js";
import type { IncomingRequest } from "./request/incoming-request.js";
import { RequestDecoder } from "./request/request-decoder.js";
import type { ResourceRegistry } from "./resources/resources.js";
import { ResponseBudget } from "./response/response-budget.js";
import type { ResponseBuilder } from "./response/response-builder.js";
import type { ServerDefinition } from "./server-definition.js";

/** What all operations of a server share. */
export interface ServerContext {
  readonly definition: ServerDefinition;
  readonly handlers: AnyHandlers;
  readonly options: BaseServerOptions;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly authenticator: Authenticator;
  readonly decoder: RequestDecoder;
  readonly rateStore: RateLimitStore;
  readonly registry: ResourceRegistry;
  readonly responseBudget: ResponseBudget;
  /** Logs an error that does not change the response. */
  logError(error: unknown, request: IncomingRequest): void;
  /** Loads the checks of responses at first use. */
  readonly responseValidators: () => Promise<ResponseValidators>;
}

export function createServerContext(
  definition: ServerDefinition,
  handlers: AnyHandlers,
  { options, responses }: { readonly options: BaseServerOptions; readonly responses: ResponseBuilder },
): ServerContext {
  let responseValidators: Promise<ResponseValidators> | undefined;
  return {
    definition,
    handlers,
    options,
    clock: options.clock ?? Date.now,
    authenticator: {
      schemes: definition.securitySchemes,
      grammar: definition.scopeGrammar,
      authenticate: options.authenticate ?? {},
    },
    decoder: new RequestDecoder(options),
    rateStore: options.limits?.store ?? createMemoryStore(),
    registry: { resources: definition.resources, stores: options.resources ?? {} },
    responseBudget: new ResponseBudget(options, (status) => responses.sharedError(status)),
    responseValidators: () => (responseValidators ??= definition.responseValidators()),
    logError: (error, request) => responses.logError(error, request),
  };
}
