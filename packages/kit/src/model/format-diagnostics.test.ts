import { describe, expect, test } from "vitest";
import type { Diagnostic } from "./diagnostic.js";
import { formatDiagnostics, type FormatOptions } from "./format-diagnostics.js";

const unit: Diagnostic = {
  code: "limits/unit",
  severity: "error",
  origin: { file: "instances/paths.yaml", pointer: "/a", line: 2, column: 7 },
  message: '"30" has no unit.',
  fix: "Write an ISO 8601 duration, such as PT30S.",
};
const unused: Diagnostic = {
  code: "openapi/no-unused-components",
  severity: "warning",
  origin: { file: "openapi.yaml", pointer: "", line: 1, column: 1 },
  message: "50% of it, and more: unused.",
};
const files: Readonly<Record<string, string>> = {
  "instances/paths.yaml": "a:\n  max: {window: 30}\nb: 1\n",
  "openapi.yaml": "openapi: 3.1.0\n",
};
const plain: FormatOptions = { format: "text", color: false, codeFrames: false, read: (file) => files[file] ?? "" };

describe("text", () => {
  test("escapes control characters, line separators and bidirectional marks", () => {
    const text = formatDiagnostics([{ ...unused, message: "a\u001b[2J\nb\u202ec" }], plain);
    expect(text.split("\n")[0]).toBe(
      "openapi.yaml:1:1  warning  openapi/no-unused-components  a\\u001b[2J\\u000ab\\u202ec",
    );
    const framed = formatDiagnostics([unused], { ...plain, codeFrames: true, read: () => "\u001b[2Ja: 1" });
    expect(framed).toContain("1 | \ufffd[2Ja: 1");
  });

  test("has a line for each problem, and a summary", () => {
    expect(formatDiagnostics([unit, unused], plain)).toBe(
      [
        'instances/paths.yaml:2:7  error  limits/unit  "30" has no unit. Write an ISO 8601 duration, such as PT30S.',
        "openapi.yaml:1:1  warning  openapi/no-unused-components  50% of it, and more: unused.",
        "2 problems (1 error, 1 warning) in 2 files.",
        "",
      ].join("\n"),
    );
  });

  test("has errors first, and the first three warnings of each code", () => {
    const at = (line: number): Diagnostic => ({ ...unused, origin: { ...unused.origin, line } });
    const other = { ...unused, code: "limits/other", message: "Other." };
    expect(formatDiagnostics([at(1), at(2), other, at(3), at(4), unit, at(5)], plain)).toBe(
      [
        'instances/paths.yaml:2:7  error  limits/unit  "30" has no unit. Write an ISO 8601 duration, such as PT30S.',
        "openapi.yaml:1:1  warning  openapi/no-unused-components  50% of it, and more: unused.",
        "openapi.yaml:2:1  warning  openapi/no-unused-components  50% of it, and more: unused.",
        "openapi.yaml:3:1  warning  openapi/no-unused-components  50% of it, and more: unused.",
        "  … and 2 more warnings of openapi/no-unused-components, 5 in all. `plumbline lint --format json` has them.",
        "openapi.yaml:1:1  warning  limits/other  Other.",
        "7 problems (1 error, 6 warnings) in 2 files.",
        "",
      ].join("\n"),
    );
    expect(formatDiagnostics([at(1), at(2), at(3)], plain)).not.toContain("…");
    const shown = [99, 100].map((count) =>
      formatDiagnostics(
        Array.from({ length: count }, (_, index) => at(index)),
        plain,
      ),
    );
    expect(shown.map((text) => text.split("\n").length)).toEqual([6, 4]);
    expect(shown[1]).toContain("… and 99 more warnings of openapi/no-unused-components, 100 in all.");
    expect(formatDiagnostics([at(1), at(2), at(3), at(4)], { ...plain, format: "github" }).split("\n")).toHaveLength(5);
  });

  test("has frames of three lines with a caret, and of fewer at the ends of a file", () => {
    expect(formatDiagnostics([unit, unused], { ...plain, codeFrames: true })).toBe(
      [
        'instances/paths.yaml:2:7  error  limits/unit  "30" has no unit. Write an ISO 8601 duration, such as PT30S.',
        "  1 | a:",
        "  2 |   max: {window: 30}",
        "    |       ^",
        "  3 | b: 1",
        "",
        "openapi.yaml:1:1  warning  openapi/no-unused-components  50% of it, and more: unused.",
        "  1 | openapi: 3.1.0",
        "    | ^",
        "",
        "2 problems (1 error, 1 warning) in 2 files.",
        "",
      ].join("\n"),
    );
  });

  test("cuts a long line around the position", () => {
    const long = { ...unit, origin: { ...unit.origin, line: 1, column: 301 } };
    const printed = formatDiagnostics([long], {
      ...plain,
      codeFrames: true,
      read: () => `${"a".repeat(300)}!${"b".repeat(300)}`,
    });
    const [, shown = "", caret = ""] = printed.split("\n");
    expect(shown).toBe(`  1 | …${"a".repeat(60)}!${"b".repeat(59)}…`);
    expect(shown[caret.indexOf("^")]).toBe("!");
  });

  test("is coloured on a terminal", () => {
    expect(formatDiagnostics([unit], { ...plain, color: true })).toContain("\u001b[31merror\u001b[0m  limits/unit");
  });

  test("says so when there are no problems", () => {
    expect(formatDiagnostics([], plain)).toBe("No problems.\n");
  });
});

test("json has the problems and their counts", () => {
  expect(JSON.parse(formatDiagnostics([unit, unused], { ...plain, format: "json" }))).toEqual({
    diagnostics: [unit, unused],
    errors: 1,
    warnings: 1,
  });
});

test("github has a workflow command for each problem, with its own escapes", () => {
  expect(formatDiagnostics([unit, unused], { ...plain, format: "github" })).toBe(
    [
      '::error file=instances/paths.yaml,line=2,col=7,title=limits/unit::"30" has no unit. Write an ISO 8601 duration, such as PT30S.',
      "::warning file=openapi.yaml,line=1,col=1,title=openapi/no-unused-components::50%25 of it, and more: unused.",
      "",
    ].join("\n"),
  );
});
