import { describe, expect, it } from "vitest";
import { mixedReport, exampleSuite, passedResult, exampleReport, failedResult } from "./example-report.support.js";
import { formatJunitReport } from "./junit.js";

describe("the JUnit report", () => {
  it("has one suite per area, with the failures as text", () => {
    expect(formatJunitReport(mixedReport, exampleSuite, {})).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Notes 1.2.3" tests="4" failures="1" errors="1" skipped="1" time="2.000">
<testsuite name="run" tests="0" failures="0" errors="0" skipped="0" timestamp="2026-02-28T12:00:00.000Z">
<properties>
<property name="url" value="http://127.0.0.1:1/v1"/>
<property name="seed" value="7"/>
<property name="runId" value="k3f9x2ab"/>
<property name="requests" value="300"/>
</properties>
</testsuite>
<testsuite name="notes" tests="3" failures="1" errors="0" skipped="1" time="0.020" timestamp="2026-02-28T12:00:00.000Z">
<testcase classname="notes.createNote" name="notes/createNote/title/longer-than-8" time="0.008">
<failure message="HTTP status: 201, expected 400" type="POST /notes: HTTP status: 201, expected 400">
A title of 9 characters is rejected.
HTTP status: 201, expected 400
  expected  400
  received  201
  note.title.length: A title has at most 8 characters.
curl -sS -i -X POST \\
  http://127.0.0.1:1/v1/notes \\
  -H &quot;authorization: Bearer $TOKEN&quot; \\
  -H 'content-type: application/json' \\
  --data-raw '{&quot;title&quot;:&quot;xxxxxxxxx&quot;,&quot;tag&quot;:&quot;it'\\''s-new&quot;}'
notes-conformance run --only notes/createNote/title/longer-than-8 --seed 7 --url http://127.0.0.1:1/v1
</failure>
</testcase>
<testcase classname="notes.getNote" name="notes/getNote/own" time="0.012"/>
<testcase classname="notes.getNote" name="notes/getNote/of-another" time="0.000">
<skipped message="missing: other-account"/>
</testcase>
</testsuite>
<testsuite name="health" tests="1" failures="0" errors="1" skipped="0" time="0.012" timestamp="2026-02-28T12:00:00.000Z">
<testcase classname="health.getHealth" name="health/getHealth/anonymous" time="0.012">
<error message="The server does not respond." type="The server does not respond">
Health needs no token.
The server does not respond.
  expected  a response
  received  connection refused
notes-conformance run --only health/getHealth/anonymous --seed 7 --url http://127.0.0.1:1/v1
</error>
</testcase>
</testsuite>
</testsuites>
`);
  });

  it("shows remaining objects as a failure of the run", () => {
    const xml = formatJunitReport(
      exampleReport([passedResult("notes/getNote/own")], { errors: ["Note 7 is left"], passed: false }),
      exampleSuite,
      {},
    );
    expect(xml).toContain('<testsuites name="Notes 1.2.3" tests="2" failures="1"');
    expect(xml).toContain(
      '<testcase classname="run" name="problem 1">\n<failure message="Note 7 is left" type="error"/>',
    );
  });

  it("always has a failure for a run that did not pass", () => {
    expect(formatJunitReport(exampleReport([]), exampleSuite, {})).toContain(
      '<failure message="No check was executed." type="error"/>',
    );
  });

  it("reports a known failure as skipped, and one that passes as a failure", () => {
    expect(formatJunitReport(exampleReport([{ ...failedResult, status: "known-fail" }]), exampleSuite, {})).toContain(
      '<skipped message="known failure: HTTP status: 201, expected 400"/>',
    );
    expect(
      formatJunitReport(exampleReport([{ ...failedResult, status: "unexpected-pass" }]), exampleSuite, {}),
    ).toContain('type="unexpected-pass"');
  });

  it("replaces characters that XML does not allow", () => {
    const [difference] = failedResult.failures;
    if (difference === undefined) throw new Error("The case has no difference.");
    const wild = { ...failedResult, failures: [{ ...difference, received: "\u0000\u001b\ud800]]></failure>😀" }] };
    expect(formatJunitReport(exampleReport([wild]), exampleSuite, {})).toContain(
      "received  \ufffd\ufffd\ufffd]]&gt;&lt;/failure&gt;😀",
    );
  });
});
