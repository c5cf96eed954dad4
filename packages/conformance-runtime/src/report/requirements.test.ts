import { describe, expect, it } from "vitest";
import type { CaseResult } from "../results.js";
import { foreign, mixed, noteCase, notes, passed, runOf, tooLong } from "./example.support.js";
import { judgeRequirements } from "./requirements.js";

function judged(results: readonly CaseResult[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    judgeRequirements(runOf(results), notes).map(({ id, status, reason }) => [
      id,
      reason === undefined ? status : `${status}: ${reason}`,
    ]),
  );
}

describe("the results of requirements", () => {
  it("have one entry for each requirement", () => {
    expect(judged(mixed.results)).toEqual({
      "note.title.length": "failed",
      "note.shown": "holds",
      "note.secret": "skipped: missing: stranger",
      "note.kept": "untested: a year is too long",
      "health.public": "could-not-run: The server does not answer",
    });
  });

  it("are failed when one case fails and another passes", () => {
    expect(judged([passed("notes/createNote/title/longer-than-8"), tooLong])["note.title.length"]).toBe("failed");
  });

  it("are failed when a case of another requirement shows a difference", () => {
    const [difference] = tooLong.differences;
    if (difference === undefined) throw new Error("The case has no difference.");
    const other: CaseResult = { ...tooLong, differences: [{ ...difference, requirements: ["note.shown"] }] };
    const found = judged([passed("notes/getNote/own"), other]);
    expect(found["note.shown"]).toBe("failed");
    expect(found["note.title.length"]).toBe(
      "could-not-run: notes/createNote/title/longer-than-8 failed before this check",
    );
  });

  it("fail the case's own requirements when a difference names none", () => {
    const [difference] = tooLong.differences;
    if (difference === undefined) throw new Error("The case has no difference.");
    const unnamed: CaseResult = { ...tooLong, differences: [{ ...difference, requirements: [] }] };
    expect(judged([unnamed])["note.title.length"]).toBe("failed");
  });

  it("stay failed for a known failure, and hold for an unexpected pass", () => {
    expect(judged([{ ...tooLong, status: "known-fail" }])["note.title.length"]).toBe("failed");
    expect(judged([{ ...passed("notes/getNote/own"), status: "unexpected-pass" }])["note.shown"]).toBe("holds");
  });

  it("do not hold when no case was completed", () => {
    const stuck: CaseResult = { ...foreign, status: "could-not-run", missing: [] };
    expect(judged([stuck])["note.secret"]).toBe("could-not-run: its setup failed");
    expect(judged([])["note.secret"]).toBe("not-selected: none of its cases was selected");
    expect(noteCase("notes/getNote/of-another").requirements).toEqual(["note.secret"]);
  });
});
