import type { Answer } from "./answer.js";
import { RefusedWith, type Refusal } from "./errors.js";
import { isPending } from "./handlers.js";
import type { ServeOptions } from "./options.js";
import type { Plan } from "./plan.js";
import { userOf } from "./rates.js";
import { ResponseMemory, type Reservation } from "./response-memory.js";
import { largestPiece, sizeOf, sliced } from "./sliced.js";
import type { AroundAnswer } from "./telling.js";
import type { Turn } from "./turn.js";

/** Reserves memory for responses. Large ones wait for it before their handlers run, and are sent in pieces. */
export class ResponseRoom {
  readonly #memory: ResponseMemory;
  readonly #rejection: (status: 429 | 503) => Refusal;
  /** The expected size of an operation's next response in bytes, by the operation's name. */
  readonly #expected = new Map<string, number>();

  constructor(options: ServeOptions, rejection: (status: 429 | 503) => Refusal) {
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
   * @throws RefusedWith 429 if the user's responses leave no room, 503 if all responses together do not
   */
  async reserve(plan: Plan, turn: Turn): Promise<Reservation | undefined> {
    const bytes = plan.isLocking ? 0 : this.#expectedOf(plan);
    if (bytes === 0) return undefined;
    const reserved = this.#memory.reserve(userOf(turn), bytes);
    const reservation = isPending(reserved) ? await reserved : reserved;
    if (typeof reservation !== "string") return reservation;
    const refusal = this.#rejection(reservation === "user" ? 429 : 503);
    throw new RefusedWith({ ...refusal, headers: { "Retry-After": "5", ...refusal.headers } });
  }

  /** Sends a large body in pieces, and reserves memory until the last one was sent. */
  inPieces(answer: Answer, { plan, turn, reservation }: AroundAnswer): Answer {
    const size = sizeOf(answer.body);
    if (plan !== undefined && !plan.isLocking && answer.body !== undefined)
      this.#expected.set(plan.name, Math.max(size, Math.floor(this.#expectedOf(plan) / 2)));
    if (size <= largestPiece || turn === undefined) {
      reservation?.release();
      return answer;
    }
    const taken = reservation ?? this.#memory.take(userOf(turn), size);
    taken.resize(size);
    return sliced(answer, size, () => taken.release());
  }

  /** The expected size of the next response in bytes, by the last ones of the operation. */
  #expectedOf({ name }: Plan): number {
    const expected = this.#expected.get(name) ?? unknownResponse;
    return expected <= largestPiece ? 0 : expected;
  }
}

// Bytes. The expectation for an operation that has not responded yet.
const unknownResponse = 1_048_576;
