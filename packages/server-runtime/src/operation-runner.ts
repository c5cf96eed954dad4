import { isObject, type ResponseValidators, type InputGroups, type MatchedRoute } from "@plumbline/http-runtime";
import {
  authenticateRequest,
  type AuthenticationRequest,
  type AuthenticationResult,
  type Authenticator,
} from "./access/authentication.js";
import { challengeFor } from "./access/challenge.js";
import type { MutableRequestContext, RateLimitState } from "./request/create-request-context.js";
import { errorResponseFor, RejectedRequestError, type ErrorResponse } from "./errors/errors.js";
import { isPromiseLike, type Awaitable } from "./handlers.js";
import type { HttpRequest } from "./http/http-request.js";
import { InvalidResponseError } from "./response/invalid-response-error.js";
import { createKeyedMutex, type RunExclusive } from "./request/keyed-mutex.js";
import { retryAfterSeconds, type RateLimitStore } from "./rate-limits/limits.js";
import type { OperationPlan } from "./operation-plan.js";
import type { BaseServerOptions, Transaction } from "./options.js";
import { errorIdOf, OutcomeCounter, requireOutcomeStore, type RequestOutcome } from "./rate-limits/outcome-limits.js";
import { countRates } from "./rate-limits/rates.js";
import type { RequestContext } from "./request/request-context.js";
import { RequestDecoder, type RoutedRequest } from "./request/request-decoder.js";
import { RequestEvaluation, type ServerContext } from "./request/request-evaluation.js";
import type { ResponseBudget } from "./response/response-budget.js";
import { UnsuccessfulResponseError, type ResponseBuilder, type ResponseContext } from "./response/response-builder.js";
import {
  serializeResponse,
  validateResponse,
  type HandlerResponse,
  type ResponseTables,
  type SerializedResponse,
} from "./response/responses.js";
import { ownEntry, type ServerDefinition } from "./server-definition.js";
import { validatesResponses } from "./response/validates-responses.js";

/** Handlers by operation name. */
export type AnyHandlers = Readonly<
  Record<string, ((input: never, context: never) => HandlerResponse | Promise<HandlerResponse>) | undefined>
>;

/** Runs operations: authentication, rates, decoding, checks against stored data, and the handler. */
export class OperationRunner {
  readonly #api: ServerDefinition;
  readonly #handlers: AnyHandlers;
  readonly #options: BaseServerOptions;
  readonly #responses: ResponseBuilder;
  readonly #responseBudget: ResponseBudget;
  readonly #decoder: RequestDecoder;
  readonly #authenticator: Authenticator;
  readonly #context: ServerContext;
  readonly #store: RateLimitStore;
  readonly #transaction: Transaction<RequestContext> | undefined;
  readonly #mutex: RunExclusive = createKeyedMutex();
  readonly #tables: ResponseTables;
  readonly #validatesResponses: boolean;
  #responseValidators: Promise<ResponseValidators> | undefined;
  readonly #clock: () => number;

  constructor(
    api: ServerDefinition,
    handlers: AnyHandlers,
    { options, store, responses, responseBudget }: RunnerParts,
  ) {
    this.#api = api;
    this.#handlers = handlers;
    this.#options = options;
    this.#responses = responses;
    this.#responseBudget = responseBudget;
    this.#decoder = new RequestDecoder(responses, options);
    this.#authenticator = {
      schemes: api.securitySchemes,
      grammar: api.scopeGrammar,
      authenticate: options.authenticate ?? {},
    };
    this.#context = {
      definition: api,
      options,
      registry: { resources: api.resources, stores: options.resources ?? {} },
    };
    this.#store = store;
    this.#transaction = options.transaction;
    this.#tables = { serializers: api.serializers, visibility: api.responseVisibility, headers: api.responseHeaders };
    this.#validatesResponses = validatesResponses(options);
    this.#clock = options.clock ?? Date.now;
  }

  /**
   * Authenticates a request, counts its rates, decodes it, checks it against stored data, and runs the handler.
   *
   * @throws the errors that `ResponseBuilder.fromError` turns into responses
   */
  async run(
    plan: OperationPlan,
    context: ResponseContext,
    { request, match, received, validator }: MatchedRequest,
  ): Promise<SerializedResponse> {
    const authentication = await authenticateRequest(plan.security, this.#authenticator, { received, request });
    this.#setCaller(authentication, request, plan);
    const { global } = this.#options.limits ?? {};
    if (plan.earlyRates.length > 0 || global !== undefined)
      this.#applyRateLimit(await countRates(plan.earlyRates, request, { global, store: this.#store }), context);
    if (!hasHandler(this.#handlers, plan.name)) throw new RejectedRequestError(this.#responses.sharedError(501));
    const decoding = this.#decoder.inputOf(plan, { match, received, validator });
    const input = isPromiseLike(decoding) ? await decoding : decoding;
    if (plan.lateRates.length > 0)
      this.#applyRateLimit(await countRates(plan.lateRates, request, { store: this.#store, input }), context);
    context.reservation = await this.#responseBudget.reserve(plan, request);
    const run = (): Promise<SerializedResponse> =>
      this.#runChecked(plan, context, { request, input, found: match, received });
    const { outcomes, renewed } = plan.limits;
    return outcomes === undefined && renewed === undefined
      ? run()
      : this.#countOutcome(plan, context, { request, input, received, run });
  }

  /** Counts a request by its outcome, and rejects it when the limit is reached. */
  async #countOutcome(
    plan: OperationPlan,
    context: ResponseContext,
    { request, input, run }: OutcomeContext,
  ): Promise<SerializedResponse> {
    const outcomes = new OutcomeCounter(plan.limits, requireOutcomeStore(this.#store), { request, input });
    context.outcomes = outcomes;
    let ending: RequestOutcome = { effects: [] };
    try {
      const exceeded = await outcomes.begin();
      if (exceeded !== undefined) throw this.#rateLimitError(exceeded, context);
      const serialized = await run();
      ending = { effects: context.effects ?? [] };
      return serialized;
    } catch (error) {
      ending = { error: errorIdOf(error), effects: [] };
      throw error;
    } finally {
      // The outcome cannot be changed any more, so an error here is logged only.
      await this.#endOutcome(outcomes, ending, request).catch((error: unknown) =>
        this.#responses.logError(error, context),
      );
    }
  }

  async #endOutcome(outcomes: OutcomeCounter, ending: RequestOutcome, request: MutableRequestContext): Promise<void> {
    for (const { id } of await outcomes.end(ending)) {
      const reached = this.#options.limits?.onReached?.[id];
      if (reached === undefined) throw new TypeError(`Missing option \`limits.onReached.${id}\`. Provide a function.`);
      if (this.#transaction === undefined) await reached(request.caller, request);
      else await this.#transaction(request, async (added) => void (await reached(request.caller, request.with(added))));
    }
  }

  /** Runs the checks against stored data, and the handler. */
  #runChecked(
    plan: OperationPlan,
    context: ResponseContext,
    { request, input, found, received }: Omit<HandlerCall, "context"> & RequestTiming,
  ): Promise<SerializedResponse> {
    if (this.#transaction !== undefined) {
      const { body } = input;
      return this.#transaction(request, (added) => {
        // A retried transaction starts with the body that the client sent. All other values are computed again.
        if (body !== undefined) input["body"] = body;
        return this.#reauthenticate(plan, context, {
          request,
          context: request.with(added),
          input,
          found,
          received,
        });
      });
    }
    const run = (): Promise<SerializedResponse> =>
      this.#reauthenticate(plan, context, { request, context: request, input, found, received });
    if (!plan.isOrdered) return run();
    // A slow streamed body would block all requests, so it blocks only those to the same path.
    const mutexKey = input["body"] instanceof ReadableStream ? JSON.stringify([plan.name, found.values]) : "";
    return this.#mutex(mutexKey, run);
  }

  /** Sets the caller of a request, or throws if authentication failed. */
  #setCaller(
    authentication: AuthenticationResult,
    request: Pick<MutableRequestContext, "caller" | "auth">,
    plan: OperationPlan,
  ): void {
    request.caller = authentication.caller;
    if (authentication.kind !== "authenticated")
      throw new RejectedRequestError(this.#authenticationError(authentication.kind, plan));
    request.auth = authentication.auth;
  }

  /** Authenticates again: while the body arrived, the credential may have expired or been revoked, or its user been restricted. */
  async #reauthenticate(
    plan: OperationPlan,
    responseContext: ResponseContext,
    { request, received, context, ...rest }: HandlerCall & RequestTiming,
  ): Promise<SerializedResponse> {
    if (!plan.isLocking || request.caller === undefined)
      return this.#runHandler(plan, responseContext, { context, ...rest });
    const { operation, requestId, address } = request;
    const header = (name: string): string | undefined => request.header(name);
    const authenticationRequest: AuthenticationRequest = {
      operation,
      requestId,
      address,
      header,
      now: this.#clock(),
      context,
    };
    this.#setCaller(
      await authenticateRequest(plan.security, this.#authenticator, { received, request: authenticationRequest }),
      request,
      plan,
    );
    const { caller, auth } = request;
    return this.#runHandler(plan, responseContext, { context: Object.assign(context, { caller, auth }), ...rest });
  }

  /** Notes the rate with the fewest remaining requests. Throws if one is exceeded. */
  #applyRateLimit({ exceeded, narrowest }: Awaited<ReturnType<typeof countRates>>, context: ResponseContext): void {
    const { rate } = context;
    const isNarrower =
      narrowest !== undefined && !(rate !== undefined && rate.result.remaining < narrowest.result.remaining);
    if (isNarrower) context.rate = narrowest;
    if (exceeded === undefined) return;
    context.rate = exceeded;
    throw this.#rateLimitError(exceeded, context);
  }

  #rateLimitError({ limit, result }: RateLimitState, { plan, request }: ResponseContext): RejectedRequestError {
    const seconds = retryAfterSeconds(result, request?.now ?? 0);
    const id = limit.error ?? this.#api.sharedErrorByStatus[429];
    const errors = plan?.errors ?? {};
    const errorResponse = id === undefined ? this.#responses.sharedError(429) : errorResponseFor(id, errors);
    // Only these errors can succeed after waiting.
    const headers = [429, 503].includes(errorResponse.status) ? { "Retry-After": String(seconds) } : {};
    return new RejectedRequestError({ ...errorResponse, headers });
  }

  async #runHandler(
    plan: OperationPlan,
    responseContext: ResponseContext,
    { context, input, found }: HandlerCall,
  ): Promise<SerializedResponse> {
    const operationRoute = ownEntry(this.#options.operationRoutes ?? {}, plan.name);
    let routed: unknown;
    if (operationRoute !== undefined) {
      const values = Object.fromEntries(
        found.route.names.map((name, at) => [name, decodeSegment(found.values[at] ?? "")]),
      );
      input["route"] = values;
      routed = (await operationRoute.target?.(values, context)) ?? undefined;
      if (operationRoute.target !== undefined && routed === undefined)
        throw new RejectedRequestError(this.#responses.sharedError(404));
    }
    if (plan.steps.length > 0) {
      const evaluation = new RequestEvaluation(plan, input, { context, server: this.#context });
      evaluation.target = routed;
      for (const step of plan.steps) {
        const validated = step(evaluation);
        if (validated !== undefined) await validated;
      }
    }
    const handlers = this.#handlers as Readonly<
      Record<string, (input: InputGroups, context: RequestContext) => Awaitable<HandlerResponse>>
    >;
    const returned = handlers[plan.name]?.(input, context);
    const response = isPromiseLike(returned) ? await returned : returned;
    responseContext.body = isObject(response) ? response["body"] : undefined;
    const serialized = serializeResponse(
      response as HandlerResponse,
      { caller: context.caller, operation: plan.name },
      this.#tables,
    );
    if (this.#validatesResponses) await this.#validateResponse(serialized, plan);
    // An error response that a handler returns rolls back, like one that it throws.
    if (serialized.status >= 400) throw new UnsuccessfulResponseError(serialized);
    responseContext.effects = (response as HandlerResponse).effects ?? [];
    const exceeded = responseContext.outcomes?.exceededBy(responseContext.effects);
    if (exceeded !== undefined) throw this.#rateLimitError(exceeded, responseContext);
    return serialized;
  }

  /** Validates the serialized response. */
  async #validateResponse(serialized: SerializedResponse, { name }: OperationPlan): Promise<void> {
    this.#responseValidators ??= this.#api.responseValidators();
    const issues = validateResponse(name, serialized, await this.#responseValidators);
    if (issues.length > 0) throw new InvalidResponseError(name, serialized.status, issues);
  }

  #authenticationError(kind: "missing" | "invalid" | "scope", plan: OperationPlan): ErrorResponse {
    const id = this.#api.scopeGrammar?.errors[kind];
    const errorResponse =
      id === undefined || id === ""
        ? this.#responses.sharedError(kind === "scope" ? 403 : 401)
        : errorResponseFor(id, plan.errors);
    if (errorResponse.status !== 401) return errorResponse;
    // RFC 9110 requires `WWW-Authenticate` in a 401.
    return {
      ...errorResponse,
      headers: { ...errorResponse.headers, "WWW-Authenticate": challengeFor(plan.security.schemes, this.#api) },
    };
  }
}

interface RunnerParts {
  readonly options: BaseServerOptions;
  readonly store: RateLimitStore;
  readonly responses: ResponseBuilder;
  readonly responseBudget: ResponseBudget;
}

interface MatchedRequest extends RoutedRequest {
  readonly request: MutableRequestContext;
}

interface OutcomeContext extends RequestTiming {
  readonly input: InputGroups;
  readonly run: () => Promise<SerializedResponse>;
}

interface RequestTiming {
  readonly request: MutableRequestContext;
  readonly received: HttpRequest;
}

interface HandlerCall {
  readonly context: RequestContext;
  readonly input: InputGroups;
  readonly found: MatchedRoute;
}

/** Whether there is a handler, perhaps a method of a class. What every object inherits does not count. */
export function hasHandler(handlers: AnyHandlers, name: string): boolean {
  const inherited: unknown = name in Object.prototype ? Reflect.get(Object.prototype, name) : undefined;
  return handlers[name] !== undefined && handlers[name] !== inherited;
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
