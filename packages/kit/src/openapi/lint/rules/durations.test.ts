import { expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages } from "../lint-fixture.support.js";

const limit = (window: string) => ({ operation: `x-limits: [{id: creates, kind: rate, max: 10, window: ${window}}]` });

test.each(["PT30S", "PT1.5S", "PT24H", "P30D", "P1DT12H", "P2W", "P1Y2M3DT4H5M6S"])(
  "%s is a duration",
  async (window) => {
    expect(await lintFixture(buildDescription(limit(window)))).toEqual([]);
  },
);

test.each([
  ["30", '"30" has no unit.'],
  ["'30'", '"30" has no unit.'],
  ["30s", '"30s" is not an ISO 8601 duration.'],
  ["P", '"P" is not an ISO 8601 duration.'],
  ["PT", '"PT" is not an ISO 8601 duration.'],
  ["P1DT", '"P1DT" is not an ISO 8601 duration.'],
  ["PT30", '"PT30" is not an ISO 8601 duration.'],
  ["P1H", '"P1H" is not an ISO 8601 duration.'],
  ["[PT30S]", "This is not an ISO 8601 duration."],
])("%s is none", async (window, message) => {
  expect((await lintFixture(buildDescription(limit(window)))).map((each) => `${each.code} ${each.message}`)).toEqual([
    `limits/unit ${message}`,
  ]);
});

test("those of a state machine are the machine's affair", async () => {
  const stateMachine = (after: string) => ({
    note: "x-resource: {owner: [user]}",
    properties: `status:
  type: string
  enum: [kept, lost]
  x-state-machine:
    initial: [{event: createNote, to: kept}]
    transitions: [{event: {after: ${after}}, from: [kept], to: lost}]`,
  });
  expect(await lintMessages("states/unit", stateMachine("24"))).toEqual(['"24" has no unit.']);
  expect(await lintFixture(buildDescription(stateMachine("PT24H")))).toEqual([]);
});
