import { expect, test } from "vitest";
import { lintFixtureLines } from "../lint-fixture.support.js";

const order = "{note.order: {says: Notes are sorted., because: It helps., settles: note.order.open}}";
const openapi = (operation: string, property = "x-source: [note.id]", assumptions = order) => `openapi: 3.1.0
x-assumptions: ${assumptions}
info: {title: Notes, version: 1.0.0}
servers: [{url: https://notes.example}]
tags: [{name: notes}]
security: []
paths:
  /note:
    get:
      operationId: getNote
      summary: The note
      tags: [notes]
      x-errors: [{id: odd, status: 400, field: null, verifiedBy: odd-notes, x-source: [note.odd]}]
      responses:
        '200': {description: The note, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}, x-source: [note.read]}
        '400': {description: Something is wrong}
      x-source: [${operation}]
components:
  schemas:
    Note: {type: object, properties: {id: {type: integer, ${property}}}}
`;
const requirements = `documents:
  '1':
    title: Notes
    sections:
      Reading:
        note.id: {line: 3, says: A note has an integer id.}
        note.read: {line: 5, says: A note can be read.}
        note.odd: {line: 6, says: An odd note cannot.}
        note.order.open: {line: 7, open: The order of notes is not shown.}
`;
const describedWith = "note.read, note.order";

test("every requirement is carried, also by what stands inside an extension, and every open one settled", async () => {
  expect(await lintFixtureLines({ "openapi.yaml": openapi(describedWith), "requirements.yaml": requirements })).toEqual(
    [],
  );
});

test("without a file of requirements, sources are not checked", async () => {
  expect(await lintFixtureLines(openapi("note.nothing"))).toEqual([]);
});

test("names that are not there, what nothing carries, and what nothing settles", async () => {
  const assumptions =
    "{a: {says: A., because: B., settles: note.read}, note.odd: {says: C., because: D., settles: note.orders.open}}";
  const text = openapi("note.raed, note.order.open, note.odd", "title: Id", assumptions);
  expect(await lintFixtureLines({ "openapi.yaml": text, "requirements.yaml": requirements })).toEqual([
    '2:17 source/unused Nothing comes from "a".',
    '2:44 source/settles "note.read" is not open.',
    '2:65 source/duplicate "note.odd" is a requirement, too.',
    '2:99 source/unknown There is no requirement "note.orders.open".',
    '17:18 source/unknown There is no source "note.raed".',
    '20:5 source/missing The schema "Note" has no source.',
    'requirements.yaml:6:9 source/unused Nothing comes from "note.id".',
    'requirements.yaml:9:9 source/open Nothing settles "note.order.open".',
  ]);
});

test("an unreadable file of requirements is reported", async () => {
  const lines = await lintFixtureLines({ "openapi.yaml": openapi("note.read"), "requirements.yaml": "documents: {" });
  expect(lines[1]).toMatch(/source\/unknown/);
  expect(lines.at(-1)).toMatch(/^requirements\.yaml:1:1 source\/requirements This file cannot be read: /);
});

test.each([
  ["x-grants: [{caller: {restricted: false}}]", 'The grant "restricted" has no source.'],
  ["x-grants: [{grant: add_notes}]", 'The grant "add_notes" has no source.'],
  ["x-limits: [{id: reads, kind: rate, max: 9, window: PT1M, error: odd}]", 'The limit "reads" has no source.'],
  ["x-effects: [{id: noted, does: replace, to: getNote}]", 'The effect "noted" has no source.'],
])("rules have a source: %s", async (line, message) => {
  const missing = async (text: string) =>
    (await lintFixtureLines({ "openapi.yaml": text, "requirements.yaml": requirements })).filter((each) =>
      each.includes("source/missing"),
    );
  const text = openapi(describedWith).replace("      x-errors:", `      ${line}\n      x-errors:`);
  expect(await missing(text)).toEqual([expect.stringContaining(message)]);
  expect(await missing(text.replace("}]\n      x-errors", ", x-source: [note.odd]}]\n      x-errors"))).toEqual([]);
});
