import type { AnyHandlers } from "@plumbline/server-runtime";
import type { MockContext } from "../mock-context.js";
import type { MatchedOperation } from "./match-operation.js";
import { documentedFor, documentedResponse } from "./preferred-response.js";

/** A fault that requests meet: another response, a delay, or a lost connection. */
export interface InjectedError<Handlers = AnyHandlers> {
  /** The operation. Absent: every operation. */
  readonly operation?: keyof Handlers & string;
  /** The status of the response, with its documented body. */
  readonly status?: number;
  /** Milliseconds before the response. */
  readonly delay?: number;
  /** The connection is lost: `fetch` rejects. */
  readonly drop?: true;
  /**
   * How probable the fault is, from 0 to 1.
   *
   * @defaultValue 1
   */
  readonly probability?: number;
  /** How many requests meet it. Absent: all. */
  readonly times?: number;
}

/** A connection that a fault has cut. */
export class DroppedConnectionError extends TypeError {
  override readonly name = "DroppedConnectionError";

  constructor() {
    super("The mock dropped the connection, as a fault of its options says.");
  }
}

/** Lets requests meet faults. */
export class ErrorInjector<Handlers> {
  readonly #mock: MockContext;
  #faults: readonly { readonly fault: InjectedError<Handlers>; remaining: number }[] = [];

  constructor(faults: readonly InjectedError<Handlers>[], mock: MockContext) {
    this.#mock = mock;
    this.replace(faults);
  }

  replace(faults: readonly InjectedError<Handlers>[]): void {
    this.#faults = faults.map((fault) => ({ fault, remaining: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /**
   * Waits for a delay, and returns the response of a fault. Undefined if the operation is performed.
   *
   * @throws DroppedConnectionError for a lost connection
   */
  async meet(matched: MatchedOperation): Promise<Response | undefined> {
    for (const each of this.#faults) {
      const { operation, status, delay, drop, probability = 1 } = each.fault;
      if (each.remaining <= 0 || (operation !== undefined && operation !== matched.name)) continue;
      if (probability < 1 && this.#mock.random.next() >= probability) continue;
      each.remaining -= 1;
      if (delay !== undefined) await new Promise((resolve) => setTimeout(resolve, delay));
      if (drop === true) throw new DroppedConnectionError();
      if (status === undefined) continue;
      const documented = documentedFor(matched.operation.documented, status);
      return documented === undefined ? new Response(null, { status }) : documentedResponse(status, documented);
    }
    return undefined;
  }
}
