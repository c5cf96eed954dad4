import type { DifferenceRule } from "../rule.js";

const registry = {
  "resource-added": {
    message: "{what} is now a resource.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "A server has to load such objects, and does not compile without a loader.",
  },
  "resource-removed": {
    message: "{what} is no longer a resource.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "A server no longer loads such objects, and code with a loader for them does not compile.",
  },
  "resource-owner-changed": {
    message: "{what} belongs to {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    affects: [],
    reason: "Other callers than before can read and change it.",
  },
  "resource-changed": {
    message: "The resource {what} is {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    affects: [],
    reason: "The server loads it, shares it or transfers it in another way.",
  },
  "reference-added": {
    message: "{what} has to refer to a resource: {new}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server accepted values that refer to no object.",
  },
  "reference-removed": {
    message: "{what} no longer has to refer to a resource; it was {old}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "The server still accepts the values that it accepted before.",
  },
  "reference-changed": {
    message: "{what} has to refer to {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "Values that the server accepted may refer to no matching object.",
  },
  "state-machine-added": {
    message: "{what} has a state machine.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "It documents existing behavior; the errors of operations are differences of their own.",
  },
  "state-machine-removed": {
    message: "{what} no longer has a state machine.",
    breaks: ["callers"],
    affects: ["implementers", "wire"],
    reason: "Code that waits for a state by name does not compile.",
  },
  "state-machine-changed": {
    message: "The state machine {what} belongs to {new} instead of {old}.",
    breaks: ["callers", "implementers"],
    affects: ["wire"],
    reason: "The state is a property of another object or field.",
  },
  "state-added": {
    message: "{what} has a new state, {new}.",
    breaks: [],
    affects: ["callers", "implementers", "wire"],
    reason: "Where it is visible, it is a new enum value, which is a difference of its own.",
  },
  "state-removed": {
    message: "{what} no longer has the state {old}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Programs that wait for this state never see it.",
  },
  "hidden-state-changed": {
    message: "A state of {what} appears as {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "Programs see another state at the same moment.",
  },
  "state-order-changed": {
    message: "The order of the states of {what} changed.",
    breaks: [],
    affects: ["callers"],
    reason: "The order has no meaning.",
  },
  "initial-state-added": {
    message: "{what} has a new initial state: {new}.",
    breaks: [],
    affects: ["callers", "implementers", "wire"],
    reason: "Objects that are created as before start in the same state.",
  },
  "initial-state-removed": {
    message: "{what} no longer has the initial state: {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "Programs that wait for a later state may never see it.",
  },
  "initial-state-changed": {
    message: "{what} starts {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The same request leads to other states.",
  },
  "transition-added": {
    message: "{what} has a new transition: {new}.",
    breaks: [],
    affects: ["callers", "implementers", "wire"],
    reason: "Existing transitions stay possible.",
  },
  "transition-removed": {
    message: "{what} no longer has the transition: {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server rejects requests for it, and programs that wait for it never see it.",
  },
  "transition-from-added": {
    message: "{what} has this transition from {new} too.",
    breaks: [],
    affects: ["callers", "implementers", "wire"],
    reason: "Existing transitions stay possible.",
  },
  "transition-from-removed": {
    message: "{what} no longer has this transition from {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server rejects the transition in these states.",
  },
  "transition-changed": {
    message: "{what} has the transition {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The same request leads to other states, or fails with another error.",
  },
} as const;

export type ResourceRuleCode = keyof typeof registry;

export const resourceRules: Readonly<Record<ResourceRuleCode, DifferenceRule>> = registry;
