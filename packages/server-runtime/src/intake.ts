import type { Meter } from "@plumbline/validator-runtime/serving";

/** A body did not arrive within its time. */
export class BodyTimeoutError extends Error {
  override readonly name = "BodyTimeoutError";

  constructor(milliseconds: number) {
    super(`The body did not arrive within ${milliseconds} ms.`);
  }
}

/** A body gave way to newer ones: together they hold more memory than they may. */
export class BodyMemoryError extends Error {
  override readonly name = "BodyMemoryError";

  constructor(bytes: number) {
    super(`Bodies that are still arriving hold more than ${bytes} bytes.`);
  }
}

/** True for what ends a body before its last byte, and is not the doing of the handler. */
export function isBodyEnd(error: unknown): error is BodyTimeoutError | BodyMemoryError {
  return error instanceof BodyTimeoutError || error instanceof BodyMemoryError;
}

/** Bodies while they arrive: how long each may take, and how many bytes all of them hold. */
export class Intake {
  readonly #most: number;
  readonly #arriving = new Set<Arrival>();
  readonly #ledger: Ledger = {
    count: (arrival, bytes) => {
      this.#held += bytes;
      this.#arriving.add(arrival);
      if (this.#held > this.#most) this.#relieve();
    },
    release: (arrival) => {
      this.#held -= arrival.held;
      this.#arriving.delete(arrival);
    },
  };
  #held = 0;

  /** @param most Bytes that all bodies hold together before their last one has arrived. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes that are held now. */
  get held(): number {
    return this.#held;
  }

  /** Watches one body. It ends with a BodyTimeoutError after so many milliseconds, and with a BodyMemoryError where newer ones need its memory. */
  watch(milliseconds: number): Meter {
    return new Arrival(milliseconds, this.#ledger);
  }

  /** The oldest gives way: a client that sends without pause is done long before it is the oldest. */
  #relieve(): void {
    for (const arrival of this.#arriving) {
      if (this.#held <= this.#most) return;
      arrival.end(new BodyMemoryError(this.#most));
    }
  }
}

interface Ledger {
  count(arrival: Arrival, bytes: number): void;
  release(arrival: Arrival): void;
}

class Arrival implements Meter {
  held = 0;
  #isDone = false;
  #end: ((error: Error) => void) | undefined;
  readonly #ledger: Ledger;
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(milliseconds: number, ledger: Ledger) {
    this.#ledger = ledger;
    const wait = Math.min(milliseconds, longestTimer);
    this.#timer = setTimeout(() => this.end(new BodyTimeoutError(milliseconds)), wait);
    // A handler may never read a stream, and a process that has nothing else to do may end.
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

// Longer ones overflow, and would be over at once.
const longestTimer = 2_147_483_647;
