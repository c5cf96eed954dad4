import { RejectedRequestError, type UnformattedError } from "../errors/errors.js";
import type { Awaitable } from "../handlers.js";
import type { HttpResponse } from "../http/http-response.js";
import type { OperationPlan } from "../operation-plan.js";
import type { BaseServerOptions } from "../options.js";
import { userOf } from "../rate-limits/rates.js";
import { andThen } from "../request/in-turn.js";
import type { RequestContext } from "../request/request-context.js";
import { maxSliceBytes, bodySize, sliceBody } from "./body-slices.js";
import { ResponseMemory, type Reservation } from "./response-memory.js";

/** Reserves memory for responses. Large ones wait for it before their handlers run, and are sent in pieces. */
export class ResponseBudget {
  readonly #memory: ResponseMemory;
  readonly #rejection: (status: 429 | 503) => UnformattedError;
  /** The expected size of an operation's next response in bytes, by the operation's name. */
  readonly #expected = new Map<string, number>();

  constructor(options: BaseServerOptions, rejection: (status: 429 | 503) => UnformattedError) {
    this.#memory = new ResponseMemory({
      perUser: options.responseMemoryPerUser ?? 16_777_216,
      inAll: options.responseMemory ?? 67_108_864,
      waitMs: 10_000,
    });
    this.#rejection = rejection;
  }

  /**
   * Reserves memory for the expected response of a read. Returns undefined for a small one. Never rejects a write.
   *
   * @throws RejectedRequestError 429 if the user's responses leave no room, 503 if all responses together do not
   */
  reserve(plan: OperationPlan, context: RequestContext): Awaitable<Reservation | undefined> {
    const bytes = plan.isLocking ? 0 : this.#expectedOf(plan);
    if (bytes === 0) return undefined;
    return andThen(this.#memory.reserve(userOf(context), bytes), (reservation) => {
      if (typeof reservation !== "string") return reservation;
      const errorResponse = this.#rejection(reservation === "user" ? 429 : 503);
      throw new RejectedRequestError({ ...errorResponse, headers: { "Retry-After": "5", ...errorResponse.headers } });
    });
  }

  /** Sends a large body in pieces, and reserves memory until the last one was sent. */
  slice(response: HttpResponse, { request: { plan }, context, reservation }: ReservedRequest): HttpResponse {
    const size = bodySize(response.body);
    if (!plan.isLocking && response.body !== undefined)
      this.#expected.set(plan.name, Math.max(size, Math.floor(this.#expectedOf(plan) / 2)));
    if (size <= maxSliceBytes) {
      reservation?.release();
      return response;
    }
    const sending = reservation ?? this.#memory.reserveNow(userOf(context), size);
    sending.resize(size);
    return sliceBody(response, size, () => sending.release());
  }

  /** The expected size of the next response in bytes, by the last ones of the operation. */
  #expectedOf({ name }: OperationPlan): number {
    const expected = this.#expected.get(name) ?? defaultResponseBytes;
    return expected <= maxSliceBytes ? 0 : expected;
  }
}

/** A request, and what is reserved for its response. */
interface ReservedRequest {
  readonly request: { readonly plan: OperationPlan };
  readonly context: RequestContext;
  readonly reservation: Reservation | undefined;
}

// Bytes. The expectation for an operation that has not responded yet.
const defaultResponseBytes = 1_048_576;
