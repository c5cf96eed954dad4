import { describe, expect, it } from "vitest";
import type { CaseResult } from "../results.js";
import { mixedReport, exampleSuite, passedResult, exampleReport, failedResult } from "./example-report.support.js";
import { formatTextReport } from "./text.js";

const plain = { color: false } as const;

describe("the text report", () => {
  it("prints equal failures and equal commands once", () => {
    const [failure] = failedResult.failures;
    const [exchange] = failedResult.exchanges;
    if (failure === undefined || exchange === undefined) throw new Error("The example does not fail.");
    const result = {
      ...failedResult,
      failures: Array.from({ length: 9 }, () => failure),
      exchanges: Array.from({ length: 9 }, () => ({ ...exchange })),
    };
    const text = formatTextReport(exampleReport([result]), exampleSuite, plain);
    expect(text).toContain(`${failure.message} (9 times)`);
    expect(text).not.toContain("more difference");
    expect(text.match(/curl /g)?.length ?? 0).toBeLessThanOrEqual(2);
  });

  it("prints a failure with its requirement, its requests, and the command to repeat it", () => {
    expect(formatTextReport(mixedReport, exampleSuite, { color: false, controls: "http://127.0.0.1:2" })).toBe(
      `1. POST /notes: HTTP status: 201, expected 400: 1 case
   Compare the first of these cases with the description.

FAIL notes/createNote/title/longer-than-8
  A title of 9 characters is rejected.
  HTTP status: 201, expected 400
    expected  400
    received  201
    note.title.length: A title has at most 8 characters.
      document 1, line 12; spec/notes.yaml:14
  Reproduce:
    curl -sS -i -X POST \\
      http://127.0.0.1:1/v1/notes \\
      -H "authorization: Bearer $TOKEN" \\
      -H 'content-type: application/json' \\
      --data-raw '{"title":"xxxxxxxxx","tag":"it'\\''s-new"}'
  Run again:
    notes-conformance run --only notes/createNote/title/longer-than-8 --seed 7 --url http://127.0.0.1:1/v1 --controls http://127.0.0.1:2

2. The server does not respond: 1 case could not run
   The setup of these cases failed: correct it first.

ERROR health/getHealth/anonymous
  Health needs no token.
  The server does not respond.
    expected  a response
    received  connection refused
  Run again:
    notes-conformance run --only health/getHealth/anonymous --seed 7 --url http://127.0.0.1:1/v1 --controls http://127.0.0.1:2

1 case skipped:
  1 case: missing other-account
How to provide them:
  other-account: a profile with "otherAccount", the token of another account; or --controls URL, of a server with test controls

           pass  fail  skipped  error
bounds              1
resources                    1
responses     1
security                            1
all           1     1        1      1

5 requirements: 1 hold, 1 failed, 1 could not be checked, 1 skipped, 1 without a case

What to fix, the most fundamental first:
   1. POST /notes: HTTP status: 201, expected 400: 1 case
   2. The server does not respond: 1 case could not run

4 cases and 300 requests in 2.0 s, 150 a second. Seed 7, run k3f9x2ab, http://127.0.0.1:1/v1
1 case failed.
`,
    );
  });

  it("shows five differences of a case, and three requirements of each", () => {
    const [difference] = failedResult.failures;
    if (difference === undefined) throw new Error("The case has no difference.");
    const many = { ...difference, requirements: ["a", "b", "c", "d", "e"] };
    const text = formatTextReport(
      exampleReport([
        { ...failedResult, failures: Array.from({ length: 7 }, (_, at) => ({ ...many, received: `${at}` })) },
      ]),
      exampleSuite,
      plain,
    );
    expect(text.split("    expected  400").length - 1).toBe(5);
    expect(text).toContain("    c\n    and 2 more requirements: d, e\n");
    expect(text).toContain("  and 2 more differences, in the other reports\n");
  });

  it("prints that all cases passed", () => {
    expect(formatTextReport(exampleReport([passedResult("notes/getNote/own")]), exampleSuite, plain)).toContain(
      "\nAll cases passed.\n",
    );
  });

  it("prints that no check was executed, and fails", () => {
    expect(formatTextReport(exampleReport([]), exampleSuite, plain)).toContain("Failed: no check was executed.");
  });

  it("lists unexpected passes, and objects that were not deleted", () => {
    const run = exampleReport([{ ...passedResult("notes/getNote/own"), status: "unexpected-pass" }], {
      errors: ["Note 7 is left behind"],
    });
    const text = formatTextReport(run, exampleSuite, plain);
    expect(text).toContain(
      "On the list of known failures, but passing. Remove them from the list:\n  notes/getNote/own",
    );
    expect(text).toContain("Errors outside of cases:\n  Note 7 is left behind");
    expect(text).toContain("Failed, for the reasons above.");
  });

  it("shows two failures of each cause in full, and lists ten others", () => {
    const failures = Array.from({ length: 15 }, () => ({ ...failedResult }));
    const text = formatTextReport(exampleReport(failures), exampleSuite, plain);
    expect(text.split("Run again:").length - 1).toBe(2);
    expect(text).toContain(
      `With the same cause:\n${"  notes/createNote/title/longer-than-8\n".repeat(10)}  and 3 more cases: `,
    );
    expect(text).toContain(
      "\nWhat to fix, the most fundamental first:\n   1. POST /notes: HTTP status: 201, expected 400: 15 cases\n",
    );
  });

  it("says why the run stopped early, and which cases did not start", () => {
    const left: CaseResult = {
      ...passedResult("notes/getNote/own"),
      status: "error",
      notStarted: true,
      failures: [{ message: "The run stopped before it.", expected: "", received: "", requirements: [] }],
    };
    const stopped = { kind: "credential", text: "The server rejects the credential." } as const;
    const text = formatTextReport(exampleReport([failedResult, left], { stopped }), exampleSuite, plain);
    expect(text).toContain("\n1 case did not start:\n  1 case: The run stopped before it.\n");
    expect(text).toContain("\n1 case and ");
    expect(text.endsWith("\nStopped early. The server rejects the credential.\n")).toBe(true);
  });

  it("escapes control characters of responses", () => {
    const [difference] = failedResult.failures;
    if (difference === undefined) throw new Error("The case has no difference.");
    const wild = { ...failedResult, failures: [{ ...difference, received: "\u001b[2J\u0007gone" }] };
    expect(formatTextReport(exampleReport([wild]), exampleSuite, plain)).toContain("received  \\u001b[2J\\u0007gone");
  });

  it("has colors only on request", () => {
    expect(formatTextReport(mixedReport, exampleSuite, plain)).not.toContain("\u001b");
    expect(formatTextReport(mixedReport, exampleSuite, { color: true })).toContain("\u001b[31mFAIL\u001b[39m");
  });
});
