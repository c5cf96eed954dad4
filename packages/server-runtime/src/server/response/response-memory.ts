import type { Awaitable } from "../handlers.js";

/** Memory of a response, reserved before its handler runs, and released when it was sent. */
export interface Reservation {
  /** Sets the actual number of bytes. */
  resize(bytes: number): void;
  /** Call it when the response was sent or dropped. May be called twice. */
  release(): void;
}

/** Bytes of responses that are not sent completely, by user and in total. */
export class ResponseMemory {
  readonly #bounds: ResponseLimits;
  readonly #byUser = new Map<string, number>();
  readonly #waiting = new Set<WaitingReservation>();
  #all = 0;

  constructor(bounds: ResponseLimits) {
    this.#bounds = bounds;
  }

  /** Bytes of all responses. */
  get usedBytes(): number {
    return this.#all;
  }

  /** Reserves without waiting, for a response that exists already. */
  reserveNow(user: string, bytes: number): Reservation {
    let reservedBytes = 0;
    const resize = (to: number): void => {
      this.#add(user, to - reservedBytes);
      reservedBytes = to;
      if (this.#waiting.size > 0) this.#grantWaiting();
    };
    resize(bytes);
    return { resize, release: () => resize(0) };
  }

  /** Reserves as soon as there is room. Resolves with the limit in the way if there is none in time. */
  reserve(user: string, bytes: number): Awaitable<Reservation | "user" | "all"> {
    if (bytes === 0 || this.#exceededLimit(user, bytes) === undefined) return this.reserveNow(user, bytes);
    return new Promise((resolve) => {
      const give = (): void => {
        this.#waiting.delete(waiting);
        clearTimeout(timer);
        resolve(this.#exceededLimit(user, bytes) ?? this.reserveNow(user, bytes));
      };
      const waiting: WaitingReservation = { user, bytes, grant: give };
      const timer = setTimeout(give, this.#bounds.waitMs);
      this.#waiting.add(waiting);
    });
  }

  #grantWaiting(): void {
    for (const waiting of this.#waiting) {
      const inTheWay = this.#exceededLimit(waiting.user, waiting.bytes);
      if (inTheWay === "all") return;
      if (inTheWay === undefined) waiting.grant();
    }
  }

  /** A single response may exceed the limit. */
  #exceededLimit(user: string, bytes: number): "user" | "all" | undefined {
    const { perUser, inAll } = this.#bounds;
    const usedByUser = this.#byUser.get(user) ?? 0;
    if (usedByUser > 0 && usedByUser + bytes > perUser) return "user";
    return this.#all > 0 && this.#all + bytes > inAll ? "all" : undefined;
  }

  #add(user: string, bytes: number): void {
    this.#all += bytes;
    const usedByUser = (this.#byUser.get(user) ?? 0) + bytes;
    if (usedByUser === 0) this.#byUser.delete(user);
    else this.#byUser.set(user, usedByUser);
  }
}

export interface ResponseLimits {
  /** Maximum bytes of one user's responses. */
  readonly perUser: number;
  readonly inAll: number;
  /** Milliseconds for which a request waits for room. */
  readonly waitMs: number;
}

interface WaitingReservation {
  readonly user: string;
  readonly bytes: number;
  readonly grant: () => void;
}
