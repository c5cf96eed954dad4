import type { Rule } from "../difference.js";

const registry = {
  "resource-added": {
    says: "{what} is a resource.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A server has to look such objects up, and does not compile before it can.",
  },
  "resource-removed": {
    says: "{what} is no longer a resource.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A server no longer looks such objects up, and code that does so for it does not compile.",
  },
  "resource-owner-changed": {
    says: "{what} belongs to {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: [],
    why: "Others see and change it than before.",
  },
  "resource-changed": {
    says: "The resource {what} is {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: [],
    why: "It is looked up, shared or given away otherwise.",
  },
  "reference-added": {
    says: "{what} has to name a resource: {new}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Values that name nothing were accepted.",
  },
  "reference-removed": {
    says: "{what} no longer has to name a resource; it was {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Values that were accepted still are.",
  },
  "reference-changed": {
    says: "{what} has to name {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Values that were accepted may name nothing that fits.",
  },
  "machine-added": {
    says: "{what} has states and moves.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "It tells what happened before; what operations refuse is told as errors.",
  },
  "machine-removed": {
    says: "Nothing is said of the states of {what} any more.",
    breaks: ["callers"],
    touches: ["implementers", "wire"],
    why: "Code that waits for a state by name does not compile.",
  },
  "machine-changed": {
    says: "The states {what} are those of {new} instead of {old}.",
    breaks: ["callers", "implementers"],
    touches: ["wire"],
    why: "The states are found at another object or field.",
  },
  "state-added": {
    says: "{what} has a state {new}.",
    breaks: [],
    touches: ["callers", "implementers", "wire"],
    why: "Where it is shown, it is a new value of an enum, and told as one.",
  },
  "state-removed": {
    says: "{what} no longer has the state {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Programs that wait for it wait in vain.",
  },
  "state-shown-changed": {
    says: "A state of {what} is shown as {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Programs see another state at the same moment.",
  },
  "state-order-changed": {
    says: "The states of {what} come in another order.",
    breaks: [],
    touches: ["callers"],
    why: "The order says nothing about what happens.",
  },
  "start-added": {
    says: "{what} can also begin so: {new}.",
    breaks: [],
    touches: ["callers", "implementers", "wire"],
    why: "Objects that come to be as before begin as before.",
  },
  "start-removed": {
    says: "{what} no longer begins so: {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Programs that wait for what follows from it wait in vain.",
  },
  "start-changed": {
    says: "{what} begins {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The same request leads through other states.",
  },
  "transition-added": {
    says: "{what} can move so: {new}.",
    breaks: [],
    touches: ["callers", "implementers", "wire"],
    why: "Moves that were possible still are.",
  },
  "transition-removed": {
    says: "{what} no longer moves so: {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Requests for it are refused, and who waits for it waits in vain.",
  },
  "transition-from-added": {
    says: "{what} can move so from {new} too.",
    breaks: [],
    touches: ["callers", "implementers", "wire"],
    why: "Moves that were possible still are.",
  },
  "transition-from-removed": {
    says: "{what} no longer moves so from {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "What was possible in these states is refused.",
  },
  "transition-changed": {
    says: "{what} moves {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The same request leads through other states, or is refused with another error.",
  },
} as const;

export type ResourceCode = keyof typeof registry;

export const resources: Readonly<Record<ResourceCode, Rule>> = registry;
