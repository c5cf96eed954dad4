import type { Identity } from "./stage.js";
import type { CallStep, OperationFacts } from "./suite.js";
import type { Timer } from "./timer.js";

/** Keeps the requests of each caller below the rate limits of operations, when the clock cannot be advanced. */
export interface Pace {
  /**
   * Waits until the next request is within the rate limit. A request that tests the rate limit does not wait, but counts.
   *
   * @returns A function to call when the response has arrived: the server may have counted the request as late as that.
   */
  turn(request: PacedRequest): Promise<() => void>;
}

export interface PacedRequest {
  readonly operation: string;
  readonly facts: OperationFacts;
  readonly by: Identity;
  readonly waits: boolean;
}

export interface PaceOptions {
  /** False when the clock can be advanced. */
  readonly isKept: boolean;
  readonly note: (text: string) => void;
  readonly signal: AbortSignal;
  readonly timer: Timer;
}

export function openPace({ isKept, note, signal, timer }: PaceOptions): Pace {
  const sent = new Map<string, Counted[]>();
  const said = new Set<string>();
  return {
    async turn({ operation, facts, by, waits }) {
      const { rates = [] } = facts;
      if (!isKept || rates.length === 0) return () => undefined;
      const key = `${operation} ${windowOf(by)}`;
      const times = sent.get(key) ?? [];
      sent.set(key, times);
      const rest = (): number => (waits ? Math.max(...rates.map((rate) => restOf(rate, times, timer.now()))) : 0);
      for (let most = rest(); most > 0 && !signal.aborted; most = rest()) {
        say(operation, rates);
        await timer.wait(most, signal);
      }
      const counted = { at: timer.now() };
      times.push(counted);
      // Earlier requests are outside every window.
      times.splice(0, times.length - Math.max(...rates.map(({ max }) => max)));
      return () => {
        counted.at = timer.now();
      };
    },
  };

  function say(operation: string, rates: NonNullable<OperationFacts["rates"]>): void {
    if (said.has(operation)) return;
    said.add(operation);
    const limits = rates.map((rate) => `${timesOf(rate)} in ${rate.seconds} s`).join(" and ");
    note(`The run waits to call ${operation} at most ${limits}, below its rate limit.`);
  }
}

/** A request, with the last moment at which it was in flight. */
interface Counted {
  at: number;
}

/** True for a request that counts towards the operation's rate limits. One with another method does not. */
export function isCounted({ method }: CallStep, facts: OperationFacts): boolean {
  return method === undefined || method.toUpperCase() === facts.method.toUpperCase();
}

/** One less than the rate limit, since the server receives a request later than it is sent. */
export function mostOf({ max }: { readonly max: number }): number {
  return Math.max(1, max - 1);
}

/** Remaining milliseconds, with 20 ms more because a timer may wake too early. */
function restOf(
  rate: { readonly max: number; readonly seconds: number },
  times: readonly Counted[],
  now: number,
): number {
  const first = times.at(-mostOf(rate));
  return first === undefined ? 0 : first.at + rate.seconds * 1000 + 20 - now;
}

/** Tokens of one user share a window. */
function windowOf({ token, authorization, account, username }: Identity): string {
  return token === undefined && authorization === undefined ? "anonymous" : JSON.stringify([account, username]);
}

function timesOf(rate: { readonly max: number }): string {
  const most = mostOf(rate);
  return most === 1 ? "once" : `${most} times`;
}
