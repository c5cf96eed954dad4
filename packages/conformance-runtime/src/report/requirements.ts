import type { CaseResult, RunReport, CaseStatus } from "../results.js";
import type { RequirementInfo, Suite } from "../suite.js";

/**
 * `holds`: a case that tests it passed, and no difference is attributed to it. `failed`: a difference is attributed to it. `skipped`,
 * `error`: none of its cases was completed. `not-selected`: none of its cases was selected. `untested`: it has no case.
 */
export type RequirementStatus = "holds" | "failed" | "error" | "skipped" | "not-selected" | "untested";

/** The result of one requirement. */
export interface RequirementResult {
  readonly id: string;
  readonly info: RequirementInfo;
  readonly status: RequirementStatus;
  /** The reason, unless it is `holds` or `failed`. */
  readonly reason?: string;
  /** Its cases in this run. */
  readonly results: readonly CaseResult[];
}

/** Evaluates every requirement of the suite, in the suite's order. */
export function evaluateRequirements(report: RunReport, suite: Suite): readonly RequirementResult[] {
  const byRequirement = new Map<string, CaseResult[]>();
  const blamed = new Set<string>();
  for (const result of report.results) {
    const broken = requirementsOfFailures(result);
    for (const id of broken) blamed.add(id);
    for (const id of new Set([...result.case.requirements, ...broken])) {
      const results = byRequirement.get(id);
      if (results === undefined) byRequirement.set(id, [result]);
      else results.push(result);
    }
  }
  const tested = new Set(suite.cases.flatMap((each) => each.requirements));
  return Object.entries(suite.requirements).map(([id, info]) => {
    const results = byRequirement.get(id) ?? [];
    if (blamed.has(id)) return { id, info, status: "failed", results };
    if (results.some(({ status, case: { requirements } }) => passingStatuses.has(status) && requirements.includes(id)))
      return { id, info, status: "holds", results };
    return { id, info, ...reasonNotEvaluated(info, results, tested.has(id)), results };
  });
}

/** The requirements that a failed case breaks: those of its differences, or its own where a difference names none. */
export function requirementsOfFailures({ status, failures, case: { requirements } }: CaseResult): readonly string[] {
  if (!failingStatuses.has(status)) return [];
  return [...new Set(failures.flatMap((each) => (each.requirements.length > 0 ? each.requirements : requirements)))];
}

const passingStatuses: ReadonlySet<CaseStatus> = new Set(["pass", "unexpected-pass"]);
const failingStatuses: ReadonlySet<CaseStatus> = new Set(["fail", "known-fail"]);

function reasonNotEvaluated(
  info: RequirementInfo,
  results: readonly CaseResult[],
  isTested: boolean,
): { readonly status: RequirementStatus; readonly reason: string } {
  if (results.length === 0) {
    return isTested
      ? { status: "not-selected", reason: "none of its cases was selected" }
      : { status: "untested", reason: info.untested ?? "no case tests it" };
  }
  const failed = results.find(({ status }) => failingStatuses.has(status));
  if (failed !== undefined) return { status: "error", reason: `${failed.case.id} failed before this check` };
  const stuck = results.find(({ status }) => status === "error");
  if (stuck !== undefined) return { status: "error", reason: reasonForError(stuck) };
  const missing = [...new Set(results.flatMap((each) => each.missing))];
  return {
    status: "skipped",
    reason: missing.length === 0 ? "its cases were skipped" : `missing: ${missing.join(", ")}`,
  };
}

/** The location of its statement in the documents. */
export function formatDocumentLocation({ document, line }: RequirementInfo): string {
  return `${/^\d+$/.test(document) ? `document ${document}` : document}, line ${line}`;
}

/** Why a case could not run. */
export function reasonForError({ failures }: CaseResult): string {
  return failures[0]?.message ?? "its setup failed";
}
