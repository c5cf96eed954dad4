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

/** Room for the responses that have not left: large ones wait for it before their handlers run, and leave piece by piece. */
export class ResponseRoom {
  readonly #memory: ResponseMemory;
  readonly #rejection: (status: 429 | 503) => Refusal;
  /** Bytes that the next response of an operation is expected to have, by its name. */
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
   * Reserves what the response of a read is expected to take; undefined where that is little. A write is never rejected for the size of its response.
   *
   * @throws RefusedWith 429 where the user's own responses leave no room, 503 where those of all do
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

  /** The response with a large body in pieces, which takes memory until it has left. */
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

  /** What the last responses of an operation let expect of the next one, in bytes. */
  #expectedOf({ name }: Plan): number {
    const expected = this.#expected.get(name) ?? unknownResponse;
    return expected <= largestPiece ? 0 : expected;
  }
}

// Bytes. Of an operation that has not responded yet, nothing is known.
const unknownResponse = 1_048_576;
