import type { LogEntry } from "@plumbline/server-runtime";
import type { Logger } from "pino";

/** Passes what a generated server reports on to the log of the service. */
export function logEntriesTo(log: Logger): (entry: LogEntry) => void {
  return ({ level, message, requestId, operation, error }) => log[level]({ err: error, requestId, operation }, message);
}
