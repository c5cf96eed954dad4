import type { Meter } from "../../http/index.js";

/** A body did not arrive in time. */
export class BodyTimeoutError extends Error {
  override readonly name = "BodyTimeoutError";

  constructor(milliseconds: number) {
    super(`The body did not arrive within ${milliseconds} ms.`);
  }
}

/** A body was dropped because the bodies that are still arriving exceed the memory limit. */
export class BodyMemoryError extends Error {
  override readonly name = "BodyMemoryError";

  constructor(bytes: number) {
    super(`Bodies that are still arriving hold more than ${bytes} bytes.`);
  }
}

/** True for an error that ended a body early, and that the handler did not cause. */
export function isBodyEnd(error: unknown): error is BodyTimeoutError | BodyMemoryError {
  return error instanceof BodyTimeoutError || error instanceof BodyMemoryError;
}

/** Limits bodies while they arrive: the time of each, and the memory of all. */
export class BodyIntake {
  readonly #maxBytes: number;
  readonly #arriving = new Set<ArrivingBody>();
  readonly #ledger: IntakeLedger = {
    count: (arrival, bytes) => {
      this.#held += bytes;
      this.#arriving.add(arrival);
      if (this.#held > this.#maxBytes) this.#dropOldest();
    },
    release: (arrival) => {
      this.#held -= arrival.held;
      this.#arriving.delete(arrival);
    },
  };
  #held = 0;

  /** @param most maximum number of bytes that all incomplete bodies hold together */
  constructor(most: number) {
    this.#maxBytes = most;
  }

  /** Bytes held now. */
  get held(): number {
    return this.#held;
  }

  /** Watches one body, and ends it with a `BodyTimeoutError` or a `BodyMemoryError`. */
  watch(milliseconds: number): Meter {
    return new ArrivingBody(milliseconds, this.#ledger);
  }

  /** Drops the oldest body: a client that sends without pause has finished long before its body is the oldest. */
  #dropOldest(): void {
    for (const arrival of this.#arriving) {
      if (this.#held <= this.#maxBytes) return;
      arrival.end(new BodyMemoryError(this.#maxBytes));
    }
  }
}

interface IntakeLedger {
  count(arrival: ArrivingBody, bytes: number): void;
  release(arrival: ArrivingBody): void;
}

class ArrivingBody implements Meter {
  held = 0;
  #isDone = false;
  #end: ((error: Error) => void) | undefined;
  readonly #ledger: IntakeLedger;
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(milliseconds: number, ledger: IntakeLedger) {
    this.#ledger = ledger;
    const wait = Math.min(milliseconds, maxTimerMs);
    this.#timer = setTimeout(() => this.end(new BodyTimeoutError(milliseconds)), wait);
    // A handler may never read a stream, and the timer must not keep the process alive.
    (this.#timer as { readonly unref?: () => void }).unref?.();
  }

  add(bytes: number): void {
    if (this.#isDone) return;
    this.held += bytes;
    this.#ledger.count(this, bytes);
  }

  onEnd(end: (error: Error) => void): void {
    this.#end = end;
  }

  end(error: Error): void {
    if (this.#isDone) return;
    this.done();
    this.#end?.(error);
  }

  done(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    clearTimeout(this.#timer);
    this.#ledger.release(this);
  }
}

// Milliseconds. Longer timers overflow and would fire at once.
const maxTimerMs = 2_147_483_647;
