import type { ObserveRequest } from "@plumbline/server-runtime";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { JobsOptions } from "../platform/jobs.js";
import { statementName, type ObserveStatement, type StoreState } from "../store/statements.js";
import type { ConnectionCounts } from "../store/store.js";

/** What the service measures, in the format of Prometheus. */
export interface Metrics {
  readonly observe: ObserveRequest;
  readonly observeStatement: ObserveStatement;
  readonly contentType: string;
  readonly onJob: NonNullable<JobsOptions["onOutcome"]>;
  /** Writes the metrics. Without a state, the store does not answer. */
  text(state: StoreState | undefined, connections: ConnectionCounts | undefined): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const statements = new Histogram({
    name: "cloud_compute_statement_duration_seconds",
    help: "Duration of statements by their first word. Those that wait for the lock of an account are `lock`.",
    labelNames: ["statement"],
    buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const jobs = new Counter({
    name: "cloud_compute_jobs_total",
    help: "Runs of jobs by their kind and their outcome. A failed one is tried again, unless it is given up, too.",
    labelNames: ["kind", "outcome"],
    registers,
  });
  const waiting = new Gauge({ name: "cloud_compute_jobs_waiting", help: "Jobs that are due.", registers });
  const lag = new Gauge({ name: "cloud_compute_job_lag_seconds", help: "Age of the oldest due job.", registers });
  const givenUp = new Gauge({ name: "cloud_compute_jobs_given_up", help: "Jobs that were given up.", registers });
  const pool = new Gauge({
    name: "cloud_compute_database_connections",
    help: "Connections to PostgreSQL that are open and idle, and requests that wait for one.",
    labelNames: ["state"],
    registers,
  });
  return {
    observe: countRequests(registry),
    observeStatement: ({ text, durationMs }) => statements.observe({ statement: kindOf(text) }, durationMs / 1000),
    contentType: registry.contentType,
    onJob: (kind, outcome) => jobs.inc({ kind, outcome }),
    text: (state, connections) => {
      if (state !== undefined) {
        waiting.set(state.dueJobs);
        lag.set(state.jobLagMs / 1000);
        givenUp.set(state.givenUpJobs);
      }
      for (const [name, count] of Object.entries(connections ?? {})) pool.set({ state: name }, count);
      return registry.metrics();
    },
  };
}

/** Counts requests. Labels have names of the description only. */
function countRequests(registry: Registry): ObserveRequest {
  const registers = [registry];
  const requests = new Counter({
    name: "cloud_compute_requests_total",
    help: "Requests by operation and status. The status of a client that disconnected is `none`.",
    labelNames: ["operation", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "cloud_compute_request_duration_seconds",
    help: "Duration of requests by operation.",
    labelNames: ["operation"],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const inFlight = new Gauge({ name: "cloud_compute_requests_in_flight", help: "Requests in flight.", registers });
  const limits = new Counter({
    name: "cloud_compute_limits_reached_total",
    help: "Requests that reached a limit, by its id.",
    labelNames: ["limit"],
    registers,
  });
  const issues = new Counter({
    name: "cloud_compute_validation_issues_total",
    help: "Findings of validation by field and code.",
    labelNames: ["field", "code"],
    registers,
  });
  const fields = new Set<string>();
  /** A recursive field has any number of pointers. */
  const boundedField = (field: string): string => {
    if (fields.size >= maxFields && !fields.has(field)) return "*";
    fields.add(field);
    return field;
  };
  return ({ operation = "none" }) => {
    inFlight.inc();
    return {
      end: ({ status, durationMs, limits: reached, issues: found }) => {
        inFlight.dec();
        requests.inc({ operation, status: status ?? "none" });
        durations.observe({ operation }, durationMs / 1000);
        for (const limit of reached) limits.inc({ limit });
        for (const { in: location, field, code } of found)
          issues.inc({ field: boundedField(`${location}${field}`), code });
      },
    };
  };
}

function kindOf(text: string): string {
  if (text.includes(" for update")) return "lock";
  const { operation } = statementName(text);
  return statementWords.has(operation) ? operation : "other";
}

const statementWords: ReadonlySet<string> = new Set(["select", "insert", "update", "delete"]);

const maxFields = 500;
