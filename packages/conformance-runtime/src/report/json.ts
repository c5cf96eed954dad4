import type {
  AssertionFailure,
  CaseStatus,
  Exchange,
  QuickSummary,
  ResponseCounts,
  RunReport,
  StopReason,
} from "../results.js";
import type { Capability, CaseKind, Suite } from "../suite.js";
import type { CauseKind } from "./cause-candidates.js";
import { findCauses } from "./causes.js";
import { tagOfCase, countByStatus, type StatusCounts } from "./counts.js";
import { formatCurlCommands } from "./curl.js";
import { formatReproduceCommand, type RunInfo } from "./reproduce.js";
import { evaluateRequirements, type RequirementStatus } from "./requirements.js";
import { unverifiedOperations, type UnverifiedOperation } from "./unverified-operations.js";

/** A run as data, for programs. Keys may be added; existing keys keep their meaning while `format` is 1. */
export interface JsonReport {
  readonly format: 1;
  readonly suite: { readonly title: string; readonly version: string };
  readonly runId: string;
  readonly seed: number;
  readonly url: string;
  /** ISO 8601. */
  readonly started: string;
  /** Seconds. */
  readonly durationSeconds: number;
  readonly requests: number;
  readonly passed: boolean;
  /** Cases by status. */
  readonly counts: StatusCounts;
  /** Why the run stopped before its last case. */
  readonly stopped?: StopReason | undefined;
  /** What a quick run chose. */
  readonly quick?: QuickSummary | undefined;
  /** What to fix, the most fundamental cause first. */
  readonly causes: readonly JsonCause[];
  /** Responses by operation and status. Status 0: no response. */
  readonly responses?: ResponseCounts | undefined;
  /** Operations of which no request got a documented success. */
  readonly unverified?: readonly UnverifiedOperation[] | undefined;
  /** Errors of the run outside of its cases. */
  readonly errors: readonly string[];
  readonly requirements: readonly JsonRequirement[];
  readonly cases: readonly JsonCase[];
}

export interface JsonCause {
  readonly kind: CauseKind;
  readonly title: string;
  /** What to do, in a sentence. */
  readonly advice: string;
  /** Ids of the cases that failed or could not run because of it. Each case has one cause. */
  readonly cases: readonly string[];
  /** How many of them could not run. */
  readonly blocked: number;
  readonly operations: readonly string[];
  /** Ids of the requirements that it breaks. */
  readonly requirements: readonly string[];
}

export interface JsonRequirement {
  readonly id: string;
  readonly status: RequirementStatus;
  /** The reason, unless it holds or failed. */
  readonly reason?: string | undefined;
  readonly text: string;
  readonly document: string;
  readonly line: number;
  readonly locations: readonly string[];
  /** Ids of its cases in this run. */
  readonly cases: readonly string[];
}

export interface JsonCase {
  readonly id: string;
  readonly tag: string;
  readonly kind: CaseKind;
  readonly operation: string;
  readonly title: string;
  readonly status: CaseStatus;
  readonly requirements: readonly string[];
  readonly requests: number;
  /** Milliseconds. */
  readonly durationMs: number;
  /** True for a case that the run did not start. */
  readonly notStarted?: true | undefined;
  /** Capabilities that a skipped case misses. */
  readonly missing?: readonly Capability[] | undefined;
  /** Only for a case that did not pass, like the keys below. */
  readonly failures?: readonly AssertionFailure[] | undefined;
  readonly exchanges?: readonly Exchange[] | undefined;
  readonly curl?: readonly string[] | undefined;
  /** The command that repeats the case. */
  readonly reproduce?: string | undefined;
}

/** The report as one JSON text. */
export function formatJsonReport(report: RunReport, suite: Suite, facts: RunInfo): string {
  return `${JSON.stringify(toJsonReport(report, suite, facts), null, 2)}\n`;
}

export function toJsonReport(report: RunReport, suite: Suite, facts: RunInfo): JsonReport {
  const { runId, seed, url, started, durationSeconds, requests, passed, errors } = report;
  const unverified = unverifiedOperations(report, suite);
  return {
    format: 1,
    suite: { title: suite.title, version: suite.version },
    runId,
    seed,
    url,
    started,
    durationSeconds,
    requests,
    passed,
    counts: countByStatus(report.results),
    stopped: report.stopped,
    quick: report.quick,
    causes: findCauses(report, suite).map(({ results, ...cause }) => ({
      ...cause,
      cases: results.map((each) => each.case.id),
    })),
    responses: report.responses,
    ...(unverified.length === 0 ? {} : { unverified }),
    errors,
    requirements: evaluateRequirements(report, suite).map(
      ({ id, status, reason, info: { text, document, line, locations }, results }) => ({
        id,
        status,
        reason,
        text,
        document,
        line,
        locations,
        cases: results.map((each) => each.case.id),
      }),
    ),
    cases: report.results.map((result) => {
      const { id, kind, operation, title, requirements } = result.case;
      const tag = tagOfCase(result.case, suite);
      const { status, missing, failures, exchanges } = result;
      const common = {
        id,
        tag,
        kind,
        operation,
        title,
        status,
        requirements,
        requests: result.requests,
        durationMs: result.durationMs,
      };
      if (status === "pass") return common;
      return {
        ...common,
        ...(result.notStarted === true ? { notStarted: true as const } : {}),
        ...(missing.length === 0 ? {} : { missing }),
        ...(failures.length === 0 ? {} : { failures }),
        ...(exchanges.length === 0 ? {} : { exchanges, curl: formatCurlCommands(result) }),
        reproduce: formatReproduceCommand(id, { suite, report, info: facts }),
      };
    }),
  };
}
