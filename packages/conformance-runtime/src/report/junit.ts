import type { CaseResult, RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import { findCauses } from "./causes.js";
import { tagOfCase, countByStatus } from "./counts.js";
import { formatCurlCommands } from "./curl.js";
import { groupByKey } from "./format-text.js";
import { formatReproduceCommand, type RunInfo } from "./reproduce.js";
import { reasonForError } from "./requirements.js";
import { unverifiedOperations } from "./unverified-operations.js";

/**
 * Formats a run as JUnit XML, with one suite per area. The type of a failure is its cause. A case that could not run is an error, and a known failure is skipped with its
 * message. Errors outside of cases are in a suite `run`.
 */
export function formatJunitReport(report: RunReport, suite: Suite, facts: RunInfo): string {
  const types = new Map(
    findCauses(report, suite).flatMap(({ title, results }) => results.map((each) => [each, title] as const)),
  );
  const areas = [...groupByKey(report.results, (each) => tagOfCase(each.case, suite))].map(([area, results]) =>
    element(
      "testsuite",
      { name: area, ...totals(results), time: seconds(sum(results)), timestamp: report.started },
      results.map((each) => testcase(each, { report, suite, facts, types })),
    ),
  );
  const run = runSuite(report, suite);
  const all = totals(report.results);
  const attributes = {
    name: `${suite.title} ${suite.version}`,
    ...all,
    tests: all.tests + run.count,
    failures: all.failures + run.count,
    time: seconds(report.durationSeconds * 1000),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", attributes, [...run.xml, ...areas])}\n`;
}

interface JunitContext {
  readonly report: RunReport;
  readonly suite: Suite;
  readonly facts: RunInfo;
  /** The causes of cases that did not pass: what a build server groups them by. */
  readonly types: ReadonlyMap<CaseResult, string>;
}

/** Errors outside of cases. A run that did not pass always has one failure at least. */
function runSuite(report: RunReport, suite: Suite): { readonly count: number; readonly xml: readonly string[] } {
  const counts = countByStatus(report.results);
  const isReported = counts.fail + counts["unexpected-pass"] + counts.error + report.errors.length > 0;
  const stopped = report.stopped === undefined ? [] : [report.stopped.text];
  const problems = report.passed || isReported ? [...stopped, ...report.errors] : [unreportedErrors(report)];
  const properties = [
    element("properties", {}, [
      element("property", { name: "url", value: report.url }),
      element("property", { name: "seed", value: report.seed }),
      element("property", { name: "runId", value: report.runId }),
      element("property", { name: "requests", value: report.requests }),
      ...unverifiedOperations(report, suite).map(({ operation }) =>
        element("property", { name: "unverified", value: operation }),
      ),
    ]),
  ];
  const cases = problems.map((problem, index) =>
    element("testcase", { classname: "run", name: `problem ${index + 1}` }, [
      element("failure", { message: problem, type: "error" }),
    ]),
  );
  const attributes = {
    name: "run",
    tests: cases.length,
    failures: cases.length,
    errors: 0,
    skipped: 0,
    timestamp: report.started,
  };
  return { count: cases.length, xml: [element("testsuite", attributes, [...properties, ...cases])] };
}

function unreportedErrors({ results }: RunReport): string {
  return results.length === 0 ? "No check was executed." : "Not all selected cases were checked.";
}

function testcase(result: CaseResult, context: JunitContext): string {
  const { id, operation } = result.case;
  const attributes = {
    classname: `${tagOfCase(result.case, context.suite)}.${operation}`,
    name: id,
    time: seconds(result.durationMs),
  };
  return element("testcase", attributes, outcomeOf(result, context));
}

function outcomeOf(result: CaseResult, context: JunitContext): readonly string[] {
  const { status, failures, missing } = result;
  const first = failures[0]?.message ?? "";
  const type = context.types.get(result) ?? "fail";
  const outcomes = {
    pass: () => [],
    fail: () => [element("failure", { message: first, type }, [escaped(detailsOf(result, context))])],
    "known-fail": () => [element("skipped", { message: `known failure: ${first}` })],
    "unexpected-pass": () => [
      element("failure", {
        message: "It is on the list of known failures, but passes. Remove it from the list.",
        type: "unexpected-pass",
      }),
    ],
    skipped: () => [element("skipped", { message: `missing: ${missing.join(", ")}` })],
    error: () => [
      element("error", { message: reasonForError(result), type: context.types.get(result) ?? "not started" }, [
        escaped(detailsOf(result, context)),
      ]),
    ],
  } satisfies Record<CaseResult["status"], () => readonly string[]>;
  return outcomes[status]();
}

function detailsOf(result: CaseResult, context: JunitContext): string {
  const { report, suite, facts } = context;
  const differences = result.failures.flatMap(({ message, expected, received, requirements }) => [
    message,
    `  expected  ${expected}`,
    `  received  ${received}`,
    ...requirements.map((each) => `  ${each}: ${suite.requirements[each]?.text ?? ""}`),
  ]);
  return [
    result.case.title,
    ...differences,
    ...formatCurlCommands(result),
    formatReproduceCommand(result.case.id, { suite, report, info: facts }),
  ].join("\n");
}

function totals(results: readonly CaseResult[]): Readonly<Record<"tests" | "failures" | "errors" | "skipped", number>> {
  const counts = countByStatus(results);
  return {
    tests: results.length,
    failures: counts.fail + counts["unexpected-pass"],
    errors: counts.error,
    skipped: counts.skipped + counts["known-fail"],
  };
}

function sum(results: readonly CaseResult[]): number {
  return results.reduce((total, { durationMs }) => total + durationMs, 0);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: readonly string[] = [],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const start = `<${name}${written.join("")}`;
  return content.length === 0 ? `${start}/>` : `${start}>\n${content.join("\n")}\n</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll(unfit, (sign) => entities[sign] ?? "\ufffd");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\r": "&#13;",
};

// Characters that XML 1.0 does not allow become U+FFFD: lone surrogates and control characters.
const unfit =
  /[&<>"\t\r]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
