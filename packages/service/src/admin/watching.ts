import type { ObserveRequest } from "@plumbline/server-runtime";
import type { Logger } from "pino";
import type { Options } from "../options.js";
import type { ObserveStatement } from "../store/statements.js";
import type { Metrics } from "./metrics.js";
import { logRequests, logStatements } from "./request-log.js";

/** What the program that starts the service observes it with, beside its options. */
export interface ServiceObservers {
  readonly observe?: ObserveRequest;
  readonly observeStatement?: ObserveStatement;
}

/** What observes the service. Without options and observers it is nothing, and costs nothing. */
export interface Watching {
  readonly metrics: Metrics | undefined;
  readonly observe: readonly ObserveRequest[];
  readonly observeStatement: ObserveStatement | undefined;
}

export async function watch(
  { adminPort, logRequests: logsAll, slowMs }: Pick<Options, "adminPort" | "logRequests" | "slowMs">,
  log: Logger,
  given: ServiceObservers,
): Promise<Watching> {
  const metrics = adminPort === undefined ? undefined : (await import("./metrics.js")).createMetrics();
  const isLogging = logsAll || slowMs !== undefined;
  const listeners = [
    ...(metrics === undefined ? [] : [metrics.observeStatement]),
    ...(slowMs === undefined ? [] : [logStatements(log, slowMs)]),
    ...(given.observeStatement === undefined ? [] : [given.observeStatement]),
  ];
  return {
    metrics,
    observe: [
      ...(metrics === undefined ? [] : [metrics.observe]),
      ...(isLogging ? [logRequests(log, { logsAll, slowMs })] : []),
      ...(given.observe === undefined ? [] : [given.observe]),
    ],
    observeStatement:
      listeners.length === 0
        ? undefined
        : (statement) => {
            for (const listener of listeners) listener(statement);
          },
  };
}
