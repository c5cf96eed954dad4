import type { CaseResult, RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import { capabilityHint } from "./capability-hints.js";
import { findCauses, formatCauseCount, type Cause } from "./causes.js";
import { countByStatus, orderedStatuses } from "./counts.js";
import { formatDuration, formatQuickSummary, groupByKey, pluralize, escapeToOneLine } from "./format-text.js";
import type { RunInfo } from "./reproduce.js";
import { evaluateRequirements, reasonForError, type RequirementStatus } from "./requirements.js";
import { createPaint, formatFailure, type TextContext } from "./text-failure.js";
import { formatUnverifiedOperations, unverifiedOperations } from "./unverified-operations.js";

export interface TextReportOptions extends RunInfo {
  readonly color: boolean;
}

/** Formats a run for a terminal: failures by cause, cases that did not run, counts, and last what to fix first. */
export function formatTextReport(report: RunReport, suite: Suite, options: TextReportOptions): string {
  const context: TextContext = { report, suite, options, paint: createPaint(options.color) };
  const causes = findCauses(report, suite);
  const sections = [
    ...causes.slice(0, maxDetailedCauses).map((each, index) => causeOf(each, index, context)),
    unexpected(report.results, context),
    notStartedLines(report.results, context),
    skipped(report.results, context),
    formatUnverifiedOperations(unverifiedOperations(report, suite)).join("\n"),
    runErrorLines(report, context),
    table(report.results),
    requirementCounts(context),
    report.quick === undefined ? "" : formatQuickSummary(report.quick),
    whatToFix(causes, context),
    closing(context),
  ];
  return `${sections.filter((each) => each !== "").join("\n\n")}\n`;
}

// The other reports have all details.
const maxDetailedCauses = 30;
const maxFailuresPerCause = 2;
const maxIdsPerCause = 10;
const maxListedCauses = 40;

/** A cause, its first cases in full, and the ids of the others. */
function causeOf(cause: Cause, index: number, context: TextContext): string {
  const { title, advice, results } = cause;
  const ids = results.slice(maxFailuresPerCause).map(({ case: { id } }) => id);
  const more = ids.length - maxIdsPerCause;
  return [
    [context.paint("bold", `${index + 1}. ${escapeToOneLine(title)}: ${formatCauseCount(cause)}`), `   ${advice}`].join(
      "\n",
    ),
    ...results.slice(0, maxFailuresPerCause).map((each) => formatFailure(each, context)),
    ...(ids.length === 0
      ? []
      : [
          [
            "With the same cause:",
            ...ids.slice(0, maxIdsPerCause).map((id) => `  ${id}`),
            ...(more > 0 ? [`  and ${pluralize(more, "more case")}: --report html=FILE and json=FILE have them`] : []),
          ].join("\n"),
        ]),
  ].join("\n\n");
}

/** A line for each cause, the most fundamental first. */
function whatToFix(causes: readonly Cause[], { paint }: TextContext): string {
  if (causes.length === 0) return "";
  const more = causes.length - maxListedCauses;
  return [
    paint("bold", "What to fix, the most fundamental first:"),
    ...causes
      .slice(0, maxListedCauses)
      .map(
        (each, index) => `${String(index + 1).padStart(4)}. ${escapeToOneLine(each.title)}: ${formatCauseCount(each)}`,
      ),
    ...(more > 0 ? [`      and ${pluralize(more, "more cause")}`] : []),
  ].join("\n");
}

function unexpected(results: readonly CaseResult[], { paint }: TextContext): string {
  const passed = results.filter(({ status }) => status === "unexpected-pass");
  if (passed.length === 0) return "";
  return [
    `${paint("red", "On the list of known failures, but passing.")} Remove them from the list:`,
    ...passed.map((each) => `  ${each.case.id}`),
  ].join("\n");
}

function notStartedLines(results: readonly CaseResult[], { paint }: TextContext): string {
  const notRun = results.filter(({ notStarted }) => notStarted === true);
  if (notRun.length === 0) return "";
  const reasons = [...groupByKey(notRun, reasonForError)].map(
    ([reason, those]) => `  ${pluralize(those.length, "case")}: ${escapeToOneLine(reason)}`,
  );
  return [paint("yellow", `${pluralize(notRun.length, "case")} did not start:`), ...reasons].join("\n");
}

function skipped(results: readonly CaseResult[], { paint, suite }: TextContext): string {
  const missing = results.filter(({ status }) => status === "skipped");
  if (missing.length === 0) return "";
  const lines = [...groupByKey(missing, (each) => each.missing.join(", "))].map(
    ([what, those]) => `  ${pluralize(those.length, "case")}: missing ${what === "" ? "something" : what}`,
  );
  const hints = [...new Set(missing.flatMap((each) => each.missing))].map(
    (each) => `  ${each}: ${capabilityHint(each, suite, "command")}`,
  );
  return [
    paint("yellow", `${pluralize(missing.length, "case")} skipped:`),
    ...lines,
    "How to provide them:",
    ...hints,
  ].join("\n");
}

function runErrorLines({ errors: all }: RunReport, { paint }: TextContext): string {
  if (all.length === 0) return "";
  return [paint("red", "Errors outside of cases:"), ...all.map((each) => `  ${escapeToOneLine(each)}`)].join("\n");
}

/** A row for each kind, a column for each status. Statuses without cases are left out. */
function table(results: readonly CaseResult[]): string {
  if (results.length === 0) return "";
  const all = countByStatus(results);
  const statuses = orderedStatuses.filter((each) => all[each] > 0);
  const kinds = [...groupByKey(results, (each) => each.case.kind)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = [
    ["", ...statuses],
    ...kinds.map(([kind, those]) => [kind, ...statuses.map((each) => String(countByStatus(those)[each] || ""))]),
    ["all", ...statuses.map((each) => String(all[each]))],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function requirementCounts({ report, suite }: TextContext): string {
  const evaluated = evaluateRequirements(report, suite);
  if (evaluated.length === 0) return "";
  const words = {
    holds: "hold",
    failed: "failed",
    error: "could not be checked",
    skipped: "skipped",
    "not-selected": "not selected",
    untested: "without a case",
  } satisfies Record<RequirementStatus, string>;
  const parts = Object.entries(words).flatMap(([status, word]) => {
    const count = evaluated.filter((each) => each.status === status).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return `${pluralize(evaluated.length, "requirement")}: ${parts.join(", ")}`;
}

function closing({ report, paint }: TextContext): string {
  const { results, durationSeconds, requests, seed, runId, url } = report;
  const rate =
    durationSeconds > 0 ? `, ${Math.round(requests / durationSeconds).toLocaleString("en-US")} a second` : "";
  const executed = results.filter(({ notStarted }) => notStarted !== true).length;
  const ran = `${pluralize(executed, "case")} and ${pluralize(requests, "request")} in ${formatDuration(durationSeconds * 1000)}${rate}. Seed ${seed}, run ${runId}, ${url}`;
  if (report.stopped !== undefined)
    return `${ran}\n${paint("red", `Stopped early. ${escapeToOneLine(report.stopped.text)}`)}`;
  if (report.passed) return `${ran}\n${paint("green", "All cases passed.")}`;
  const counts = countByStatus(results);
  const reported = counts.fail + counts["unexpected-pass"] + counts.error + report.errors.length;
  if (results.length === 0) return `${ran}\n${paint("red", "Failed: no check was executed.")}`;
  if (reported === 0 && counts.skipped > 0)
    return `${ran}\n${paint("red", "All executed cases passed; skipped cases were not checked.")}`;
  return `${ran}\n${paint("red", counts.fail > 0 ? `${pluralize(counts.fail, "case")} failed.` : "Failed, for the reasons above.")}`;
}
