import { formatDuration, pluralize, escapeToOneLine } from "../report/format-text.js";
import type { RunProgress } from "../results.js";
import type { OutputStream } from "./io.js";

/** Reports the progress of a run: one changing line on a terminal, a line every five seconds elsewhere. */
export interface ProgressReporter {
  report(progress: RunProgress): void;
  /** Removes the changing line. */
  end(): void;
}

export interface ProgressReporterOptions {
  readonly output: OutputStream;
  /** A monotonic time in milliseconds. */
  readonly now: () => number;
}

export function createProgressReporter({ output, now }: ProgressReporterOptions): ProgressReporter {
  const isLive = output.isTTY === true;
  const began = now();
  const every = isLive ? 100 : 5000; // milliseconds
  let state: ProgressState = { cases: 0, done: 0, failed: 0, errors: 0, requests: 0 };
  let shownAt = began;
  let isShown = false;
  const printed = new Set<string>();

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
    report(progress) {
      if (progress.kind === "note") {
        if (printed.has(progress.text)) return;
        printed.add(progress.text);
        clear();
        output.write(`${escapeToOneLine(progress.text)}\n`);
        return;
      }
      state = nextState(progress, state);
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

interface ProgressState {
  readonly cases: number;
  readonly done: number;
  readonly failed: number;
  readonly errors: number;
  readonly requests: number;
  /** Milliseconds, from the start event. */
  readonly estimate?: number;
}

function nextState(progress: Exclude<RunProgress, { kind: "note" }>, state: ProgressState): ProgressState {
  if (progress.kind === "start") {
    const { cases, estimateSeconds } = progress;
    return { ...state, cases, ...(estimateSeconds === undefined ? {} : { estimate: estimateSeconds * 1000 }) };
  }
  const { status, requests } = progress.result;
  return {
    ...state,
    done: progress.done,
    failed: state.failed + (status === "fail" || status === "unexpected-pass" ? 1 : 0),
    errors: state.errors + (status === "error" ? 1 : 0),
    requests: state.requests + requests,
  };
}

function startOf({ cases, workers, estimateSeconds }: Extract<RunProgress, { kind: "start" }>): string {
  const about =
    estimateSeconds === undefined ? "" : `, about ${formatDuration(estimateSeconds * 1000)} to stay below the rates`;
  return `${pluralize(cases, "case")} in ${pluralize(workers, "worker")}${about}`;
}

function lineOf({ cases, done, failed, errors, requests, estimate }: ProgressState, elapsed: number): string {
  const parts = [`${done}/${cases}`, `${failed} failed`];
  if (errors > 0) parts.push(`${errors} could not run`);
  if (elapsed > 0) parts.push(`${Math.round((requests / elapsed) * 1000)} requests/s`);
  const rest = restOf({ cases, done, estimate, elapsed });
  if (rest !== undefined) parts.push(`about ${formatDuration(rest)} left`);
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
