import type { CallOptions, Client } from "../client.js";
import { isApiError, type ApiError } from "../errors.js";
import { parseRetryAfter } from "../retry/retry-after.js";
import { sleep } from "../timing/sleep.js";
import type { EventConnection } from "./items.js";

/** The function of an operation that returns server-sent events. */
export type EventOperation = (
  client: Client,
  request: never,
  options?: CallOptions,
) => Promise<AsyncIterable<unknown> | undefined>;

/** The type of the events of such an operation. */
export type EventOf<Operation extends EventOperation> =
  NonNullable<Awaited<ReturnType<Operation>>> extends AsyncIterable<infer Event> ? Event : never;

/** Options of `followEvents`, and of each of its calls. `timeout` applies to each connection: then it connects again. */
export interface FollowOptions extends CallOptions {
  /**
   * The id of the last event that the program has processed, such as one that it has stored.
   *
   * @defaultValue none: the first request has no `Last-Event-ID`
   */
  readonly lastEventId?: string | undefined;
  /**
   * How many connections in a row may fail without an event in between. Each pause is twice as long as the one before, at most a minute.
   *
   * @defaultValue 10
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Milliseconds before it connects again. A server may name another number in its field `retry`.
   *
   * @defaultValue 3,000
   */
  readonly retryMs?: number | undefined;
}

/**
 * Iterates over server-sent events, and connects again when a connection ends or fails: with the id of the last event in `Last-Event-ID`, after
 * a pause. It ends with a response without a body, such as 204, when the loop is left, and with `signal`.
 *
 * Network errors, timeouts, and the statuses 429, 502, 503 and 504 (after their `Retry-After`) are followed by another connection.
 *
 * @param operation the function of the operation
 * @param client sends the requests
 * @param request the request of the operation
 * @throws ApiError with another status, at abort, or after `maxAttempts`
 *
 * @example
 * for await (const event of followEvents(watchOrders, client, {}, { signal })) console.log(event.data);
 */
export async function* followEvents<Operation extends EventOperation>(
  operation: Operation,
  client: Client,
  request: Parameters<Operation>[1],
  options: FollowOptions = {},
): AsyncGenerator<EventOf<Operation>, void, undefined> {
  const { lastEventId, maxAttempts = 10, retryMs = 3000, ...rest } = options;
  const signal = rest.signal ?? client.options().signal;
  const last: EventConnection = { retry: retryMs, ...(lastEventId !== undefined && { lastEventId }) };
  let connection: EventConnection | undefined;
  for (let failures = 0; ;) {
    let retryAfterMs = 0;
    try {
      const id = last.lastEventId;
      const headers = { ...rest.headers, ...(id && { "last-event-id": id }) };
      const events = await operation(client, request, { ...rest, headers });
      if (events === undefined) return;
      ({ connection } = events as { readonly connection?: EventConnection });
      for await (const event of events as AsyncIterable<EventOf<Operation>>) {
        failures = 0;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted || !isTemporary(error) || ++failures >= maxAttempts) throw error;
      retryAfterMs = (error.headers && parseRetryAfter(error.headers)) ?? 0;
    }
    Object.assign(last, connection);
    const pause = Math.min(60_000, (last.retry ?? retryMs) * 2 ** Math.max(0, failures - 1));
    // With an aborted signal a call fails as every call does.
    await sleep(Math.max(retryAfterMs, pause) * (1 + Math.random() / 4), signal).catch(() => undefined);
  }
}

function isTemporary(error: unknown): error is ApiError {
  if (!isApiError(error)) return false;
  return error.code === "network" || error.code === "timeout" || [429, 502, 503, 504].includes(error.status);
}
