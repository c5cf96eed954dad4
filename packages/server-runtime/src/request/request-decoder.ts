import {
  binaryBody,
  defaultBodyLimitBytes,
  type MatchedRoute,
  type InputGroups,
  type RequestValidator,
  type PendingBody,
  type ValidationOutcome,
} from "@plumbline/http-runtime";
import { toErrorEntries, RejectedRequestError, errorResponseFor } from "../errors/errors.js";
import { isPromiseLike, type Awaitable } from "../handlers.js";
import { BodyIntake, isBodyEnd } from "./body-intake.js";
import type { BaseServerOptions } from "../options.js";
import type { OperationPlan } from "../operation-plan.js";
import { BodyAlreadyUsedError, ClientDisconnectedError, type HttpRequest } from "../http/http-request.js";
import type { ResponseBuilder } from "../response/response-builder.js";

/** A request and its route. */
export interface RoutedRequest {
  readonly match: MatchedRoute;
  readonly received: HttpRequest;
  readonly validator: RequestValidator;
}

/** Reads requests and validates them without stored data. */
export class RequestDecoder {
  readonly #responses: ResponseBuilder;
  readonly #options: BaseServerOptions;
  readonly #intake: BodyIntake;

  constructor(responses: ResponseBuilder, options: BaseServerOptions) {
    const { bodyLimit = defaultBodyLimitBytes, bodyMemory = defaultBodyMemoryBytes } = options;
    this.#responses = responses;
    this.#options = options;
    // One body of the maximum size has to fit.
    this.#intake = new BodyIntake(Math.max(bodyMemory, bodyLimit));
  }

  /**
   * Returns the decoded input of a request.
   *
   * @throws RejectedRequestError if the request is not valid
   */
  inputOf(plan: OperationPlan, { match, received, validator }: RoutedRequest): Awaitable<InputGroups> {
    const limit = plan.limits.bytes?.max ?? streamLimitOf(plan, this.#options);
    const outcome = validator.validateMatched(match, received, limit);
    return outcome.kind === "pending" ? this.#read(plan, outcome, received) : this.#inputOrThrow(plan, outcome);
  }

  async #read(plan: OperationPlan, pending: PendingBody, received: HttpRequest): Promise<InputGroups> {
    const meter = this.#intake.watch(this.#timeOf(plan, pending));
    if (pending.isStream) return this.#inputOrThrow(plan, pending.acceptStream(received.stream(pending.limit, meter)));
    const bytes = await received.bytes(pending.limit, pending.isDeclared, meter).catch(rethrowDisconnect);
    const validated = bytes === undefined ? pending.rejectTooLarge() : pending.validateBody(bytes);
    return this.#inputOrThrow(plan, isPromiseLike(validated) ? await validated : validated);
  }

  /** Milliseconds in which the body has to arrive. The time of the description applies if it limits the bytes of the operation. */
  #timeOf({ limits }: OperationPlan, { isStream }: PendingBody): number {
    const { bodyTimeoutMs = defaultBodyTimeoutMs, streamTimeoutMs = defaultStreamTimeoutMs } = this.#options;
    const seconds = limits.bytes?.windowSeconds;
    if (seconds !== undefined) return seconds * 1000;
    return isStream ? streamTimeoutMs : bodyTimeoutMs;
  }

  #inputOrThrow(plan: OperationPlan, outcome: ValidationOutcome): InputGroups {
    if (outcome.kind === "accepted") return outcome.input;
    if (outcome.kind === "pass") return {};
    const { status, issues, headers } = outcome;
    const id = status === 413 ? plan.limits.bytes?.error : undefined;
    if (id !== undefined) throw new RejectedRequestError(errorResponseFor(id, plan.errors));
    // An id that is not valid gets the same response as one that does not exist.
    if (status === 404) throw new RejectedRequestError(this.#responses.sharedError(404));
    const { connection } = headers;
    throw new RejectedRequestError({
      status,
      errors: toErrorEntries(issues),
      ...(connection === undefined ? {} : { headers: { Connection: connection } }),
    });
  }
}

function streamLimitOf(
  { operation }: OperationPlan,
  { bodyLimit = defaultBodyLimitBytes, streamLimit = defaultStreamLimitBytes }: BaseServerOptions,
): number {
  const contents = Object.values(operation.definition.body?.contents ?? {});
  return contents.length > 0 && contents.every(({ decode }) => decode === binaryBody) ? streamLimit : bodyLimit;
}

const defaultStreamLimitBytes = 1_073_741_824;
const defaultBodyMemoryBytes = 67_108_864;
const defaultBodyTimeoutMs = 60_000;
const defaultStreamTimeoutMs = 3_600_000;

function rethrowDisconnect(error: unknown): never {
  throw error instanceof BodyAlreadyUsedError || isBodyEnd(error) ? error : new ClientDisconnectedError(error);
}
