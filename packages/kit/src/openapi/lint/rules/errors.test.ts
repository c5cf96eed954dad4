import { describe, expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages } from "../lint-fixture.support.js";

describe("errors/unknown", () => {
  const grant = (error: string) => `x-grants: [{grant: add_notes, error: ${error}}]`;

  test("an error belongs to the operation or the root, or is unknown", async () => {
    const own = "x-errors: [{id: not-permitted, status: 400, field: null}]";
    expect(await lintFixture(buildDescription({ operation: `${grant("not-permitted")}\n${own}` }))).toEqual([]);
    expect(await lintFixture(buildDescription({ operation: grant("not-permitted"), root: own }))).toEqual([]);
    expect(await lintMessages("errors/unknown", { operation: grant("not-permitted") })).toEqual([
      'There is no error "not-permitted".',
    ]);
  });

  test("a property that two operations take needs the error on both", async () => {
    const paths = `
/more:
  post:
    operationId: more
    summary: More
    tags: [notes]
    requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
    responses: {'200': {description: More}, '400': {description: Less}}`;
    const parts = {
      note: "x-resource: {owner: [user]}",
      operation: "x-errors: [{id: no-note, status: 400, field: other}]",
      properties: "other: {type: integer, x-reference: {to: Note, onNotFound: no-note}}",
    };
    expect(await lintFixture(buildDescription(parts))).toEqual([]);
    expect(await lintMessages("errors/unknown", { ...parts, paths })).toEqual([
      'more can fail with "no-note" and does not list it.',
    ]);
  });

  test("a resource that is created on use is not an error", async () => {
    const properties = "tag: {type: string, maxLength: 9, x-reference: {to: Note, onNotFound: create}}";
    expect(await lintFixture(buildDescription({ note: "x-resource: {owner: [user]}", properties }))).toEqual([]);
  });
});

test("errors/duplicate: an object lists an error once", async () => {
  const entry = "{id: odd, status: 400, field: null, verifiedBy: odd-notes}";
  expect(await lintMessages("errors/duplicate", { operation: `x-errors: [${entry}, ${entry}]` })).toEqual([
    '"odd" is listed here already.',
  ]);
  expect(await lintFixture(buildDescription({ operation: `x-errors: [${entry}]` }))).toEqual([]);
});

describe("errors/proof", () => {
  const error = (more: string) => ({ operation: `x-errors: [{id: odd, status: 400, field: null${more}}]` });

  test("something says when an error happens", async () => {
    expect(await lintMessages("errors/proof", error(""))).toEqual(['Nothing says when "odd" happens.']);
    expect(await lintFixture(buildDescription(error(", verifiedBy: odd-notes")))).toEqual([]);
    expect(await lintFixture(buildDescription(error(", when: {body: {required: [text]}}")))).toEqual([]);
  });

  test("a limit that names it does", async () => {
    const { operation } = error("");
    expect(
      await lintFixture(
        buildDescription({ operation: `${operation}\nx-limits: [{id: some, kind: bytes, max: 9, error: odd}]` }),
      ),
    ).toEqual([]);
  });
});

test("errors/field: a field that is blamed is in the request", async () => {
  const blame = (field: string) => ({
    operation: `x-errors: [{id: odd, status: 400, field: ${field}, verifiedBy: odd-notes}]`,
    properties: "parts: {type: array, items: {type: object, properties: {label: {type: string}}}}",
  });
  for (const field of ["text", "null", "$each", "parts.$each.label", "parts.0.label"])
    expect(await lintFixture(buildDescription(blame(field)))).toEqual([]);
  expect(await lintMessages("errors/field", blame("txet"))).toEqual(['The request has no field "txet".']);
  expect(await lintMessages("errors/field", blame("parts.0.text"))).toEqual([
    'The request has no field "parts.0.text".',
  ]);
});

test("operations/responses: a status with which it can fail is documented", async () => {
  const limited = (status: number) => ({
    operation: `x-limits: [{id: some, kind: bytes, max: 9, error: odd}]\nx-errors: [{id: odd, status: ${status}, field: null}]`,
  });
  expect(await lintFixture(buildDescription(limited(400)))).toEqual([]);
  expect(await lintMessages("operations/responses", limited(413))).toEqual([
    'createNote can fail with "odd" and has no response 413.',
  ]);
  expect(await lintFixture(buildDescription(limited(413)).replace("'400':", "4XX:"))).toEqual([]);
});

test("operations/responses: errors of the root count for whom something names them", async () => {
  const root = "x-errors: [{id: too-big, status: 413, field: null}]";
  expect(await lintFixture(buildDescription({ root }))).toEqual([]);
  expect(
    await lintMessages("operations/responses", {
      root,
      operation: "x-limits: [{id: some, kind: bytes, max: 9, error: too-big}]",
    }),
  ).toEqual(['createNote can fail with "too-big" and has no response 413.']);
});
