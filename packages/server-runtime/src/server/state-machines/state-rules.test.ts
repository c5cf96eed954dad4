import { describe, expect, test } from "vitest";
import { noRows, type EvaluationContext } from "../conditions/evaluation-context.js";
import { violatedTransition, type StateRule } from "./state-rules.js";

const facts: EvaluationContext = { caller: undefined, input: {}, body: {}, target: {}, refs: noRows };

describe("an operation with a transition from some states", () => {
  const boots = { from: ["offline"], error: "instance-busy" };
  const rule: StateRule = {
    stateMachine: "InstanceStatus",
    resource: "Instance",
    field: "status",
    transitions: [boots],
  };

  test("is allowed in one of them", () => {
    expect(violatedTransition(rule, "offline", facts)).toBeUndefined();
  });

  test("is an error in any other state", () => {
    expect(violatedTransition(rule, "running", facts)).toBe(boots);
  });
});

describe("an operation with two transitions", () => {
  const first = { from: ["a"], when: { changes: ["label"] }, error: "first" };
  const second = { from: ["b"], when: { changes: ["label", "size"] }, error: "second" };
  const rule: StateRule = { stateMachine: "M", resource: "R", transitions: [first, second] };

  test.each([
    ["both fit, the first begins there", "a", { label: "x", size: 1 }, undefined],
    ["both fit, the second begins there", "b", { label: "x", size: 1 }, undefined],
    ["both conditions hold, neither starts there", "c", { label: "x", size: 1 }, first],
    ["one fits, and begins there", "b", { size: 1 }, undefined],
    ["one fits, the other begins there", "a", { size: 1 }, second],
    ["no condition holds", "c", {}, undefined],
  ])("%s", (_, state, body, rejected) => {
    expect(violatedTransition(rule, state, { ...facts, body })).toBe(rejected);
  });
});
