import type { AnyHandlers, Handler, HandlerResponse } from "../../server/index.js";
import type { MockContext } from "../mock-context.js";
import type { UndocumentedResponse } from "../responses/undocumented-responses.js";
import { mockHandlers, type MockHandler } from "./operations.js";

/** Handlers of some operations. They may also respond with statuses that the description does not document. */
export type ReplacementHandlers<Handlers = AnyHandlers> = {
  readonly [Operation in keyof Handlers]?: Handlers[Operation] extends Handler<
    infer Input,
    infer Context,
    infer Response extends HandlerResponse
  >
    ? Handler<Input, Context, Response | UndocumentedResponse<Response["status"]>>
    : Handlers[Operation];
};

/** The handlers of a mock, which others can replace while it runs. */
export class ReplaceableHandlers {
  /** The handlers for the server. Each calls the latest one of its operation. */
  readonly handlers: AnyHandlers;
  readonly #replacements = new Map<string, MockHandler>();

  /**
   * Creates handlers that do what the description says.
   *
   * @param initial - Handlers that replace these from the start.
   */
  constructor(mock: MockContext, initial: AnyHandlers) {
    const first = new Map([...Object.entries(mockHandlers(mock)), ...definedHandlers(initial)]);
    this.handlers = Object.fromEntries(
      [...first].map(([name, handler]) => {
        const latest: MockHandler = (input, context) => (this.#replacements.get(name) ?? handler)(input, context);
        return [name, latest] as const;
      }),
    );
  }

  /**
   * Replaces the handlers of these operations, on top of earlier ones.
   *
   * @throws TypeError for an unknown operation
   */
  replace(handlers: AnyHandlers): void {
    const unknown = Object.keys(handlers).find((name) => !Object.hasOwn(this.handlers, name));
    if (unknown !== undefined) throw new TypeError(`Unknown operation "${unknown}".`);
    for (const [name, handler] of definedHandlers(handlers)) this.#replacements.set(name, handler);
  }

  /** Returns to the handlers of the start. */
  reset(): void {
    this.#replacements.clear();
  }
}

function definedHandlers(handlers: AnyHandlers): readonly (readonly [name: string, handler: MockHandler])[] {
  return Object.entries(handlers).flatMap(([name, handler]) =>
    handler === undefined ? [] : [[name, handler] as const],
  );
}
