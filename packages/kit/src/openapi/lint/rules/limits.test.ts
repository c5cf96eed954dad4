import { describe, expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages } from "../lint-fixture.support.js";

describe("limits/duplicate", () => {
  const other = (max: number) => `
/more:
  get:
    operationId: more
    summary: More
    tags: [notes]
    x-limits: [{max: ${max}, id: creates, kind: rate, window: PT30S, x-source: [elsewhere]}]
    responses: {'200': {description: More}, '400': {description: Less}}`;

  test("one id cannot be two bounds", async () => {
    const operation = "x-limits: [{max: 10, id: creates, kind: rate, window: PT30S}]";
    expect(await lintMessages("limits/duplicate", { operation, paths: other(20) })).toEqual([
      'Another limit is called "creates" too, and says something else.',
    ]);
    expect(await lintMessages("limits/duplicate", { operation, paths: other(10) })).toEqual([]);
  });
});

describe("limits/unknown", () => {
  const stateMachine = (limit: string) => ({
    operation: "x-limits: [{id: losses, kind: rate, max: 5, window: PT1H}]",
    note: `x-resource: {owner: [user]}
x-state-machine:
  states: [kept, lost]
  initial: [{event: createNote, to: kept}]
  transitions: [{event: {platform: loses}, from: [kept], to: lost, limit: ${limit}}]`,
  });

  test("a transition names a limit that is there", async () => {
    expect(await lintMessages("limits/unknown", stateMachine("loses"))).toEqual(['There is no limit "loses".']);
    expect(await lintFixture(buildDescription(stateMachine("losses")))).toEqual([]);
  });
});

describe("limits/field", () => {
  const unique = (by: string) => ({
    operation: `x-limits: [{id: one-of-each, kind: unique, by: [${by}], within: account}]`,
  });

  test("of an operation are in its body", async () => {
    expect(await lintMessages("limits/field", unique("txet"))).toEqual(['There is no field "txet" here.']);
    expect(await lintFixture(buildDescription(unique("text")))).toEqual([]);
  });

  test("of a list are in its items, of a property around it", async () => {
    const answers = (by: string) => ({
      properties: `answers:
  type: array
  items: {type: object, properties: {question_id: {type: integer}}}
  x-limits: [{id: once, kind: unique, by: [${by}], within: array}]
label: {type: string, maxLength: 9, x-limits: [{id: both, kind: combined-length, max: 20, by: [label, text]}]}`,
    });
    expect(await lintFixture(buildDescription(answers("question_id")))).toEqual([]);
    expect(await lintMessages("limits/field", answers("question"))).toEqual(['There is no field "question" here.']);
  });
});

describe("limits/unique", () => {
  const key = "x-limits: [{id: one, kind: unique, by: [text], within: account}]";

  test("a key is set by requests, or belongs to a resource", async () => {
    expect(await lintMessages("limits/unique", { operation: key })).toEqual([]);
    const paths = `
/more:
  get:
    operationId: more
    summary: More
    tags: [notes]
    ${key}
    responses: {'200': {description: More}, '400': {description: Less}}`;
    expect(await lintMessages("limits/unique", { paths })).toEqual([
      "Nothing compares this key: no request sets it, and it belongs to no resource.",
    ]);
  });

  test("within an array there are items to compare", async () => {
    const within = (type: string) => ({
      properties: `answers: {${type}, x-limits: [{id: once, kind: unique, within: array}]}`,
    });
    expect(await lintMessages("limits/unique", within("type: array, items: {type: string}"))).toEqual([]);
    expect(await lintMessages("limits/unique", within("type: string"))).toEqual([
      "This compares the items of an array, and there is no array here.",
    ]);
  });
});
