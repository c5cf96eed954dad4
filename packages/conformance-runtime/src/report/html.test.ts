import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CaseResult } from "../results.js";
import { htmlReport } from "./html.js";
import { reportData, type JsonReport } from "./json.js";
import { mixed, notes, passed, runOf, tooLong } from "./example.support.js";

const hostile = `</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>\u2028`;

function dataOf(page: string): JsonReport {
  const text = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1];
  return JSON.parse(text ?? "null") as JsonReport;
}

describe("the HTML report", () => {
  it("contains the complete run", () => {
    expect(dataOf(htmlReport(mixed, notes, {}))).toEqual(JSON.parse(JSON.stringify(reportData(mixed, notes, {}))));
  });

  it("loads nothing", () => {
    expect(htmlReport(mixed, notes, {})).not.toMatch(/\s(?:src|href)=|@import|url\(/);
  });

  it("allows only its own script and style", () => {
    const page = htmlReport(mixed, notes, {});
    const script = /<script>(.*?)<\/script>/s.exec(page)?.[1] ?? "";
    const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? "";
    const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    expect(page).toContain(`default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)};`);
  });

  it("escapes responses", () => {
    const wild: CaseResult = {
      ...tooLong,
      differences: tooLong.differences.map((each) => ({ ...each, received: hostile })),
      exchanges: tooLong.exchanges.map((each) => ({ ...each, body: hostile })),
    };
    const run = runOf([wild], { problems: [hostile], url: `http://127.0.0.1:1/${hostile}` });
    const page = htmlReport(run, { ...notes, title: hostile, requirements: {} }, {});
    expect(page.match(/<\/script/g)).toHaveLength(2);
    expect(page).not.toContain("<img");
    expect(page).not.toContain("<!--");
    expect(dataOf(page).cases[0]?.differences?.[0]?.received).toBe(hostile);
  });

  it("truncates long bodies; the JSON report has them", () => {
    const long: CaseResult = {
      ...tooLong,
      exchanges: tooLong.exchanges.map((each) => ({ ...each, body: "x".repeat(9000), requestBody: "y".repeat(4000) })),
    };
    const [found] = dataOf(htmlReport(runOf([long]), notes, {})).cases[0]?.exchanges ?? [];
    expect(found?.body).toBe(`${"x".repeat(4000)}\n… the JSON report has all 9,000 characters`);
    expect(found?.requestBody).toBe("y".repeat(4000));
  });

  it.each([
    ["All cases passed", runOf([passed("notes/getNote/own")])],
    ["1 case failed", mixed],
    ["Failed: no check was executed", runOf([])],
    ["Failed, for the reasons below", runOf([passed("notes/getNote/own")], { problems: ["x"], passed: false })],
  ])("says: %s", (verdict, run) => {
    expect(htmlReport(run, notes, {})).toContain(`">${verdict}</p>`);
  });
});
