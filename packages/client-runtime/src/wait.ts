import type { CallOptions, Client } from "./client.js";
import { isApiError } from "./errors.js";
import { own } from "./parameters.js";
import { retryAfter } from "./retry-after.js";
import { anyOf } from "./signals.js";
import { sleep } from "./sleep.js";
import { WaitError, type WaitErrorCode } from "./wait-error.js";

/** A state machine as its clients see it. */
export interface Machine<Resource, State extends string> {
  /** What is waited for, in words. */
  readonly what: string;
  readonly state: (resource: Resource) => unknown;
  /** The states that some of them never become, whatever happens. */
  readonly never: Readonly<Partial<Record<State, readonly State[]>>>;
}

/** Options of a wait, and of each of its calls. */
export interface WaitOptions extends CallOptions {
  /** When to give up. Without one: never. */
  readonly deadline?: Date | undefined;
  /** Milliseconds between the first two looks: 500. Each pause is half as long again as the one before, ± a quarter by chance. */
  readonly pause?: number | undefined;
  /** Milliseconds of a pause at most: 10,000. */
  readonly longestPause?: number | undefined;
}

/**
 * Asks for something until it is in a state, and gives it back. Throws a `WaitError` as soon as it can no longer get there, is
 * gone or shows no state, the deadline has passed or the signal is aborted, and what a call throws; 429 and 503 only make it wait longer.
 *
 * @example
 * await waitFor(machine, (options) => getInstance(client, { path }, options), { client, target: "running" });
 */
export async function waitFor<Resource, State extends string>(
  { what, state: stateOf, never }: Machine<Resource, State>,
  read: (options: CallOptions) => Promise<Resource>,
  {
    client,
    target,
    options = {},
  }: { readonly client: Client; readonly target: State; readonly options?: WaitOptions | undefined },
): Promise<Resource> {
  const { deadline, pause = 500, longestPause = 10_000, ...rest } = options;
  const given = rest.signal ?? client.options().signal;
  const left = deadline && Math.max(0, deadline.getTime() - Date.now());
  // Not `AbortSignal.timeout`: Node collects one that only `AbortSignal.any` knows, and it never comes.
  const late = new AbortController();
  // A timer that is too far off would end at once; it is of no use either.
  const timer = left === undefined || left >= 2 ** 31 ? undefined : setTimeout(() => late.abort(), left);
  const signal = anyOf(given, timer ? late.signal : undefined);
  let state: string | undefined;

  const failed = (code: WaitErrorCode, reason: string, cause?: unknown): WaitError =>
    new WaitError({ code, what, target, state, reason, cause });
  const ended = (): WaitError =>
    given?.aborted ? failed("aborted", "it was aborted", given.reason) : failed("deadline", "it took too long");

  try {
    for (let next = pause; ; next *= 1.5) {
      if (signal?.aborted || left === 0) throw ended();
      let asked = 0;
      try {
        const resource = await read({ ...rest, signal });
        // A reply may be anything, null included.
        const shown = stateOf(Object(resource) as Resource);
        const now = String(shown);
        if (shown === undefined) throw failed("stateless", "no state is shown");
        state = now;
        if (state === target) return resource;
        if (own<readonly string[]>(never, state)?.includes(target)) throw failed("unreachable", "no way leads there");
      } catch (error) {
        if (signal?.aborted) throw ended();
        if (!isApiError(error)) throw error;
        const { headers, status } = error;
        if (status === 404 || status === 410) throw failed("gone", "it is gone", error);
        if (status !== 429 && status !== 503) throw error;
        asked = (headers && retryAfter(headers)) ?? 0;
      }
      await sleep(asked + Math.min(longestPause, next) * (0.75 + Math.random() / 2), signal).catch(() => {
        throw ended();
      });
    }
  } finally {
    clearTimeout(timer);
  }
}
