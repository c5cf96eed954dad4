import {
  type Operation,
  createRequestValidator,
  defaultBodyLimitBytes,
  ensureKnown,
  type MatchedRoute,
  type RequestValidator,
} from "@plumbline/http-runtime";
import { createRequestContext } from "./request/create-request-context.js";
import { oneHostError } from "./http/host-header.js";
import type { HttpRequest } from "./http/http-request.js";
import type { HttpResponse } from "./http/http-response.js";
import { serverOptions } from "./known-options.js";
import { createMemoryStore } from "./rate-limits/memory-store.js";
import { createOperationPlan, type OperationPlan } from "./operation-plan.js";
import { hasHandler, OperationRunner, type AnyHandlers } from "./operation-runner.js";
import type { BaseServerOptions } from "./options.js";
import { requireOutcomeStore } from "./rate-limits/outcome-limits.js";
import { createRequestIds, type RequestIdResult } from "./request/request-ids.js";
import { ResponseBudget } from "./response/response-budget.js";
import { ResponseBuilder, UnsuccessfulResponseError, type ResponseContext } from "./response/response-builder.js";
import type { RejectedStatus, Server } from "./http/server.js";
import { ownEntry, type ServerDefinition } from "./server-definition.js";

/**
 * Creates a server. Steps of a request: route, method, authentication, scopes, rates, decoding, validation; then in one transaction
 * lookups, grants, states, counts, handler, response.
 * @throws TypeError for unknown options and missing handlers
 */
export function createBaseServer(api: ServerDefinition, handlers: AnyHandlers, options: BaseServerOptions): Server {
  ensureKnown(options, serverOptions);
  const missing = allOperations(api).filter(({ definition }) => !hasHandler(handlers, definition.name));
  if (missing.length > 0 && options.missingHandlers !== "not-implemented") {
    const names = missing.map(({ definition }) => definition.name);
    throw new TypeError(
      `Missing handlers: ${names.join(", ")}. Write them, or set missingHandlers: "not-implemented".`,
    );
  }
  return new BaseServer(api, handlers, options);
}

class BaseServer implements Server {
  readonly #api: ServerDefinition;
  readonly #options: BaseServerOptions;
  readonly #responses: ResponseBuilder;
  readonly #validator: RequestValidator;
  readonly #routeValidator: RequestValidator | undefined;
  readonly #plans: ReadonlyMap<string, OperationPlan>;
  readonly #methods: ReadonlySet<string>;
  readonly #responseBudget: ResponseBudget;
  readonly #runner: OperationRunner;
  readonly #nextRequestId: () => RequestIdResult;
  readonly #clock: () => number;

  constructor(api: ServerDefinition, handlers: AnyHandlers, options: BaseServerOptions) {
    const { bodyLimit = defaultBodyLimitBytes, operationRoutes = {} } = options;
    const routed = api.operationsWithoutPath.flatMap((operation) => {
      const operationRoute = ownEntry(operationRoutes, operation.definition.name);
      return operationRoute === undefined
        ? []
        : [{ ...operation, definition: { ...operation.definition, path: operationRoute.path } }];
    }) as unknown as readonly Operation[];
    this.#api = api;
    this.#options = options;
    this.#responses = new ResponseBuilder(api, options);
    const validatorOptions = { bodyLimit, unknown: options.unknown ?? "strip" } as const;
    this.#validator = createRequestValidator(api.operations, {
      ...validatorOptions,
      basePath: options.basePath ?? api.basePaths,
    });
    this.#routeValidator = routed.length === 0 ? undefined : createRequestValidator(routed, validatorOptions);
    this.#plans = new Map(
      [...api.operations, ...routed].map((each) => [each.definition.name, createOperationPlan(each, api)] as const),
    );
    this.#methods = new Set(
      allOperations(api)
        .map(({ definition }) => definition.method)
        .toSorted(),
    );
    this.#responseBudget = new ResponseBudget(options, (status) => this.#responses.sharedError(status));
    this.#nextRequestId = createRequestIds(options.requestId);
    this.#clock = options.clock ?? Date.now;
    const store = options.limits?.store ?? createMemoryStore();
    if ([...this.#plans.values()].some(({ limits }) => limits.outcomes !== undefined)) requireOutcomeStore(store);
    this.#runner = new OperationRunner(api, handlers, {
      options,
      store,
      responses: this.#responses,
      responseBudget: this.#responseBudget,
    });
  }

  get unreadTimeoutMs(): number | undefined {
    return this.#options.unreadTimeoutMs;
  }

  handle(received: HttpRequest): Promise<HttpResponse> | undefined {
    const run = this.#match(received);
    if (run === undefined) return undefined;
    if (!received.hasOneHost)
      return Promise.resolve(
        this.#respond(received, (context) => this.#responses.errorResponse(oneHostError, context)),
      );
    const earlier = received.ready();
    if (earlier === undefined) return run();
    return earlier.then(run, (error: unknown) => this.internalError(error, received));
  }

  /** Returns a function that runs the request. Undefined if the request is not for this API. */
  #match(received: HttpRequest): (() => Promise<HttpResponse>) | undefined {
    const found = this.#validator.match(received);
    if (found?.kind === "route") return () => this.#handleRoute(found, received, this.#validator);
    const operationRoute = this.#routeValidator?.match(received);
    if (operationRoute?.kind === "route")
      return () => this.#handleRoute(operationRoute, received, this.#routeValidator ?? this.#validator);
    const nothing = found ?? (operationRoute?.kind === "method" ? operationRoute : undefined);
    return nothing === undefined ? undefined : async () => this.#unrouted(nothing, received);
  }

  notFound(received: HttpRequest): HttpResponse {
    return this.#respond(received, (context) =>
      this.#responses.errorResponse(this.#responses.sharedError(404), context),
    );
  }

  internalError(error: unknown, received: HttpRequest): HttpResponse {
    const { requestId } = this.#nextRequestId();
    return this.#responses.internalError(error, { requestId, received });
  }

  rejection(status: RejectedStatus, reason?: string): HttpResponse {
    const { requestId, error } = this.#nextRequestId();
    const context = { requestId, received: { method: "GET" } };
    if (error !== undefined) return this.#responses.internalError(error.error, context);
    const errorResponse = this.#responses.sharedError(status);
    const text = reason ?? (status === 400 ? "The request is not valid HTTP" : undefined);
    const errors = text === undefined ? errorResponse.errors : [{ reason: text }];
    const headers: Record<string, string> = { ...errorResponse.headers, Connection: "close" };
    if (status === 405) headers["Allow"] = [...this.#methods, "OPTIONS"].join(", ");
    return this.#responses.errorResponse({ status: errorResponse.status, errors, headers }, context);
  }

  #unrouted(
    found: Exclude<NonNullable<ReturnType<RequestValidator["match"]>>, MatchedRoute>,
    received: HttpRequest,
  ): HttpResponse {
    if (found.kind === "path") return this.notFound(received);
    const allow = [...new Set([...found.allow, "OPTIONS"])].join(", ");
    return this.#respond(received, (context) => {
      if (received.method === "OPTIONS")
        return { status: 204, headers: { [this.#api.headerNames.requestId]: context.requestId, Allow: allow } };
      const errorResponse = this.#responses.sharedError(405);
      return this.#responses.errorResponse(
        { ...errorResponse, headers: { ...errorResponse.headers, Allow: allow } },
        context,
      );
    });
  }

  #respond(received: HttpRequest, respond: (context: ResponseContext) => HttpResponse): HttpResponse {
    const { requestId, error } = this.#nextRequestId();
    const context = { requestId, received };
    return error === undefined ? respond(context) : this.#responses.internalError(error.error, context);
  }

  async #handleRoute(found: MatchedRoute, received: HttpRequest, validator: RequestValidator): Promise<HttpResponse> {
    const plan = this.#plans.get(found.route.definition.name) as OperationPlan;
    const { requestId, error: failure } = this.#nextRequestId();
    const context: ResponseContext = {
      requestId,
      received,
      plan,
      request: undefined,
      rate: undefined,
      body: undefined,
    };
    try {
      if (failure !== undefined) throw failure.error;
      const request = createRequestContext(received, { operation: plan.name, requestId, now: this.#clock() });
      context.request = request;
      const serialized = await this.#runner.run(plan, context, {
        request,
        match: found,
        received,
        validator,
      });
      return this.#responseBudget.slice(this.#responses.withStandardHeaders(serialized, context), context);
    } catch (error) {
      context.reservation?.release();
      if (!(error instanceof UnsuccessfulResponseError)) cancelStream(context.body);
      return this.#responses.fromError(error, context);
    }
  }
}

function allOperations({ operations, operationsWithoutPath }: ServerDefinition): readonly Operation[] {
  return [...operations, ...operationsWithoutPath];
}

/** Cancels a stream that is not sent. */
function cancelStream(body: unknown): void {
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined);
}
