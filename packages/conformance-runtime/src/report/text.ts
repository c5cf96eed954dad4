import { styleText } from "node:util";
import type { CaseResult, Difference, RunReport } from "../results.js";
import type { Capability, Suite } from "../suite.js";
import { countsOf, statuses } from "./counts.js";
import { curlsOf } from "./curl.js";
import { reproduce, type RunFacts } from "./reproduce.js";
import { judgeRequirements, reasonOf, statedAt, type RequirementStatus } from "./requirements.js";
import { duration, grouped, harmless, many, oneLine, shortened } from "./words.js";

export interface TextOptions extends RunFacts {
  readonly color: boolean;
}

/** Formats a run for a terminal: failures and how to reproduce them, cases that could not run, and counts. */
export function textReport(report: RunReport, suite: Suite, options: TextOptions): string {
  const context: Context = { report, suite, options, paint: painter(options.color) };
  const failed = report.results.filter(({ status }) => status === "fail");
  const sections = [
    ...failed.slice(0, shownInFull).map((each) => failureOf(each, context)),
    listed(failed.slice(shownInFull), context),
    unexpected(report.results, context),
    unjudged(report.results, context),
    skipped(report.results, context),
    problems(report, context),
    table(report.results),
    requirementCounts(context),
    closing(context),
  ];
  return `${sections.filter((each) => each !== "").join("\n\n")}\n`;
}

interface Context {
  readonly report: RunReport;
  readonly suite: Suite;
  readonly options: TextOptions;
  readonly paint: Paint;
}

// More failures than this usually have the same few causes.
const shownInFull = 100;
const shownDifferences = 5;
const shownRequirements = 3;
const longestValue = 600;

function failureOf(result: CaseResult, context: Context): string {
  const { paint, report, suite, options } = context;
  const { id, title } = result.case;
  const differences = result.differences
    .slice(0, shownDifferences)
    .flatMap((each) => differenceOf(each, result, context));
  const more = result.differences.length - shownDifferences;
  const curls = curlsOf(result);
  return [
    `${paint("red", "FAIL")} ${paint("bold", id)}`,
    `  ${oneLine(title)}`,
    ...differences,
    ...(more > 0 ? [`  and ${many(more, "more difference")}, in the other reports`] : []),
    ...(curls.length === 0 ? [] : ["  Reproduce:", ...curls.map((each) => indented(harmless(each), "    "))]),
    "  Run again:",
    `    ${reproduce(id, { suite, report, facts: options })}`,
  ].join("\n");
}

function differenceOf(
  difference: Difference,
  { case: { requirements } }: CaseResult,
  context: Context,
): readonly string[] {
  const named = difference.requirements.length > 0 ? difference.requirements : requirements;
  return [
    `  ${oneLine(difference.message)}`,
    `    expected  ${valueOf(difference.expected)}`,
    `    received  ${valueOf(difference.received)}`,
    ...named.slice(0, shownRequirements).flatMap((each) => requirementLines(each, context)),
    ...(named.length > shownRequirements
      ? [
          `    and ${many(named.length - shownRequirements, "more requirement")}: ${named.slice(shownRequirements).join(", ")}`,
        ]
      : []),
  ];
}

function valueOf(text: string): string {
  return indented(shortened(harmless(text), longestValue), "              ").trimStart();
}

function requirementLines(id: string, { suite, paint }: Context): readonly string[] {
  const facts = suite.requirements[id];
  if (facts === undefined) return [`    ${id}`];
  const places = facts.places.length === 0 ? "" : `; ${facts.places.join(", ")}`;
  return [`    ${id}: ${facts.says}`, `      ${paint("gray", `${statedAt(facts)}${places}`)}`];
}

function listed(failed: readonly CaseResult[], { paint }: Context): string {
  if (failed.length === 0) return "";
  return [
    `${many(failed.length, "more failure")}. The reports of --report html=FILE and json=FILE have their details.`,
    ...failed.map((each) =>
      `${paint("red", "FAIL")} ${each.case.id}  ${oneLine(each.differences[0]?.message ?? "")}`.trimEnd(),
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

function unjudged(results: readonly CaseResult[], { paint }: Context): string {
  const stuck = results.filter(({ status }) => status === "could-not-run");
  if (stuck.length === 0) return "";
  const reasons = [...grouped(stuck, reasonOf)].map(([reason, those]) => {
    const first = those[0];
    const detail = first?.differences[0];
    const received =
      detail === undefined || detail.received === "" || detail.received === "none"
        ? []
        : [`      received  ${shortened(oneLine(detail.received), 200)}`];
    const others = those.length > 1 ? `, and ${many(those.length - 1, "other")}` : "";
    return [`  ${oneLine(reason)}`, ...received, `      ${first?.case.id ?? ""}${others}`].join("\n");
  });
  return [paint("yellow", `${many(stuck.length, "case")} could not run:`), ...reasons].join("\n");
}

function skipped(results: readonly CaseResult[], { paint, suite }: Context): string {
  const missing = results.filter(({ status }) => status === "skipped");
  if (missing.length === 0) return "";
  const lines = [...grouped(missing, (each) => each.missing.join(", "))].map(
    ([what, those]) => `  ${many(those.length, "case")}: missing ${what === "" ? "something" : what}`,
  );
  const given = [...new Set(missing.flatMap((each) => each.missing))].map(
    (each) => `  ${each}: ${waysOut(each, suite)}`,
  );
  return [paint("yellow", `${many(missing.length, "case")} skipped:`), ...lines, "How to provide them:", ...given].join(
    "\n",
  );
}

function waysOut(missing: Capability, { actors, clock }: Suite): string {
  const controls = "--controls URL, of a server with test controls";
  const ways = {
    controls,
    stranger: `a profile with "stranger", the token of another account${actors.user === undefined ? "" : `; or ${controls}`}`,
    users: actors.user === undefined ? "this suite has no recipe for users" : controls,
    tokens: actors.token === undefined && actors.user === undefined ? "this suite has no recipe for tokens" : controls,
    clock: clock === undefined ? "this suite has no recipe for the clock" : controls,
    listener: "a server that can reach this machine",
  } satisfies Record<Capability, string>;
  return ways[missing];
}

function problems({ problems: all }: RunReport, { paint }: Context): string {
  if (all.length === 0) return "";
  return [paint("red", "Errors outside of cases:"), ...all.map((each) => `  ${oneLine(each)}`)].join("\n");
}

/** A row for each kind, a column for each status. Statuses without cases are left out. */
function table(results: readonly CaseResult[]): string {
  if (results.length === 0) return "";
  const all = countsOf(results);
  const shown = statuses.filter((each) => all[each] > 0);
  const kinds = [...grouped(results, (each) => each.case.kind)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = [
    ["", ...shown],
    ...kinds.map(([kind, those]) => [kind, ...shown.map((each) => String(countsOf(those)[each] || ""))]),
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
  const evaluated = judgeRequirements(report, suite);
  if (evaluated.length === 0) return "";
  const words = {
    holds: "hold",
    failed: "failed",
    "could-not-run": "could not be checked",
    skipped: "skipped",
    "not-selected": "not selected",
    untested: "without a case",
  } satisfies Record<RequirementStatus, string>;
  const parts = Object.entries(words).flatMap(([status, word]) => {
    const count = evaluated.filter((each) => each.status === status).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return `${many(evaluated.length, "requirement")}: ${parts.join(", ")}`;
}

function closing({ report, paint }: Context): string {
  const { results, took, requests, seed, runId, url } = report;
  const rate = took > 0 ? `, ${Math.round(requests / took).toLocaleString("en-US")} a second` : "";
  const ran = `${many(results.length, "case")} and ${many(requests, "request")} in ${duration(took * 1000)}${rate}. Seed ${seed}, run ${runId}, ${url}`;
  if (report.passed) return `${ran}\n${paint("green", "All cases passed.")}`;
  const counts = countsOf(results);
  const reported = counts.fail + counts["unexpected-pass"] + counts["could-not-run"] + report.problems.length;
  if (results.length === 0) return `${ran}\n${paint("red", "Failed: no check was executed.")}`;
  if (reported === 0 && counts.skipped > 0)
    return `${ran}\n${paint("red", "All executed cases passed; skipped cases were not checked.")}`;
  return `${ran}\n${paint("red", counts.fail > 0 ? `${many(counts.fail, "case")} failed.` : "Failed, for the reasons above.")}`;
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
