import type { ObserveRequest } from "@plumbline/server-runtime";
import type { Logger } from "pino";
import type { ObserveStatement } from "../store/statements.js";

/** Writes a line for each request. `slowMs`: a warning for each that takes as long. */
export function logRequests(
  log: Logger,
  { logsAll, slowMs = Infinity }: { readonly logsAll: boolean; readonly slowMs: number | undefined },
): ObserveRequest {
  return ({ operation, requestId, header }) => {
    const traceId = traceIdOf(header("traceparent"));
    return {
      end: ({ status, durationMs, user }) => {
        const line = { requestId, operation, status, ms: roundMs(durationMs), user, traceId };
        if (durationMs >= slowMs) log.warn(line, "slow request");
        else if (logsAll) log.info(line, "request");
      },
    };
  };
}

/** Writes a warning for each statement that takes as long, with its text, which has no values. */
export function logStatements(log: Logger, slowMs: number): ObserveStatement {
  return ({ text, durationMs }) => {
    if (durationMs >= slowMs) log.warn({ statement: text, ms: roundMs(durationMs) }, "slow statement");
  };
}

/** The id of a trace, by the W3C. Any other text would be a value that the client chose. */
function traceIdOf(header: string | undefined): string | undefined {
  return /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(header ?? "")?.[1];
}

function roundMs(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
