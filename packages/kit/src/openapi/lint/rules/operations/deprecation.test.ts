import { expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages, type DescriptionParts } from "../../lint-fixture.support.js";

const deprecated = (lines: string): DescriptionParts => ({ operation: lines, paths: search });

const search = `
/search:
  get:
    operationId: searchNotes
    summary: Search
    tags: [notes]
    responses: {'200': {description: Found}, '400': {description: Less}}`;

test("a deprecated operation with dates and a replacement is valid", async () => {
  const lines = "deprecated: true\nx-deprecation: {since: 2026-01-01, sunset: 2026-01-01, replacement: searchNotes}";
  expect(await lintFixture(buildDescription(deprecated(lines)))).toEqual([]);
});

test("x-sunset of oasdiff is known on an operation", async () => {
  expect(await lintFixture(buildDescription(deprecated("deprecated: true\nx-sunset: 2027-06-30")))).toEqual([]);
  expect(await lintMessages("extension/unknown", { note: "x-sunset: 2027-06-30" })).toEqual([
    '"x-sunset" is not an extension field of the vocabulary.',
  ]);
});

test("the operation is not deprecated", async () => {
  expect(await lintMessages("deprecation/unmarked", deprecated("x-deprecation: {since: 2026-01-01}"))).toEqual([
    "x-deprecation is on an operation that is not deprecated.",
  ]);
});

test.each([
  ["x-deprecation: {since: 2026-02-30}", '"2026-02-30" is not a date of the calendar.'],
  ["x-deprecation: {sunset: '2026-01-01T25:00:00Z'}", '"2026-01-01T25:00:00Z" is not a date of the calendar.'],
  ["x-sunset: tomorrow", '"tomorrow" is not a date of the calendar.'],
  [
    "x-deprecation: {since: 2026-01-02, sunset: 2026-01-01}",
    "The sunset, 2026-01-01, is before the deprecation, 2026-01-02.",
  ],
])("%s has a wrong date", async (lines, message) => {
  expect(await lintMessages("deprecation/dates", deprecated(`deprecated: true\n${lines}`))).toEqual([message]);
});

test("an operation does not replace itself", async () => {
  const lines = "deprecated: true\nx-deprecation: {replacement: createNote}";
  expect(await lintMessages("deprecation/replacement", deprecated(lines))).toEqual(['"createNote" replaces itself.']);
});

test("the replacement is unknown", async () => {
  const lines = "deprecated: true\nx-deprecation: {replacement: serchNotes}";
  expect(await lintMessages("operations/unknown", deprecated(lines))).toHaveLength(1);
});
