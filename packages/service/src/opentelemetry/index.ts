import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { openTelemetry as observeRequests } from "@plumbline/server-runtime/opentelemetry";
import type { ServiceObservers } from "../admin/watching.js";
import { statementName, type ObserveStatement } from "../store/statements.js";

/**
 * Creates observers for `startService`: a span and a duration for each request, and within it a span for each statement of the store, by the stable
 * semantic conventions of OpenTelemetry. The SDK that the program registers decides what is recorded.
 *
 * @example
 * const service = await startService(optionsOf([], process.env), openTelemetry());
 */
export function openTelemetry(): ServiceObservers {
  return { observe: observeRequests(), observeStatement: spanStatements() };
}

/** Statements outside a recorded request have no span: the searches for jobs would be most of all. */
function spanStatements(): ObserveStatement {
  const tracer = trace.getTracer("@cloud-compute/service");
  return ({ text, durationMs, system, error }) => {
    if (trace.getActiveSpan()?.isRecording() !== true) return;
    const { operation, table } = statementName(text);
    const end = Date.now();
    const span = tracer.startSpan(table === undefined ? operation : `${operation} ${table}`, {
      kind: SpanKind.CLIENT,
      startTime: end - durationMs,
      attributes: {
        "db.system.name": system,
        "db.query.text": text,
        "db.operation.name": operation,
        ...(table === undefined ? {} : { "db.collection.name": table }),
        ...(error === undefined ? {} : { "error.type": error }),
        ...(error !== undefined && isOfDatabase.test(error) ? { "db.response.status_code": error } : {}),
      },
    });
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(end);
  };
}

/** SQLSTATE, or a result code of SQLite, and no error of a socket such as `EPIPE`. */
const isOfDatabase = /^(?!E)[0-9A-Z]{5}$|^SQLITE_/;
