import { isOperationError, RejectedRequestError, type UnformattedError } from "../errors/errors.js";
import { isPromiseLike } from "../handlers.js";
import { ClientDisconnectedError } from "../http/http-request.js";
import type { HttpResponse } from "../http/http-response.js";
import { isStreamBody, utf8ByteCount } from "../http/message-framing.js";
import type { ObservedIssue, ObservedOutcome, ObservedStep, ObservedTransition, RequestObserver } from "./observe.js";
import { observedIssue, type DescribedNames } from "./observed-field.js";
import { withStreamEnd } from "./stream-end.js";

export interface ObservationContext {
  readonly observers: readonly RequestObserver[];
  readonly names: DescribedNames;
  readonly requestBytes: number | undefined;
  /** Logs the error of an observer. */
  readonly failed: (error: unknown) => void;
}

/** Collects what happens to one request, and passes it to the observers. None of its methods throws. */
export class Observation {
  user: string | number | undefined;
  /** Whether an observer wants to know of steps: measuring them takes longer than the rest. */
  readonly hasStepObservers: boolean;
  readonly #context: ObservationContext;
  readonly #start = performance.now();
  #error: string | undefined;
  #thrown: string | undefined;
  #isDisconnected = false;
  #issues: readonly ObservedIssue[] = [];
  readonly #limits = new Set<string>();
  #transitions: ObservedTransition[] = [];

  constructor(context: ObservationContext) {
    this.#context = context;
    this.hasStepObservers = context.observers.some((each) => each.step !== undefined);
  }

  /** Runs a request within the contexts of the observers, and observes its response. */
  async around(handle: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const { observers } = this.#context;
    if (observers.every((each) => each.run === undefined)) return this.end(await handle());
    const within = observers.reduceRight(
      (next, observer) => (observer.run === undefined ? next : () => this.#runWithin(observer, next)),
      handle,
    );
    return this.end(await within());
  }

  /** Notes an error that is no error response yet. */
  noteError(error: unknown): void {
    if (error instanceof RejectedRequestError || isOperationError(error)) return;
    this.#isDisconnected = error instanceof ClientDisconnectedError;
    this.#thrown = nameOf(error);
  }

  noteResponse({ id, issues = [], limit }: UnformattedError): void {
    this.#error = id;
    this.#issues = issues.map((each) => observedIssue(each, this.#context.names));
    if (limit !== undefined) this.noteLimit(limit);
  }

  noteLimit(id: string): void {
    this.#limits.add(id);
  }

  /** Replaces the transitions, since a transaction may retry its steps. */
  noteTransitions(transitions: ObservedTransition[]): void {
    this.#transitions = transitions;
  }

  step(step: ObservedStep): void {
    for (const observer of this.#context.observers) this.#call(() => observer.step?.(step));
  }

  /** Ends with a response, or with the last byte of its stream. Returns the response to send. */
  end(response: HttpResponse): HttpResponse {
    const { status, body } = response;
    if (!isStreamBody(body)) {
      this.#report(status, typeof body === "string" ? utf8ByteCount(body) : (body?.length ?? 0));
      return response;
    }
    const ended = (bytes: number, error?: unknown): void => {
      if (error !== undefined) this.#thrown = nameOf(error);
      this.#report(status, bytes);
    };
    return { ...response, body: withStreamEnd(body, ended) };
  }

  #report(status: number, responseBytes: number): void {
    const outcome: ObservedOutcome = {
      status: this.#isDisconnected ? undefined : status,
      durationMs: performance.now() - this.#start,
      user: this.user,
      error: this.#error,
      thrown: this.#thrown,
      limits: [...this.#limits],
      issues: this.#issues,
      transitions: this.#transitions,
      requestBytes: this.#context.requestBytes,
      responseBytes,
    };
    for (const observer of this.#context.observers) this.#call(() => observer.end?.(outcome));
  }

  /** Runs the request exactly once, whatever the observer does. */
  #runWithin(observer: RequestObserver, handle: () => Promise<HttpResponse>): Promise<HttpResponse> {
    let running: Promise<HttpResponse> | undefined;
    const once = (): Promise<HttpResponse> => (running ??= handle());
    this.#call(() => {
      const result: unknown = observer.run?.(once);
      return result === running ? undefined : result;
    });
    return once();
  }

  #call(observe: () => unknown): void {
    const { failed } = this.#context;
    try {
      const result = observe();
      // An unhandled rejection would end the process.
      if (isPromiseLike(result)) result.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  }
}

/** The message of an error may quote a value; the name of its class does not. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "Error";
}
