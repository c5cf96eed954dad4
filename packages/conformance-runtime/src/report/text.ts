import { styleText } from "node:util";
import type { CaseResult, AssertionFailure, RunReport } from "../results.js";
import type { Capability, Suite } from "../suite.js";
import { countByStatus, orderedStatuses } from "./counts.js";
import { formatCurlCommands } from "./curl.js";
import { formatReproduceCommand, type RunInfo } from "./reproduce.js";
import {
  evaluateRequirements,
  reasonForError,
  formatDocumentLocation,
  type RequirementStatus,
} from "./requirements.js";
import {
  formatDuration,
  groupByKey,
  escapeControlCharacters,
  pluralize,
  escapeToOneLine,
  truncateText,
} from "./format-text.js";

export interface TextReportOptions extends RunInfo {
  readonly color: boolean;
}

/** Formats a run for a terminal: failures and how to reproduce them, cases that could not run, and counts. */
export function formatTextReport(report: RunReport, suite: Suite, options: TextReportOptions): string {
  const context: Context = { report, suite, options, paint: painter(options.color) };
  const failed = report.results.filter(({ status }) => status === "fail");
  const sections = [
    ...failed.slice(0, maxDetailedFailures).map((each) => failureOf(each, context)),
    listed(failed.slice(maxDetailedFailures), context),
    unexpected(report.results, context),
    errorLines(report.results, context),
    skipped(report.results, context),
    runErrorLines(report, context),
    table(report.results),
    requirementCounts(context),
    closing(context),
  ];
  return `${sections.filter((each) => each !== "").join("\n\n")}\n`;
}

interface Context {
  readonly report: RunReport;
  readonly suite: Suite;
  readonly options: TextReportOptions;
  readonly paint: Paint;
}

// More failures than this usually have the same few causes.
const maxDetailedFailures = 100;
const maxFailuresPerCase = 5;
const maxRequirementsPerFailure = 3;
const maxValueCharacters = 600;

function failureOf(result: CaseResult, context: Context): string {
  const { paint, report, suite, options } = context;
  const { id, title } = result.case;
  const differences = result.failures
    .slice(0, maxFailuresPerCase)
    .flatMap((each) => differenceOf(each, result, context));
  const more = result.failures.length - maxFailuresPerCase;
  const curls = formatCurlCommands(result);
  return [
    `${paint("red", "FAIL")} ${paint("bold", id)}`,
    `  ${escapeToOneLine(title)}`,
    ...differences,
    ...(more > 0 ? [`  and ${pluralize(more, "more difference")}, in the other reports`] : []),
    ...(curls.length === 0
      ? []
      : ["  Reproduce:", ...curls.map((each) => indented(escapeControlCharacters(each), "    "))]),
    "  Run again:",
    `    ${formatReproduceCommand(id, { suite, report, info: options })}`,
  ].join("\n");
}

function differenceOf(
  difference: AssertionFailure,
  { case: { requirements } }: CaseResult,
  context: Context,
): readonly string[] {
  const named = difference.requirements.length > 0 ? difference.requirements : requirements;
  return [
    `  ${escapeToOneLine(difference.message)}`,
    `    expected  ${valueOf(difference.expected)}`,
    `    received  ${valueOf(difference.received)}`,
    ...named.slice(0, maxRequirementsPerFailure).flatMap((each) => requirementLines(each, context)),
    ...(named.length > maxRequirementsPerFailure
      ? [
          `    and ${pluralize(named.length - maxRequirementsPerFailure, "more requirement")}: ${named.slice(maxRequirementsPerFailure).join(", ")}`,
        ]
      : []),
  ];
}

function valueOf(text: string): string {
  return indented(truncateText(escapeControlCharacters(text), maxValueCharacters), "              ").trimStart();
}

function requirementLines(id: string, { suite, paint }: Context): readonly string[] {
  const facts = suite.requirements[id];
  if (facts === undefined) return [`    ${id}`];
  const places = facts.locations.length === 0 ? "" : `; ${facts.locations.join(", ")}`;
  return [`    ${id}: ${facts.text}`, `      ${paint("gray", `${formatDocumentLocation(facts)}${places}`)}`];
}

function listed(failed: readonly CaseResult[], { paint }: Context): string {
  if (failed.length === 0) return "";
  return [
    `${pluralize(failed.length, "more failure")}. The reports of --report html=FILE and json=FILE have their details.`,
    ...failed.map((each) =>
      `${paint("red", "FAIL")} ${each.case.id}  ${escapeToOneLine(each.failures[0]?.message ?? "")}`.trimEnd(),
    ),
  ].join("\n");
}

function unexpected(results: readonly CaseResult[], { paint }: Context): string {
  const passed = results.filter(({ status }) => status === "unexpected-pass");
  if (passed.length === 0) return "";
  return [
    `${paint("red", "On the list of known failures, but passing.")} Remove them from the list:`,
    ...passed.map((each) => `  ${each.case.id}`),
  ].join("\n");
}

function errorLines(results: readonly CaseResult[], { paint }: Context): string {
  const stuck = results.filter(({ status }) => status === "error");
  if (stuck.length === 0) return "";
  const reasons = [...groupByKey(stuck, reasonForError)].map(([reason, those]) => {
    const first = those[0];
    const detail = first?.failures[0];
    const received =
      detail === undefined || detail.received === "" || detail.received === "none"
        ? []
        : [`      received  ${truncateText(escapeToOneLine(detail.received), 200)}`];
    const others = those.length > 1 ? `, and ${pluralize(those.length - 1, "other")}` : "";
    return [`  ${escapeToOneLine(reason)}`, ...received, `      ${first?.case.id ?? ""}${others}`].join("\n");
  });
  return [paint("yellow", `${pluralize(stuck.length, "case")} could not run:`), ...reasons].join("\n");
}

function skipped(results: readonly CaseResult[], { paint, suite }: Context): string {
  const missing = results.filter(({ status }) => status === "skipped");
  if (missing.length === 0) return "";
  const lines = [...groupByKey(missing, (each) => each.missing.join(", "))].map(
    ([what, those]) => `  ${pluralize(those.length, "case")}: missing ${what === "" ? "something" : what}`,
  );
  const given = [...new Set(missing.flatMap((each) => each.missing))].map(
    (each) => `  ${each}: ${capabilityHints(each, suite)}`,
  );
  return [
    paint("yellow", `${pluralize(missing.length, "case")} skipped:`),
    ...lines,
    "How to provide them:",
    ...given,
  ].join("\n");
}

function capabilityHints(missing: Capability, { actors, clock }: Suite): string {
  const controls = "--controls URL, of a server with test controls";
  const ways = {
    controls,
    "other-account": `a profile with "otherAccount", the token of another account${actors.user === undefined ? "" : `; or ${controls}`}`,
    users: actors.user === undefined ? "this suite has no fixture for users" : controls,
    tokens: actors.token === undefined && actors.user === undefined ? "this suite has no fixture for tokens" : controls,
    clock: clock === undefined ? "this suite has no fixture for the clock" : controls,
    listener: "a server that can reach this machine",
  } satisfies Record<Capability, string>;
  return ways[missing];
}

function runErrorLines({ errors: all }: RunReport, { paint }: Context): string {
  if (all.length === 0) return "";
  return [paint("red", "Errors outside of cases:"), ...all.map((each) => `  ${escapeToOneLine(each)}`)].join("\n");
}

/** A row for each kind, a column for each status. Statuses without cases are left out. */
function table(results: readonly CaseResult[]): string {
  if (results.length === 0) return "";
  const all = countByStatus(results);
  const shown = orderedStatuses.filter((each) => all[each] > 0);
  const kinds = [...groupByKey(results, (each) => each.case.kind)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = [
    ["", ...shown],
    ...kinds.map(([kind, those]) => [kind, ...shown.map((each) => String(countByStatus(those)[each] || ""))]),
    ["all", ...shown.map((each) => String(all[each]))],
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

function requirementCounts({ report, suite }: Context): string {
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

function closing({ report, paint }: Context): string {
  const { results, durationSeconds, requests, seed, runId, url } = report;
  const rate =
    durationSeconds > 0 ? `, ${Math.round(requests / durationSeconds).toLocaleString("en-US")} a second` : "";
  const ran = `${pluralize(results.length, "case")} and ${pluralize(requests, "request")} in ${formatDuration(durationSeconds * 1000)}${rate}. Seed ${seed}, run ${runId}, ${url}`;
  if (report.passed) return `${ran}\n${paint("green", "All cases passed.")}`;
  const counts = countByStatus(results);
  const reported = counts.fail + counts["unexpected-pass"] + counts.error + report.errors.length;
  if (results.length === 0) return `${ran}\n${paint("red", "Failed: no check was executed.")}`;
  if (reported === 0 && counts.skipped > 0)
    return `${ran}\n${paint("red", "All executed cases passed; skipped cases were not checked.")}`;
  return `${ran}\n${paint("red", counts.fail > 0 ? `${pluralize(counts.fail, "case")} failed.` : "Failed, for the reasons above.")}`;
}

function indented(text: string, by: string): string {
  return text
    .split("\n")
    .map((line) => `${by}${line}`)
    .join("\n");
}

type Paint = (style: "bold" | "red" | "yellow" | "green" | "gray", text: string) => string;

function painter(color: boolean): Paint {
  // The caller has checked whether the terminal supports colors.
  return (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
}
