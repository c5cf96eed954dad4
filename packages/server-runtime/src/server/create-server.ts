import { ensureKnown, type Operation, type RequestHead } from "../http/index.js";
import { OperationErrors } from "./errors/operation-errors.js";
import { hasHandler, isPromiseLike, type AnyHandlers } from "./handlers.js";
import { oneHostError } from "./http/host-header.js";
import type { HttpRequest } from "./http/http-request.js";
import type { HttpResponse } from "./http/http-response.js";
import type { RejectedStatus, Server } from "./http/server.js";
import { serverOptions } from "./known-options.js";
import { createObservers, type BeginObservation } from "./observe/observers.js";
import { createOperationPlan, type OperationPlan } from "./operation-plan.js";
import { createOperationRunner, type OperationRunner } from "./operation-runner.js";
import type { BaseServerOptions } from "./options.js";
import { requireOutcomeStore } from "./rate-limits/outcome-limits.js";
import { createRequestContext } from "./request/create-request-context.js";
import type { IncomingRequest, OperationRequest } from "./request/incoming-request.js";
import { createKeyedMutex } from "./request/keyed-mutex.js";
import { createRequestIds, type RequestIdResult } from "./request/request-ids.js";
import type { ResponseBudget } from "./response/response-budget.js";
import { ResponseBuilder, UnsuccessfulResponseError } from "./response/response-builder.js";
import { createServerContext, type ServerContext } from "./server-context.js";
import { ownEntry, type ServerDefinition } from "./server-definition.js";
import { allowedMethods, methodNotAllowed } from "./steps/method.js";
import type { RequestEvaluation } from "./steps/request-evaluation.js";
import { createRouter, type FoundRoute, type Router } from "./steps/route.js";

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
  readonly #responseBudget: ResponseBudget;
  readonly #router: Router;
  readonly #operations: ReadonlyMap<string, PlannedOperation>;
  readonly #methods: ReadonlySet<string>;
  readonly #nextRequestId: () => RequestIdResult;
  readonly #clock: () => number;
  readonly #beginObservation: BeginObservation | undefined;

  constructor(api: ServerDefinition, handlers: AnyHandlers, options: BaseServerOptions) {
    this.#api = api;
    this.#options = options;
    this.#responses = new ResponseBuilder(api, options);
    this.#router = createRouter(api, options);
    this.#methods = new Set(
      allOperations(api)
        .map(({ definition }) => definition.method)
        .toSorted(),
    );
    this.#nextRequestId = createRequestIds(options.requestId);
    const server = createServerContext(api, handlers, { options, responses: this.#responses });
    this.#clock = server.clock;
    this.#responseBudget = server.responseBudget;
    this.#beginObservation = createObservers(options.observe, {
      definition: api,
      routeOf: createRouteNames(options, api),
      failed: (error, request) => this.#responses.logError(error, request),
    });
    this.#operations = planOperations(this.#router.operations, server);
    if ([...this.#operations.values()].some(({ plan }) => plan.limits.outcomes !== undefined))
      requireOutcomeStore(server.rateStore);
  }

  get unreadTimeoutMs(): number | undefined {
    return this.#options.unreadTimeoutMs;
  }

  handle(received: HttpRequest): Promise<HttpResponse> | undefined {
    const route = this.#router.find(received);
    if (route === undefined) return undefined;
    const run = (): Promise<HttpResponse> =>
      route.kind === "route" ? this.#runOperation(route, received) : this.#unrouted(route, received);
    if (!received.hasOneHost)
      return Promise.resolve(
        this.#respond(received, (request) => this.#responses.errorResponse(oneHostError, request)),
      );
    const earlier = received.ready();
    if (earlier === undefined) return run();
    return earlier.then(run, (error: unknown) => this.internalError(error, received));
  }

  operationOf(request: RequestHead): string | undefined {
    const route = this.#router.find(request);
    return route?.kind === "route" ? route.match.route.definition.name : undefined;
  }

  notFound(received: HttpRequest): HttpResponse {
    return this.#respond(received, (request) =>
      this.#responses.errorResponse(this.#responses.sharedError(404), request),
    );
  }

  internalError(error: unknown, received: HttpRequest): HttpResponse {
    const { requestId } = this.#nextRequestId();
    return this.#responses.internalError(error, { requestId, received });
  }

  rejection(status: RejectedStatus, reason?: string): HttpResponse {
    return this.#respond({ method: "_OTHER" }, (request) => {
      const errorResponse = this.#responses.sharedError(status);
      const text = reason ?? (status === 400 ? "The request is not valid HTTP" : undefined);
      const errors = text === undefined ? errorResponse.errors : [{ reason: text }];
      const headers: Record<string, string> = { ...errorResponse.headers, Connection: "close" };
      if (status === 405) headers["Allow"] = [...this.#methods, "OPTIONS"].join(", ");
      return this.#responses.errorResponse({ status: errorResponse.status, errors, headers }, request);
    });
  }

  async #unrouted(
    route: Exclude<FoundRoute, { readonly kind: "route" }>,
    received: HttpRequest,
  ): Promise<HttpResponse> {
    if (route.kind === "path") return this.notFound(received);
    const allow = allowedMethods(route.allow);
    return this.#respond(received, (request) => {
      if (received.method === "OPTIONS")
        return { status: 204, headers: { [this.#api.headerNames.requestId]: request.requestId, Allow: allow } };
      return this.#responses.errorResponse(methodNotAllowed(this.#responses.sharedError(405), allow), request);
    });
  }

  #respond(received: IncomingRequest["received"], respond: (request: IncomingRequest) => HttpResponse): HttpResponse {
    const { requestId, error } = this.#nextRequestId();
    const request: IncomingRequest = { requestId, received, observation: this.#observation(requestId, received) };
    const response = error === undefined ? respond(request) : this.#responses.fromError(error.error, request);
    return request.observation === undefined ? response : request.observation.end(response);
  }

  /** The observation of a request, if anything observes it. */
  #observation(
    requestId: string,
    received: IncomingRequest["received"],
    plan?: OperationPlan,
  ): IncomingRequest["observation"] {
    return this.#beginObservation?.({ requestId, received, plan });
  }

  #runOperation(
    { match, validator }: Extract<FoundRoute, { readonly kind: "route" }>,
    received: HttpRequest,
  ): Promise<HttpResponse> {
    const { plan, runner } = this.#operations.get(match.route.definition.name) as PlannedOperation;
    const { requestId, error: failure } = this.#nextRequestId();
    const observation = this.#observation(requestId, received, plan);
    const request: OperationRequest = { requestId, received, plan, match, validator, observation };
    if (observation === undefined) return this.#execute(request, runner, failure);
    return observation.around(() => this.#execute(request, runner, failure));
  }

  async #execute(
    request: OperationRequest,
    runner: OperationRunner,
    failure: RequestIdResult["error"],
  ): Promise<HttpResponse> {
    const { plan, received, requestId } = request;
    let evaluation: RequestEvaluation | undefined;
    try {
      if (failure !== undefined) throw failure.error;
      const context = createRequestContext(received, { operation: plan.name, requestId, now: this.#clock() });
      evaluation = runner.begin(request, context);
      const running = runner.run(evaluation);
      const serialized = isPromiseLike(running) ? await running : running;
      const response = this.#responses.withStandardHeaders(serialized, request, evaluation);
      return this.#responseBudget.slice(response, evaluation);
    } catch (error) {
      evaluation?.reservation?.release();
      if (!(error instanceof UnsuccessfulResponseError)) cancelStream(evaluation?.responseBody);
      return this.#responses.fromError(error, request, evaluation);
    }
  }
}

/** Creates the function that returns the template of a path below the first base path, as observers know it. */
function createRouteNames(
  { basePath, operationRoutes = {} }: BaseServerOptions,
  { basePaths }: ServerDefinition,
): (plan: OperationPlan) => string {
  const [base = ""] = typeof basePath === "string" ? [basePath] : (basePath ?? basePaths);
  return ({ name, operation }) => {
    const path = operation.definition.path.replaceAll(/\{[+;.]/g, "{");
    return ownEntry(operationRoutes, name) === undefined ? `${base.replace(/\/+$/, "")}${path}` : path;
  };
}

interface PlannedOperation {
  readonly plan: OperationPlan;
  readonly runner: OperationRunner;
}

/** Plans the operations, and compiles the steps of each. */
function planOperations(
  operations: readonly Operation[],
  server: ServerContext,
): ReadonlyMap<string, PlannedOperation> {
  const mutex = createKeyedMutex();
  return new Map(
    operations.map((operation) => {
      const plan = createOperationPlan(operation, server.definition);
      const errors = new OperationErrors(plan.errors, server.definition);
      return [plan.name, { plan, runner: createOperationRunner(plan, server, { errors, mutex }) }] as const;
    }),
  );
}

function allOperations({ operations, operationsWithoutPath }: ServerDefinition): readonly Operation[] {
  return [...operations, ...operationsWithoutPath];
}

/** Cancels a stream that is not sent. */
function cancelStream(body: unknown): void {
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined);
}
