import { describe, expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages } from "../lint-fixture.support.js";

const resource = "x-resource: {owner: [user]}";

describe("references/unknown", () => {
  test("a reference is to a resource or to an operation", async () => {
    const to = (name: string, note = resource) => ({
      note,
      properties: `other: {type: integer, x-reference: {to: ${name}}}`,
    });
    expect(await lintFixture(buildDescription(to("Note")))).toEqual([]);
    expect(await lintFixture(buildDescription(to("createNote")))).toEqual([]);
    expect(await lintMessages("references/unknown", to("Noet"))).toEqual(['There is no resource "Noet".']);
    expect(await lintMessages("references/unknown", to("Note", ""))).toEqual([
      'The schema "Note" is not a resource, because it has no x-resource.',
    ]);
  });

  test("a parent is a resource, a merged schema any", async () => {
    expect(await lintMessages("references/unknown", { note: "x-resource: {parent: Book}" })).toEqual([
      'There is no resource "Book".',
    ]);
    const merged = (name: string) =>
      buildDescription({}).replace("requestBody:", `requestBody:\n        x-input: {merged: ${name}}`);
    expect(await lintFixture(merged("Note"))).toEqual([]);
    expect((await lintFixture(merged("Book"))).map((each) => each.message)).toEqual(['There is no schema "Book".']);
  });
});

test("references/unknown: an effect is on a resource, on what an operation reads, or on an expression", async () => {
  const effect = (to: string) => ({
    note: resource,
    operation: `x-effects: [{id: touches, does: replace, to: ${to}}]`,
  });
  for (const to of ["Note", "createNote", "$response.body#/id"])
    expect(await lintFixture(buildDescription(effect(to)))).toEqual([]);
  expect(await lintMessages("references/unknown", effect("createNoet"))).toEqual([
    'There is no resource "createNoet".',
  ]);
});

describe("references/field", () => {
  test("a reference by a field of the other", async () => {
    const by = (field: string) => ({
      note: resource,
      properties: `other: {type: string, maxLength: 9, x-reference: {to: Note, by: ${field}}}`,
    });
    expect(await lintFixture(buildDescription(by("text")))).toEqual([]);
    expect(await lintMessages("references/field", by("label"))).toEqual(['The resource has no field "label".']);
  });

  test("what a start and a transition set", async () => {
    const sets = (field: string) => ({
      note: `${resource}
x-state-machine:
  states: [kept, lost]
  initial: [{event: createNote, to: kept, sets: {${field}: 1}}]
  transitions: [{event: {platform: loses}, from: [kept], to: lost, sets: {${field}: 1}}]`,
    });
    expect(await lintFixture(buildDescription(sets("text")))).toEqual([]);
    expect(await lintMessages("references/field", sets("label"))).toEqual([
      'The resource has no field "label".',
      'The resource has no field "label".',
    ]);
  });

  test("an effect on a resource, or on what a field of the body names", async () => {
    const effect = (to: string, field: string) => ({
      note: resource,
      operation: `x-effects: [{id: touches, does: set, to: ${to}, values: {${field}: 1}}]`,
      properties: "others: {type: array, items: {type: integer, x-reference: {to: Note}}}",
    });
    expect(await lintFixture(buildDescription(effect("Note", "text")))).toEqual([]);
    expect(await lintFixture(buildDescription(effect("$request.body#/others/*", "text")))).toEqual([]);
    expect(await lintMessages("references/field", effect("Note", "label"))).toEqual([
      'The resource has no field "label".',
    ]);
    expect(await lintMessages("references/field", effect("$request.body#/others/*", "label"))).toEqual([
      'The resource has no field "label".',
    ]);
  });
});

test("operations/unknown: operations are named as they are called", async () => {
  const read = (name: string) => ({ note: `x-resource: {owner: [user], read: ${name}}` });
  expect(await lintFixture(buildDescription(read("createNote")))).toEqual([]);
  expect(await lintMessages("operations/unknown", read("getNote"))).toEqual(['There is no operation "getNote".']);
});

test("an operation under components.pathItems counts", async () => {
  const components = `pathItems:
  upload:
    put:
      operationId: putData
      summary: Takes the data
      tags: [notes]
      responses: {'200': {description: Taken}, '400': {description: Not taken}}`;
  const diagnostics = await lintFixture(
    buildDescription({
      components,
      properties: "upload_to: {type: string, maxLength: 99, x-reference: {to: putData}}",
    }),
  );
  expect(diagnostics.filter((each) => each.severity === "error")).toEqual([]);
});
