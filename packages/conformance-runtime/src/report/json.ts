import type { Difference, Exchange, RunReport, Status } from "../results.js";
import type { Capability, Kind, Suite } from "../suite.js";
import { areaOf, countsOf, type Counts } from "./counts.js";
import { curlsOf } from "./curl.js";
import { reproduce, type RunFacts } from "./reproduce.js";
import { judgeRequirements, type RequirementStatus } from "./requirements.js";

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
  readonly took: number;
  readonly requests: number;
  readonly passed: boolean;
  /** Cases by status. */
  readonly counts: Counts;
  /** Errors of the run outside of its cases. */
  readonly problems: readonly string[];
  readonly requirements: readonly JsonRequirement[];
  readonly cases: readonly JsonCase[];
}

export interface JsonRequirement {
  readonly id: string;
  readonly status: RequirementStatus;
  /** The reason, unless it holds or failed. */
  readonly reason?: string;
  readonly says: string;
  readonly document: string;
  readonly line: number;
  readonly places: readonly string[];
  /** Ids of its cases in this run. */
  readonly cases: readonly string[];
}

export interface JsonCase {
  readonly id: string;
  readonly area: string;
  readonly kind: Kind;
  readonly operation: string;
  readonly title: string;
  readonly status: Status;
  readonly requirements: readonly string[];
  readonly requests: number;
  /** Milliseconds. */
  readonly took: number;
  /** Capabilities that a skipped case misses. */
  readonly missing?: readonly Capability[];
  /** Only for a case that did not pass, like the keys below. */
  readonly differences?: readonly Difference[];
  readonly exchanges?: readonly Exchange[];
  readonly curl?: readonly string[];
  /** The command that repeats the case. */
  readonly reproduce?: string;
}

/** The report as one JSON text. */
export function jsonReport(report: RunReport, suite: Suite, facts: RunFacts): string {
  return `${JSON.stringify(reportData(report, suite, facts), null, 2)}\n`;
}

export function reportData(report: RunReport, suite: Suite, facts: RunFacts): JsonReport {
  const { runId, seed, url, started, took, requests, passed, problems } = report;
  return {
    format: 1,
    suite: { title: suite.title, version: suite.version },
    runId,
    seed,
    url,
    started,
    took,
    requests,
    passed,
    counts: countsOf(report.results),
    problems,
    requirements: judgeRequirements(report, suite).map(
      ({ id, status, reason, facts: { says, document, line, places }, results }) => ({
        id,
        status,
        ...(reason === undefined ? {} : { reason }),
        says,
        document,
        line,
        places,
        cases: results.map((each) => each.case.id),
      }),
    ),
    cases: report.results.map((result) => {
      const { id, kind, operation, title, requirements } = result.case;
      const area = areaOf(result.case, suite);
      const { status, missing, differences, exchanges } = result;
      const common = {
        id,
        area,
        kind,
        operation,
        title,
        status,
        requirements,
        requests: result.requests,
        took: result.took,
      };
      if (status === "pass") return common;
      return {
        ...common,
        ...(missing.length === 0 ? {} : { missing }),
        ...(differences.length === 0 ? {} : { differences }),
        ...(exchanges.length === 0 ? {} : { exchanges, curl: curlsOf(result) }),
        reproduce: reproduce(id, { suite, report, facts }),
      };
    }),
  };
}
