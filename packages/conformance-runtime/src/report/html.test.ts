import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CaseResult } from "../results.js";
import { mixedReport, exampleSuite, passedResult, exampleReport, failedResult } from "./example-report.support.js";
import { formatHtmlReport } from "./html.js";
import { toJsonReport, type JsonReport } from "./json.js";

const hostile = `</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>\u2028`;

function dataOf(page: string): JsonReport {
  const text = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1];
  return JSON.parse(text ?? "null") as JsonReport;
}

describe("the HTML report", () => {
  it("contains the complete run", () => {
    expect(dataOf(formatHtmlReport(mixedReport, exampleSuite, {}))).toEqual(
      JSON.parse(JSON.stringify(toJsonReport(mixedReport, exampleSuite, {}))),
    );
  });

  it("loads nothing", () => {
    expect(formatHtmlReport(mixedReport, exampleSuite, {})).not.toMatch(/\s(?:src|href)=|@import|url\(/);
  });

  it("allows only its own script and style", () => {
    const page = formatHtmlReport(mixedReport, exampleSuite, {});
    const script = /<script>(.*?)<\/script>/s.exec(page)?.[1] ?? "";
    const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? "";
    const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    expect(page).toContain(`default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)};`);
  });

  it("escapes responses", () => {
    const wild: CaseResult = {
      ...failedResult,
      failures: failedResult.failures.map((each) => ({ ...each, received: hostile })),
      exchanges: failedResult.exchanges.map((each) => ({ ...each, body: hostile })),
    };
    const run = exampleReport([wild], { errors: [hostile], url: `http://127.0.0.1:1/${hostile}` });
    const page = formatHtmlReport(run, { ...exampleSuite, title: hostile, requirements: {} }, {});
    expect(page.match(/<\/script/g)).toHaveLength(2);
    expect(page).not.toContain("<img");
    expect(page).not.toContain("<!--");
    expect(dataOf(page).cases[0]?.failures?.[0]?.received).toBe(hostile);
  });

  it("truncates long bodies; the JSON report has them", () => {
    const long: CaseResult = {
      ...failedResult,
      exchanges: failedResult.exchanges.map((each) => ({
        ...each,
        body: "x".repeat(9000),
        requestBody: "y".repeat(4000),
      })),
    };
    const [found] = dataOf(formatHtmlReport(exampleReport([long]), exampleSuite, {})).cases[0]?.exchanges ?? [];
    expect(found?.body).toBe(`${"x".repeat(4000)}\n… the JSON report has all 9,000 characters`);
    expect(found?.requestBody).toBe("y".repeat(4000));
  });

  it.each([
    ["All cases passed", exampleReport([passedResult("notes/getNote/own")])],
    ["1 case failed", mixedReport],
    ["Failed: no check was executed", exampleReport([])],
    [
      "Failed, for the reasons below",
      exampleReport([passedResult("notes/getNote/own")], { errors: ["x"], passed: false }),
    ],
  ])("says: %s", (verdict, run) => {
    expect(formatHtmlReport(run, exampleSuite, {})).toContain(`">${verdict}</p>`);
  });
});
