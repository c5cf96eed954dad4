import type { CallOptions, Client } from "../client.js";
import { isApiError } from "../errors.js";
import { ownProperty } from "../request/parameters.js";
import { parseRetryAfter } from "../retry/retry-after.js";
import { anySignal } from "../timing/signals.js";
import { sleep } from "../timing/sleep.js";
import { WaitError, type WaitErrorCode } from "./wait-error.js";

/** The part of a state machine that `waitFor` needs. */
export interface StateWaiter<Resource, State extends string> {
  /** A phrase for messages, such as `instance 5`. */
  readonly description: string;
  readonly stateOf: (resource: Resource) => unknown;
  /** For each state, the states that cannot follow. */
  readonly unreachable: Readonly<Partial<Record<State, readonly State[]>>>;
}

/** Options of a wait, and of each of its calls. */
export interface WaitOptions extends CallOptions {
  /**
   * When to stop waiting.
   *
   * @defaultValue none
   */
  readonly deadline?: Date | undefined;
  /**
   * Milliseconds between the first two requests. Each pause is 1.5 times as long as the one before, ± 25 % at random.
   *
   * @defaultValue 500
   */
  readonly intervalMs?: number | undefined;
  /**
   * Maximum milliseconds of a pause.
   *
   * @defaultValue 10,000
   */
  readonly maxIntervalMs?: number | undefined;
}

/**
 * Reads a resource until it is in the target state, and returns it. After status 429 or 503 it waits longer.
 *
 * @throws WaitError if the resource cannot reach the state, does not exist any more, or has no state, and at the deadline or abort
 * @throws what a call throws
 *
 * @example
 * await waitFor(machine, (options) => getInstance(client, { path }, options), { client, target: "running" });
 */
export async function waitFor<Resource, State extends string>(
  { description, stateOf, unreachable }: StateWaiter<Resource, State>,
  read: (options: CallOptions) => Promise<Resource>,
  {
    client,
    target,
    options = {},
  }: { readonly client: Client; readonly target: State; readonly options?: WaitOptions | undefined },
): Promise<Resource> {
  const { deadline, intervalMs = 500, maxIntervalMs = 10_000, ...rest } = options;
  const callerSignal = rest.signal ?? client.options().signal;
  const waitMs = deadline && Math.max(0, deadline.getTime() - Date.now());
  // Not `AbortSignal.timeout`: Node collects one that only `AbortSignal.any` references, and it never fires.
  const late = new AbortController();
  // A longer timer would end at once, and is not needed either.
  const timer = waitMs === undefined || waitMs >= 2 ** 31 ? undefined : setTimeout(() => late.abort(), waitMs);
  const signal = anySignal(callerSignal, timer ? late.signal : undefined);
  let state: string | undefined;

  const failed = (code: WaitErrorCode, reason: string, cause?: unknown): WaitError =>
    new WaitError({ code, what: description, target, state, reason, cause });
  const ended = (): WaitError =>
    callerSignal?.aborted
      ? failed("aborted", "it was aborted", callerSignal.reason)
      : failed("deadline", "it took too long");

  try {
    for (let next = intervalMs; ; next *= 1.5) {
      if (signal?.aborted || waitMs === 0) throw ended();
      let retryAfterMs = 0;
      try {
        const resource = await read({ ...rest, signal });
        // A response may be any value, null included.
        const current = stateOf(Object(resource) as Resource);
        const now = String(current);
        if (current === undefined) throw failed("stateless", "the response has no state");
        state = now;
        if (state === target) return resource;
        if (ownProperty<readonly string[]>(unreachable, state)?.includes(target))
          throw failed("unreachable", "cannot get there");
      } catch (error) {
        if (signal?.aborted) throw ended();
        if (!isApiError(error)) throw error;
        const { headers, status } = error;
        if (status === 404 || status === 410) throw failed("gone", "it is gone", error);
        if (status !== 429 && status !== 503) throw error;
        retryAfterMs = (headers && parseRetryAfter(headers)) ?? 0;
      }
      await sleep(retryAfterMs + Math.min(maxIntervalMs, next) * (0.75 + Math.random() / 2), signal).catch(() => {
        throw ended();
      });
    }
  } finally {
    clearTimeout(timer);
  }
}
