import { describe, expect, it } from "vitest";
import {
  concernsCode,
  formatImpactAsAnnotations,
  formatImpactAsJson,
  formatImpactAsMarkdown,
  formatImpactAsText,
  type CodeImpact,
  type CodePlace,
} from "./code-impact.js";
import type { ReportedDifference } from "./diff-report.js";

function place(line: number, certainty: CodePlace["certainty"] = "certain"): CodePlace {
  return { file: "src/a,b.ts", line, column: 3, text: `line(${line});`, certainty };
}

function impact(
  code: ReportedDifference["code"],
  places: readonly CodePlace[],
  rest: Partial<ReportedDifference> = {},
): CodeImpact {
  const difference: ReportedDifference = {
    code,
    breaking: ["callers"],
    affects: [],
    where: { operations: ["GET /pets"], location: "operation", pointer: "" },
    origin: { file: "openapi.yaml", line: 1, column: 1, pointer: "" },
    side: "new",
    message: `100% of ${code}.`,
    reason: "Because.",
    ...rest,
  };
  return { difference, places };
}

const everywhere = { operations: [], location: "the API", pointer: "" };
const impacts = [
  impact("operation-removed", [place(1), place(2, "possible")]),
  impact(
    "limit-tightened",
    Array.from({ length: 22 }, (_, index) => place(index + 1, "possible")),
  ),
  impact("server-removed", [], { where: everywhere }),
  impact("operation-deprecated", [place(7)], { breaking: [] }),
  impact("parameter-removed", []),
  impact("operation-added", [], { breaking: [] }),
  impact("schema-renamed", [], { where: everywhere }),
];

describe("the report about code", () => {
  it("counts what breaks the code, or may do so", () => {
    expect(impacts.map(concernsCode)).toEqual([true, true, true, false, false, false, false]);
    const { counts, differences } = JSON.parse(formatImpactAsJson(impacts)) as {
      readonly counts: unknown;
      readonly differences: readonly { readonly places: readonly unknown[] }[];
    };
    expect(counts).toEqual({ breaking: 5, concern: 1, mayConcern: 2 });
    expect(differences.map(({ places }) => places.length)).toEqual([2, 22, 0, 1, 0, 0, 0]);
  });

  it("lists what is certain first, with the places of each difference", () => {
    const lines = formatImpactAsText(impacts).split("\n");
    expect(lines.slice(0, 8)).toEqual([
      "Breaking, and concerns this code (1)",
      "  operation-removed  100% of operation-removed (GET /pets).",
      "    src/a,b.ts:1:3  line(1);",
      "    src/a,b.ts:2:3  ? line(2);",
      "",
      "Breaking, and may concern this code (2)",
      "  limit-tightened  100% of limit-tightened (GET /pets).",
      "    src/a,b.ts:1:3  ? line(1);",
    ]);
    expect(lines.slice(-10)).toEqual([
      "    and 2 more",
      "  server-removed  100% of server-removed.",
      "    every call",
      "",
      "Not breaking, but about what this code uses (1)",
      "  operation-deprecated  100% of operation-deprecated (GET /pets).",
      "    src/a,b.ts:7:3  line(7);",
      "",
      "5 breaking changes: 1 concerns this code, 2 may concern it.",
      "",
    ]);
  });

  it("is a table in Markdown", () => {
    expect(formatImpactAsMarkdown(impacts.slice(0, 1)))
      .toBe(`**1 breaking change: 1 concerns this code, 0 may concern it.**

### Breaking, and concerns this code

| What | Where | Rule |
| --- | --- | --- |
| 100% of operation-removed (GET /pets). | src/a,b.ts:1<br>src/a,b.ts:2 ? | \`operation-removed\` |
`);
  });

  it("is an annotation for each place on GitHub", () => {
    expect(formatImpactAsAnnotations([...impacts.slice(0, 1), ...impacts.slice(3)])).toBe(
      [
        "::error file=src/a%2Cb.ts,line=1,col=3,title=operation-removed::100%25 of operation-removed (GET /pets).",
        "::warning file=src/a%2Cb.ts,line=2,col=3,title=operation-removed::100%25 of operation-removed (GET /pets).",
        "::notice file=src/a%2Cb.ts,line=7,col=3,title=operation-deprecated::100%25 of operation-deprecated (GET /pets).",
        "",
      ].join("\n"),
    );
  });
});
