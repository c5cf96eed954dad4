import type { StateMachine } from "@plumbline/kit/model";
import { expect, test } from "vitest";
import { stateGraph } from "./states.js";

const origin = { file: "openapi.yaml", pointer: "" };
const node = { sources: [], origin };

function machineOf(states: readonly string[], from: readonly string[]): StateMachine {
  return {
    ...node,
    name: "DoorState",
    resource: "Door",
    states,
    hidden: { ajar: "open" },
    initial: [{ ...node, event: { kind: "operation", operation: "createDoor" }, to: "closed", then: [] }],
    transitions: [
      { ...node, event: { kind: "operation", operation: "openDoor" }, from, to: "opening", then: ["open"] },
      { ...node, event: { kind: "operation", operation: "pushDoor" }, from, to: "opening", then: ["open"] },
      {
        ...node,
        event: { kind: "after", after: { text: "PT1M", seconds: 60 } },
        from: ["open"],
        to: "$deleted",
        then: [],
      },
    ],
  };
}

test("transitions between the same states share an edge", () => {
  const { nodes, edges } = stateGraph(machineOf(["closed", "opening", "open", "ajar"], ["closed"]));
  expect(nodes.map(({ id, kind }) => `${id}: ${kind}`)).toEqual([
    "closed: state",
    "opening: state",
    "open: state",
    "ajar: hidden",
    "start of a life: start",
    "$deleted: end",
  ]);
  expect(edges.map(({ from, to, kind, label }) => [from, to, kind, label])).toEqual([
    ["start of a life", "closed", "operation", "createDoor"],
    ["closed", "opening", "operation", "openDoor\npushDoor"],
    ["opening", "open", "next", ""],
    ["open", "$deleted", "time", "after 1 minute"],
  ]);
});

test.each([
  [["closed", "opening", "open", "ajar"], "any state"],
  [["closed", "opening", "open", "ajar", "broken"], "any state but broken"],
])("transitions from many of %j have one node for them", (states, label) => {
  const { nodes, edges } = stateGraph(machineOf(states, ["closed", "opening", "open", "ajar"]));
  expect(nodes.filter(({ kind }) => kind === "several").map((each) => each.label)).toEqual([label]);
  expect(edges.filter(({ kind, label: text }) => kind === "operation" && text.includes("openDoor"))).toHaveLength(1);
});
