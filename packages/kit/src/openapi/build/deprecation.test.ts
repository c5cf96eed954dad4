import { expect, test } from "vitest";
import { buildFixtureApi, withoutOrigins, withPaths } from "../testing.js";

async function deprecationOf(lines: string): Promise<unknown> {
  const api = await buildFixtureApi(
    withPaths(`/notes:\n  get:\n    operationId: list_notes\n    responses: {}\n${lines.replaceAll(/^(?=.)/gm, "    ")}
/search:\n  get: {operationId: search_notes, responses: {}}`),
  );
  const { deprecation } = api.operations[0] ?? {};
  return deprecation && withoutOrigins(deprecation);
}

test("reads dates and links; the replacement has its name in code", async () => {
  const lines = `deprecated: true
x-deprecation:
  since: 2026-01-01
  sunset: '2027-06-30T12:00:00Z'
  link: https://notes.example/a
  sunsetLink: https://notes.example/b
  replacement: search_notes
  x-source: [r1]`;
  expect(await deprecationOf(lines)).toEqual({
    since: { text: "2026-01-01", seconds: 1_767_225_600 },
    sunset: { text: "2027-06-30T12:00:00Z", seconds: 1_814_356_800 },
    link: "https://notes.example/a",
    sunsetLink: "https://notes.example/b",
    replacement: "searchNotes",
    sources: [{ requirement: "r1" }],
  });
});

test("x-sunset is the sunset, unless x-deprecation has one", async () => {
  const sunset = { sunset: { text: "2027-06-30", seconds: 1_814_313_600 }, sources: [] };
  expect(await deprecationOf("deprecated: true\nx-sunset: 2027-06-30")).toEqual(sunset);
  expect(await deprecationOf("deprecated: true\nx-sunset: 2026-01-01\nx-deprecation: {sunset: 2027-06-30}")).toEqual(
    sunset,
  );
});

test.each([
  "x-deprecation: {sunset: 2027-06-30}",
  "deprecated: true",
  "deprecated: true\nx-deprecation: true",
  "deprecated: true\nx-deprecation: {since: soon, link: 'https://notes.example/>; rel=\"next\"'}",
])("%j states nothing", async (lines) => {
  expect(await deprecationOf(lines)).toBeUndefined();
});
