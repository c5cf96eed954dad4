import type { LogEntry } from "@plumbline/server-runtime";
import type { Logger } from "pino";

/** Passes log entries of a generated server to the log of the service. */
export function logEntriesTo(log: Logger): (entry: LogEntry) => void {
  return ({ level, message, requestId, operation, error }) => log[level]({ err: error, requestId, operation }, message);
}
