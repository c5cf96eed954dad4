import type { InputGroups } from "../../http/index.js";
import type { Grants } from "../access/grants.js";
import type { EvaluationContext } from "../conditions/evaluation-context.js";
import type { Awaitable } from "../handlers.js";
import type { RateLimitState } from "../rate-limits/limits.js";
import type { OutcomeCounter } from "../rate-limits/outcome-limits.js";
import type { MutableRequestContext } from "../request/create-request-context.js";
import type { OperationRequest } from "../request/incoming-request.js";
import type { Caller, RequestContext } from "../request/request-context.js";
import { ResourceCache } from "../resources/resource-cache.js";
import type { ResourceRegistry } from "../resources/resources.js";
import type { Reservation } from "../response/response-memory.js";
import type { HandlerResponse, SerializedResponse } from "../response/responses.js";

/**
 * What the steps find out about a request: its decoded input, the stored data that it concerns, and its response.
 * It is itself the `EvaluationContext` of its conditions: they are many, and a copy for each would cost time.
 */
export class RequestEvaluation implements EvaluationContext {
  readonly request: OperationRequest;
  readonly context: MutableRequestContext;
  /** The context with the properties that the transaction adds. */
  handlerContext: RequestContext;

  /** True if the caller is authenticated, but has not the scopes of any alternative. */
  lacksScopes = false;
  /** The rate with the fewest remaining requests. */
  rate: RateLimitState | undefined;
  /** The parameters by location, and the body. */
  input: InputGroups = {};
  /** The memory that is reserved for the response. */
  reservation: Reservation | undefined;
  /** Counts by outcome. */
  outcomes: OutcomeCounter | undefined;

  /** The body with the changes that the server makes to it. */
  body: unknown;
  /** The stored object that the request concerns. */
  target: unknown;
  /** Loaded at first use. */
  grants: Awaitable<Grants> | undefined;

  /** What the handler has returned. */
  response: HandlerResponse | undefined;
  /** Its body. A stream has to be cancelled if it is not sent. */
  responseBody: unknown;
  /** The effects of the request, among those that limits count. */
  effects: readonly string[] = [];
  serialized: SerializedResponse | undefined;

  readonly #registry: ResourceRegistry;
  #refs: ResourceCache | undefined;

  constructor(request: OperationRequest, context: MutableRequestContext, registry: ResourceRegistry) {
    this.request = request;
    this.context = context;
    this.handlerContext = context;
    this.#registry = registry;
  }

  get caller(): Caller | undefined {
    return this.context.caller;
  }

  /** The rows that the request concerns. */
  get refs(): ResourceCache {
    return (this.#refs ??= new ResourceCache(this.#registry, this.handlerContext, this.request.plan));
  }

  /** Forgets the stored data of an earlier attempt. A transaction may retry its steps. */
  beginAttempt(handlerContext: RequestContext): void {
    this.handlerContext = handlerContext;
    this.body = this.input["body"];
    this.target = undefined;
    this.#refs = undefined;
    this.grants = undefined;
  }
}
