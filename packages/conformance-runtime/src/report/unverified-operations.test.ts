import { expect, it } from "vitest";
import type { Case } from "../suite.js";
import { createNoteCase, notesSuite, runNotes } from "../suite.support.js";
import { formatHtmlReport } from "./html.js";
import { toJsonReport } from "./json.js";
import { formatJunitReport } from "./junit.js";
import { formatTextReport } from "./text.js";

const creates = createNoteCase({ steps: [{ call: "createNote", body: { title: "text" } }] });
const readsNothing: Case = {
  ...createNoteCase({
    steps: [{ call: "getNote", path: { noteId: 999_999 }, expect: { status: [200, 404] }, needsObject: true }],
  }),
  id: "notes/getNote/accepts",
  operation: "getNote",
};

it("an operation that only rejects is listed, and its valid request is skipped", async () => {
  const { report } = await runNotes([creates, readsNothing]);
  const suite = notesSuite([creates, readsNothing, { ...creates, id: "notes/createNote/another" }]);
  expect(report.results.map(({ status, missing }) => [status, ...missing])).toEqual([["pass"], ["skipped", "object"]]);
  expect(report.passed).toBe(true);
  const text = formatTextReport(report, suite, { color: false });
  expect(text).toContain(
    "1 case: missing object\nHow to provide them:\n  object: a fixture of the object in `fixtures`",
  );
  expect(text).toContain("1 operation never succeeded:\n  getNote: only 404\nThe suite has not checked");
  expect(toJsonReport(report, suite, {}).unverified).toEqual([{ operation: "getNote", statuses: [404] }]);
  expect(formatJunitReport(report, suite, {})).toContain('<property name="unverified" value="getNote"/>');
  expect(formatHtmlReport(report, suite, {})).toContain("<li>getNote: only 404</li>");
});

it("a run of chosen cases does not list what it did not choose", async () => {
  const { report } = await runNotes([creates]);
  const suite = notesSuite([creates, readsNothing]);
  expect(toJsonReport(report, suite, {}).unverified).toBeUndefined();
  expect(toJsonReport(report, { ...suite, cases: [creates] }, {}).unverified).toContainEqual({
    operation: "getNote",
    statuses: [],
  });
});

it("with an object the call is checked like any other", async () => {
  const reads: Case = {
    ...readsNothing,
    steps: [
      { make: "Note", as: "note" },
      { call: "getNote", path: { noteId: { $get: "note#/id" } }, expect: { status: [200, 404] }, needsObject: true },
    ],
  };
  const { report } = await runNotes([reads]);
  expect(report.results.map(({ status }) => status)).toEqual(["pass"]);
});
