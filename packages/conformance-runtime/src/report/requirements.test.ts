import { describe, expect, it } from "vitest";
import type { CaseResult } from "../results.js";
import {
  skippedResult,
  mixedReport,
  exampleCase,
  exampleSuite,
  passedResult,
  exampleReport,
  failedResult,
} from "./example-report.support.js";
import { evaluateRequirements } from "./requirements.js";

function evaluated(results: readonly CaseResult[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    evaluateRequirements(exampleReport(results), exampleSuite).map(({ id, status, reason }) => [
      id,
      reason === undefined ? status : `${status}: ${reason}`,
    ]),
  );
}

describe("the results of requirements", () => {
  it("have one entry for each requirement", () => {
    expect(evaluated(mixedReport.results)).toEqual({
      "note.title.length": "failed",
      "note.shown": "holds",
      "note.secret": "skipped: missing: other-account",
      "note.kept": "untested: a year is too long",
      "health.public": "error: The server does not respond.",
    });
  });

  it("are failed when one case fails and another passes", () => {
    expect(evaluated([passedResult("notes/createNote/title/longer-than-8"), failedResult])["note.title.length"]).toBe(
      "failed",
    );
  });

  it("are failed when a case of another requirement shows a difference", () => {
    const [difference] = failedResult.failures;
    if (difference === undefined) throw new Error("The case has no difference.");
    const other: CaseResult = { ...failedResult, failures: [{ ...difference, requirements: ["note.shown"] }] };
    const found = evaluated([passedResult("notes/getNote/own"), other]);
    expect(found["note.shown"]).toBe("failed");
    expect(found["note.title.length"]).toBe("error: notes/createNote/title/longer-than-8 failed before this check");
  });

  it("fail the case's own requirements when a difference names none", () => {
    const [difference] = failedResult.failures;
    if (difference === undefined) throw new Error("The case has no difference.");
    const unnamed: CaseResult = { ...failedResult, failures: [{ ...difference, requirements: [] }] };
    expect(evaluated([unnamed])["note.title.length"]).toBe("failed");
  });

  it("stay failed for a known failure, and hold for an unexpected pass", () => {
    expect(evaluated([{ ...failedResult, status: "known-fail" }])["note.title.length"]).toBe("failed");
    expect(evaluated([{ ...passedResult("notes/getNote/own"), status: "unexpected-pass" }])["note.shown"]).toBe(
      "holds",
    );
  });

  it("do not hold when no case was completed", () => {
    const stuck: CaseResult = { ...skippedResult, status: "error", missing: [] };
    expect(evaluated([stuck])["note.secret"]).toBe("error: its setup failed");
    expect(evaluated([])["note.secret"]).toBe("not-selected: none of its cases was selected");
    expect(exampleCase("notes/getNote/of-another").requirements).toEqual(["note.secret"]);
  });
});
