// A server of jobs.yaml whose handlers return items, as its user would write it.
import { setTimeout as sleep } from "node:timers/promises";
import { createServer, type Handlers } from "./server/src/index.js";
import type { Server } from "@plumbline/server-runtime";

/** What the handlers do, for tests. */
export interface JobsState {
  /** Streams that have begun and not ended. */
  open: number;
  /** Lines of the log that were created. */
  lines: number;
}

/** @param fault a percentage that is above 100 */
export function createJobs(state: JobsState, fault?: number): Server {
  async function* progress(from: number, signal: AbortSignal) {
    state.open++;
    try {
      for (let id = from; id <= 100; id++) {
        yield { id: String(id), data: { percent: fault ?? id, finishAt: "1970-01-01T00:00:00Z" } };
        await sleep(20, undefined, { signal });
      }
    } finally {
      state.open--;
    }
  }

  async function* log(lines: number) {
    state.open++;
    try {
      for (let line = 1; line <= lines; line++) {
        state.lines++;
        yield { line, text: "x".repeat(1000), secret: "not documented" };
      }
    } finally {
      state.open--;
    }
  }

  const handlers: Handlers = {
    watchJob: ({ headers }, { signal }) => {
      const last = Number(headers["Last-Event-ID"] ?? 0);
      return last === 100 ? { status: 204 } : { status: 200, body: progress(last + 1, signal) };
    },
    readLog: ({ query }) => ({ status: 200, body: log(query.lines ?? 10) }),
  };
  return createServer(handlers, { log: () => undefined });
}
