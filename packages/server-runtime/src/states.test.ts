import { describe, expect, test } from "vitest";
import { nothingFound, type Facts } from "./facts.js";
import { refusedBy, type StateRule } from "./states.js";

const facts: Facts = { caller: undefined, input: {}, body: {}, target: {}, refs: nothingFound };

describe("an operation with a transition from some states", () => {
  const boots = { from: ["offline"], else: "instance-busy" };
  const rule: StateRule = { machine: "InstanceStatus", resource: "Instance", field: "status", moves: [boots] };

  test("is allowed in one of them", () => {
    expect(refusedBy(rule, "offline", facts)).toBeUndefined();
  });

  test("is an error in any other state", () => {
    expect(refusedBy(rule, "running", facts)).toBe(boots);
  });
});

describe("an operation with two transitions", () => {
  const first = { from: ["a"], when: { changes: ["label"] }, else: "first" };
  const second = { from: ["b"], when: { changes: ["label", "size"] }, else: "second" };
  const rule: StateRule = { machine: "M", resource: "R", moves: [first, second] };

  test.each([
    ["both fit, the first begins there", "a", { label: "x", size: 1 }, undefined],
    ["both fit, the second begins there", "b", { label: "x", size: 1 }, undefined],
    ["both conditions hold, neither starts there", "c", { label: "x", size: 1 }, first],
    ["one fits, and begins there", "b", { size: 1 }, undefined],
    ["one fits, the other begins there", "a", { size: 1 }, second],
    ["no condition holds", "c", {}, undefined],
  ])("%s", (_, state, body, refused) => {
    expect(refusedBy(rule, state, { ...facts, body })).toBe(refused);
  });
});
