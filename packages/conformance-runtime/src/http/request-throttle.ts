import type { CallStep, OperationInfo, RateInfo } from "../suite.js";
import type { Identity } from "./identity.js";
import type { Timer } from "./timer.js";

/** Keeps the requests of each caller below the rate limits of operations, when the clock cannot be advanced. */
export interface RequestThrottle {
  /**
   * Waits until the next request is within the rate limit. A request that tests the rate limit does not wait, but counts.
   *
   * @returns A function to call when the response has arrived: the server may have counted the request as late as that.
   */
  acquire(request: ThrottledRequest): Promise<() => void>;
}

export interface ThrottledRequest {
  readonly operation: string;
  readonly info: OperationInfo;
  readonly by: Identity;
  readonly isDelayed: boolean;
}

export interface RequestThrottleOptions {
  /** False when the clock can be advanced. */
  readonly isEnabled: boolean;
  readonly note: (text: string) => void;
  readonly signal: AbortSignal;
  readonly timer: Timer;
}

export function createRequestThrottle({ isEnabled, note, signal, timer }: RequestThrottleOptions): RequestThrottle {
  const sent = new Map<string, SentRequest[]>();
  const noted = new Set<string>();
  return {
    async acquire({ operation, info, by, isDelayed }) {
      const { rates = [] } = info;
      if (!isEnabled || rates.length === 0) return () => undefined;
      const counts = rates.map((rate) => ({
        rate,
        times: timesOf(`${identifyLimit(rate, operation)} ${windowOf(by)}`),
      }));
      const rest = (): number =>
        isDelayed ? Math.max(...counts.map(({ rate, times }) => remainingMs(rate, times, timer.now()))) : 0;
      for (let most = rest(); most > 0 && !signal.aborted; most = rest()) {
        say(operation, rates);
        await timer.wait(most, signal);
      }
      const counted = { at: timer.now() };
      for (const [times, most] of longestWindows(counts)) {
        times.push(counted);
        // Earlier requests are outside every window.
        times.splice(0, times.length - most);
      }
      return () => {
        counted.at = timer.now();
      };
    },
  };

  function timesOf(key: string): SentRequest[] {
    const times = sent.get(key) ?? [];
    sent.set(key, times);
    return times;
  }

  function say(operation: string, rates: readonly RateInfo[]): void {
    const shared = rates.flatMap(({ id }) => id ?? []);
    const key = shared.length === rates.length ? shared.join(" ") : operation;
    if (noted.has(key)) return;
    noted.add(key);
    const limits = rates.map((rate) => `${formatRate(rate)} in ${rate.seconds} s`).join(" and ");
    const others = shared.length === 0 ? "" : ` and the operations that share ${shared.join(" and ")}`;
    note(`The run waits to call ${operation}${others} at most ${limits}, below its rate limit.`);
  }
}

/** How many requests to remember of each list. */
function longestWindows(
  counts: readonly { readonly rate: RateInfo; readonly times: SentRequest[] }[],
): ReadonlyMap<SentRequest[], number> {
  const longest = new Map<SentRequest[], number>();
  for (const { rate, times } of counts) longest.set(times, Math.max(longest.get(times) ?? 0, rate.max));
  return longest;
}

/** Identifies the limit that a rate belongs to. */
export function identifyLimit({ id }: RateInfo, operation: string): string {
  return id ?? operation;
}

/** A request, with the last moment at which it was in flight. */
interface SentRequest {
  at: number;
}

/** True for a request that counts towards the operation's rate limits. One with another method does not. */
export function countsTowardsRate({ method }: CallStep, facts: OperationInfo): boolean {
  return method === undefined || method.toUpperCase() === facts.method.toUpperCase();
}

/** One less than the rate limit, since the server receives a request later than it is sent. */
export function maxRequestsInWindow({ max }: Pick<RateInfo, "max">): number {
  return Math.max(1, max - 1);
}

/** Remaining milliseconds, with 20 ms more because a timer may wake too early. */
function remainingMs(rate: RateInfo, times: readonly SentRequest[], now: number): number {
  const first = times.at(-maxRequestsInWindow(rate));
  return first === undefined ? 0 : first.at + rate.seconds * 1000 + 20 - now;
}

/** Tokens of one user share a window. */
function windowOf({ token, authorization, account, username }: Identity): string {
  return token === undefined && authorization === undefined ? "anonymous" : JSON.stringify([account, username]);
}

function formatRate(rate: RateInfo): string {
  const most = maxRequestsInWindow(rate);
  return most === 1 ? "once" : `${most} times`;
}
