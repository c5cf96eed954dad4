import { readCondition } from "./condition-fixture.support.js";
import { expect, test } from "vitest";
import { describeCondition } from "./conditions.js";

test.each([
  ["body: {required: [image]}", "`image` is present"],
  ["body: {properties: {tags: {minItems: 1}}, required: [tags]}", "`tags` has at least 1 item"],
  ["body: {properties: {booted: {const: false}}}", "`booted` is absent or is `false`"],
  ["body: {not: {anyOf: [{required: [a]}, {required: [b]}]}}", "not: `a` is present or `b` is present"],
  [
    "target: {properties: {status: {enum: [on, off]}}, required: [status]}",
    'the object’s `status` is `"on"` or `"off"`',
  ],
  [
    "caller: {properties: {account: {properties: {total: {minimum: 25}}, required: [total]}}, required: [account]}",
    "the caller’s `account.total` is at least 25",
  ],
  ["changes: [tags], body: {required: [a]}", "`a` is present, and `tags` changes"],
  ["compare: [$request.body#/disk, lt, $target#/disk]", "`disk` in the body is less than the object’s `disk`"],
])("{%s}: %s", async (when, text) => {
  expect(
    describeCondition(await readCondition(when))
      .toString()
      .replaceAll(/<\/?code>/g, "`")
      .replaceAll("&quot;", '"'),
  ).toBe(text);
});
