import type { Progress } from "../results.js";
import { duration, many, oneLine } from "../report/words.js";
import type { Output } from "./io.js";

/** Reports the progress of a run: one changing line on a terminal, a line every five seconds elsewhere. */
export interface Teller {
  tell(progress: Progress): void;
  /** Removes the changing line. */
  end(): void;
}

export interface TellerOptions {
  readonly output: Output;
  /** A monotonic time in milliseconds. */
  readonly now: () => number;
}

export function progressTeller({ output, now }: TellerOptions): Teller {
  const isLive = output.isTTY === true;
  const began = now();
  const every = isLive ? 100 : 5000; // milliseconds
  let state: State = { cases: 0, done: 0, failed: 0, stuck: 0, requests: 0 };
  let shownAt = began;
  let isShown = false;
  const said = new Set<string>();

  const clear = (): void => {
    if (isShown) output.write("\r\u001b[K");
    isShown = false;
  };
  const show = (): void => {
    shownAt = now();
    const line = lineOf(state, now() - began);
    if (!isLive) output.write(`${line}\n`);
    else output.write(`\r\u001b[K${line.slice(0, Math.max(20, (output.columns || 80) - 1))}`);
    isShown = isLive;
  };
  // Shows activity while a case waits.
  const timer = setInterval(
    () => {
      if (state.cases > 0 && now() - shownAt >= every) show();
    },
    isLive ? 1000 : every,
  );
  timer.unref();

  return {
    tell(progress) {
      if (progress.kind === "note") {
        if (said.has(progress.text)) return;
        said.add(progress.text);
        clear();
        output.write(`${oneLine(progress.text)}\n`);
        return;
      }
      state = after(progress, state);
      if (progress.kind === "start") {
        clear();
        output.write(`${startOf(progress)}\n`);
      }
      if (now() - shownAt >= every) show();
    },
    end() {
      clearInterval(timer);
      clear();
    },
  };
}

interface State {
  readonly cases: number;
  readonly done: number;
  readonly failed: number;
  readonly stuck: number;
  readonly requests: number;
  /** Milliseconds, from the start event. */
  readonly estimate?: number;
}

function after(progress: Exclude<Progress, { kind: "note" }>, state: State): State {
  if (progress.kind === "start") {
    const { cases, estimate } = progress;
    return { ...state, cases, ...(estimate === undefined ? {} : { estimate: estimate * 1000 }) };
  }
  const { status, requests } = progress.result;
  return {
    ...state,
    done: progress.done,
    failed: state.failed + (status === "fail" || status === "unexpected-pass" ? 1 : 0),
    stuck: state.stuck + (status === "could-not-run" ? 1 : 0),
    requests: state.requests + requests,
  };
}

function startOf({ cases, lanes, estimate }: Extract<Progress, { kind: "start" }>): string {
  const about = estimate === undefined ? "" : `, about ${duration(estimate * 1000)} to stay below the rates`;
  return `${many(cases, "case")} in ${many(lanes, "lane")}${about}`;
}

function lineOf({ cases, done, failed, stuck, requests, estimate }: State, elapsed: number): string {
  const parts = [`${done}/${cases}`, `${failed} failed`];
  if (stuck > 0) parts.push(`${stuck} could not run`);
  if (elapsed > 0) parts.push(`${Math.round((requests / elapsed) * 1000)} requests/s`);
  const rest = restOf({ cases, done, estimate, elapsed });
  if (rest !== undefined) parts.push(`about ${duration(rest)} left`);
  return parts.join(", ");
}

/** Extrapolates from the completed cases. With fewer than ten it uses the estimate. */
function restOf(given: {
  readonly cases: number;
  readonly done: number;
  readonly estimate: number | undefined;
  readonly elapsed: number;
}): number | undefined {
  const { cases, done, estimate, elapsed } = given;
  if (done >= 10) return (elapsed / done) * (cases - done);
  return estimate === undefined ? undefined : Math.max(0, estimate - elapsed);
}
