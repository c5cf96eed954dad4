import type { AnyHandlers, HttpRequest, HttpResponse } from "../../server/index.js";
import type { MockContext } from "../mock-context.js";
import type { MockOperation } from "../mock-definition.js";
import { documentedFor, documentedResponse } from "./preferred-response.js";

/** A fault that requests meet: another response, a delay, or a lost connection. */
export interface InjectedError<Handlers = AnyHandlers> {
  /** The operation. Absent: every operation. */
  readonly operation?: keyof Handlers & string;
  /** The status of the response, with its documented body. */
  readonly status?: number;
  /** Milliseconds before the response. */
  readonly delay?: number;
  /** The connection is lost: `fetch` rejects, and the adapter of a server closes it. */
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

/** An operation and its name. */
export interface NamedOperation {
  readonly name: string;
  readonly operation: MockOperation;
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

  get hasFaults(): boolean {
    return this.#faults.length > 0;
  }

  /** Waits for a delay, and returns the response of a fault, or closes the connection. Undefined if the operation is performed. */
  async meet({ name, operation: requested }: NamedOperation, received: HttpRequest): Promise<HttpResponse | undefined> {
    for (const each of this.#faults) {
      const { operation, status, delay, drop, probability = 1 } = each.fault;
      if (each.remaining <= 0 || (operation !== undefined && operation !== name)) continue;
      if (probability < 1 && this.#mock.random.next() >= probability) continue;
      each.remaining -= 1;
      if (delay !== undefined) await new Promise((resolve) => setTimeout(resolve, delay));
      if (drop === true) {
        received.disconnect?.(new DroppedConnectionError());
        return { status: 500, headers: {} };
      }
      if (status === undefined) continue;
      const documented = documentedFor(requested.documented, status);
      return documented === undefined ? { status, headers: {} } : documentedResponse(status, documented);
    }
    return undefined;
  }
}
