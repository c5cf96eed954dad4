import type { Fetch } from "../operation.js";

/**
 * Observes the requests of a client, for traces, metrics and logs. Called before each request; returns what observes it, or undefined.
 * It receives no argument of a call, no credential and no body.
 */
export type ObserveCall = (call: ObservedCall) => CallObserver | undefined;

/** A request that is about to be sent. */
export interface ObservedCall {
  readonly method: string;
  /** The template of the path, such as `/domains/{domainId}`. Undefined if no client made the request. */
  readonly route: string | undefined;
  /** Scheme, host and port, such as `https://api.example`. */
  readonly origin: string;
  /** 1 for the first attempt. `withRetry` counts further ones. */
  readonly attempt: number;
  /** Sets a header of the request, such as `traceparent`. */
  setHeader(name: string, value: string): void;
}

/** What observes one request. */
export interface CallObserver {
  /** Sends the request, such as within an asynchronous context. Calls `send` once, and returns its result. */
  run?<T>(send: () => T): T;
  /** Called when the head of the response has arrived, or none will. */
  end?(outcome: CallOutcome): void;
}

/** How a request ended. */
export interface CallOutcome {
  /** The status of the response. Undefined if there was none. */
  readonly status: number | undefined;
  /** Why there was none. */
  readonly error: "network" | "timeout" | "aborted" | undefined;
  /** Milliseconds until the head of the response. */
  readonly durationMs: number;
}

/** Options of `withObservation`. */
export interface ObservationOptions {
  /** Observes each request. An error that it throws is written with `console.error`, and changes no call. */
  readonly observe: ObserveCall;
  /**
   * Sends the requests.
   *
   * @defaultValue the global `fetch`
   */
  readonly fetch?: Fetch | undefined;
}

/**
 * Creates a `fetch` that is observed. Within `withRetry` it observes each attempt, and around it each call.
 *
 * @example
 * const client = createClient({ token, fetch: withRetry({ fetch: withObservation({ observe: openTelemetry() }) }) });
 */
export function withObservation({ observe, fetch: sendRequest }: ObservationOptions): Fetch {
  const send: Fetch = sendRequest ?? ((url, init) => fetch(url, init));
  return async (url, init) => {
    const headers = new Headers(init.headers);
    const { operation, method = "GET", signal, attempt = 1 } = init;
    const call: ObservedCall = {
      method,
      route: operation?.path,
      origin: new URL(url).origin,
      attempt,
      setHeader: (name, value) => headers.set(name, value),
    };
    const start = performance.now();
    const observer = safely(() => observe(call));
    const end = (outcome: Omit<CallOutcome, "durationMs">): void =>
      safely(() => observer?.end?.({ ...outcome, durationMs: performance.now() - start }));
    try {
      let sending: Promise<Response> | undefined;
      const once = (): Promise<Response> => (sending ??= send(url, { ...init, headers }));
      // The response counts, and not what the observer returns.
      safely(() => void observer?.run?.(once)?.catch?.(() => {}));
      const response = await once();
      end({ status: response.status, error: undefined });
      return response;
    } catch (error) {
      const isTimeout = (signal?.reason as { readonly code?: unknown } | undefined)?.code === "timeout";
      end({ status: undefined, error: !signal?.aborted ? "network" : isTimeout ? "timeout" : "aborted" });
      throw error;
    }
  };
}

function safely<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    console.error("An observer failed", error);
    return undefined;
  }
}
