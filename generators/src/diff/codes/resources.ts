import type { Rule } from "../difference.js";

const registry = {
  "resource-added": {
    says: "{what} is now a resource.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A server has to load such objects, and does not compile without a loader.",
  },
  "resource-removed": {
    says: "{what} is no longer a resource.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A server no longer loads such objects, and code with a loader for them does not compile.",
  },
  "resource-owner-changed": {
    says: "{what} belongs to {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: [],
    why: "Other callers than before can read and change it.",
  },
  "resource-changed": {
    says: "The resource {what} is {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: [],
    why: "The server loads it, shares it or transfers it in another way.",
  },
  "reference-added": {
    says: "{what} has to refer to a resource: {new}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The server accepted values that refer to no object.",
  },
  "reference-removed": {
    says: "{what} no longer has to refer to a resource; it was {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "The server still accepts the values that it accepted before.",
  },
  "reference-changed": {
    says: "{what} has to refer to {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Values that the server accepted may refer to no matching object.",
  },
  "machine-added": {
    says: "{what} has a state machine.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "It documents existing behavior; the errors of operations are differences of their own.",
  },
  "machine-removed": {
    says: "{what} no longer has a state machine.",
    breaks: ["callers"],
    touches: ["implementers", "wire"],
    why: "Code that waits for a state by name does not compile.",
  },
  "machine-changed": {
    says: "The state machine {what} belongs to {new} instead of {old}.",
    breaks: ["callers", "implementers"],
    touches: ["wire"],
    why: "The state is a property of another object or field.",
  },
  "state-added": {
    says: "{what} has a new state, {new}.",
    breaks: [],
    touches: ["callers", "implementers", "wire"],
    why: "Where it is visible, it is a new enum value, which is a difference of its own.",
  },
  "state-removed": {
    says: "{what} no longer has the state {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Programs that wait for this state never see it.",
  },
  "state-shown-changed": {
    says: "A state of {what} appears as {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Programs see another state at the same moment.",
  },
  "state-order-changed": {
    says: "The order of the states of {what} changed.",
    breaks: [],
    touches: ["callers"],
    why: "The order has no meaning.",
  },
  "start-added": {
    says: "{what} has a new initial state: {new}.",
    breaks: [],
    touches: ["callers", "implementers", "wire"],
    why: "Objects that are created as before start in the same state.",
  },
  "start-removed": {
    says: "{what} no longer has the initial state: {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Programs that wait for a later state may never see it.",
  },
  "start-changed": {
    says: "{what} starts {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The same request leads to other states.",
  },
  "transition-added": {
    says: "{what} has a new transition: {new}.",
    breaks: [],
    touches: ["callers", "implementers", "wire"],
    why: "Existing transitions stay possible.",
  },
  "transition-removed": {
    says: "{what} no longer has the transition: {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The server rejects requests for it, and programs that wait for it never see it.",
  },
  "transition-from-added": {
    says: "{what} has this transition from {new} too.",
    breaks: [],
    touches: ["callers", "implementers", "wire"],
    why: "Existing transitions stay possible.",
  },
  "transition-from-removed": {
    says: "{what} no longer has this transition from {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The server rejects the transition in these states.",
  },
  "transition-changed": {
    says: "{what} has the transition {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The same request leads to other states, or fails with another error.",
  },
} as const;

export type ResourceCode = keyof typeof registry;

export const resources: Readonly<Record<ResourceCode, Rule>> = registry;
