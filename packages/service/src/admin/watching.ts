import type { ObserveRequest } from "@plumbline/server-runtime";
import type { Logger } from "pino";
import type { Options } from "../options.js";
import type { OnStatement } from "../store/statements.js";
import type { Metrics } from "./metrics.js";
import { logRequests, logStatements } from "./request-log.js";

/** What observes the service, by its options. Without them it is nothing, and costs nothing. */
export interface Watching {
  readonly metrics: Metrics | undefined;
  readonly observe: readonly ObserveRequest[];
  readonly onStatement: OnStatement | undefined;
}

export async function watch(
  { adminPort, logRequests: logsAll, slowMs }: Pick<Options, "adminPort" | "logRequests" | "slowMs">,
  log: Logger,
): Promise<Watching> {
  const metrics = adminPort === undefined ? undefined : (await import("./metrics.js")).createMetrics();
  const isLogging = logsAll || slowMs !== undefined;
  const listeners = [
    ...(metrics === undefined ? [] : [metrics.onStatement]),
    ...(slowMs === undefined ? [] : [logStatements(log, slowMs)]),
  ];
  return {
    metrics,
    observe: [
      ...(metrics === undefined ? [] : [metrics.observe]),
      ...(isLogging ? [logRequests(log, { logsAll, slowMs })] : []),
    ],
    onStatement:
      listeners.length === 0
        ? undefined
        : (text, durationMs) => {
            for (const listener of listeners) listener(text, durationMs);
          },
  };
}
