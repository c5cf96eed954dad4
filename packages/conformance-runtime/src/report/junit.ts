import type { CaseResult, RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import { areaOf, countsOf } from "./counts.js";
import { curlsOf } from "./curl.js";
import { reproduce, type RunFacts } from "./reproduce.js";
import { reasonOf } from "./requirements.js";
import { grouped } from "./words.js";

/**
 * Formats a run as JUnit XML, with one suite per area. A case that could not run is an error, and a known failure is skipped with its
 * message. Errors outside of cases are in a suite `run`.
 */
export function junitReport(report: RunReport, suite: Suite, facts: RunFacts): string {
  const areas = [...grouped(report.results, (each) => areaOf(each.case, suite))].map(([area, results]) =>
    element(
      "testsuite",
      { name: area, ...totals(results), time: seconds(sum(results)), timestamp: report.started },
      results.map((each) => testcase(each, { report, suite, facts })),
    ),
  );
  const run = runSuite(report);
  const all = totals(report.results);
  const attributes = {
    name: `${suite.title} ${suite.version}`,
    ...all,
    tests: all.tests + run.count,
    failures: all.failures + run.count,
    time: seconds(report.took * 1000),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", attributes, [...run.xml, ...areas])}\n`;
}

/** Errors outside of cases. A run that did not pass always has one failure at least. */
function runSuite(report: RunReport): { readonly count: number; readonly xml: readonly string[] } {
  const counts = countsOf(report.results);
  const isTold = counts.fail + counts["unexpected-pass"] + counts["could-not-run"] + report.problems.length > 0;
  const problems = report.passed || isTold ? report.problems : [untold(report)];
  const properties = [
    element("properties", {}, [
      element("property", { name: "url", value: report.url }),
      element("property", { name: "seed", value: report.seed }),
      element("property", { name: "runId", value: report.runId }),
      element("property", { name: "requests", value: report.requests }),
    ]),
  ];
  const cases = problems.map((problem, index) =>
    element("testcase", { classname: "run", name: `problem ${index + 1}` }, [
      element("failure", { message: problem, type: "problem" }),
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

function untold({ results }: RunReport): string {
  return results.length === 0 ? "No check was executed." : "Not all selected cases were checked.";
}

function testcase(result: CaseResult, context: { report: RunReport; suite: Suite; facts: RunFacts }): string {
  const { id, operation } = result.case;
  const attributes = {
    classname: `${areaOf(result.case, context.suite)}.${operation}`,
    name: id,
    time: seconds(result.took),
  };
  return element("testcase", attributes, outcomeOf(result, context));
}

function outcomeOf(
  result: CaseResult,
  context: { report: RunReport; suite: Suite; facts: RunFacts },
): readonly string[] {
  const { status, differences, missing } = result;
  const first = differences[0]?.message ?? "";
  const outcomes = {
    pass: () => [],
    fail: () => [element("failure", { message: first, type: "fail" }, [escaped(detailsOf(result, context))])],
    "known-fail": () => [element("skipped", { message: `known failure: ${first}` })],
    "unexpected-pass": () => [
      element("failure", {
        message: "It is on the list of known failures, but passes. Remove it from the list.",
        type: "unexpected-pass",
      }),
    ],
    skipped: () => [element("skipped", { message: `missing: ${missing.join(", ")}` })],
    "could-not-run": () => [
      element("error", { message: reasonOf(result), type: "could-not-run" }, [escaped(detailsOf(result, context))]),
    ],
  } satisfies Record<CaseResult["status"], () => readonly string[]>;
  return outcomes[status]();
}

function detailsOf(result: CaseResult, context: { report: RunReport; suite: Suite; facts: RunFacts }): string {
  const { report, suite, facts } = context;
  const differences = result.differences.flatMap(({ message, expected, received, requirements }) => [
    message,
    `  expected  ${expected}`,
    `  received  ${received}`,
    ...requirements.map((each) => `  ${each}: ${suite.requirements[each]?.says ?? ""}`),
  ]);
  return [
    result.case.title,
    ...differences,
    ...curlsOf(result),
    reproduce(result.case.id, { suite, report, facts }),
  ].join("\n");
}

function totals(results: readonly CaseResult[]): Readonly<Record<"tests" | "failures" | "errors" | "skipped", number>> {
  const counts = countsOf(results);
  return {
    tests: results.length,
    failures: counts.fail + counts["unexpected-pass"],
    errors: counts["could-not-run"],
    skipped: counts.skipped + counts["known-fail"],
  };
}

function sum(results: readonly CaseResult[]): number {
  return results.reduce((total, { took }) => total + took, 0);
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
