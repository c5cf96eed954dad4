import type { Rule } from "../difference.js";

const registry = {
  "request-type-narrowed": {
    says: "{what} has to be {new}; it could be {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects requests that it accepted. Calls that pass another type do not compile.",
  },
  "request-type-widened": {
    says: "{what} may be {new}; it had to be {old}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler receives values that its types excluded before, and may not compile.",
  },
  "request-type-changed": {
    says: "{what} has to be {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "The server rejects requests that it accepted. Code on both sides does not compile.",
  },
  "request-null-added": {
    says: "{what} may be null.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler receives values that its types excluded before, and may not compile.",
  },
  "request-null-removed": {
    says: "{what} may no longer be null.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects requests that it accepted.",
  },
  "request-refused": {
    says: "The server rejects every value of {what}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects requests that it accepted.",
  },
  "request-allowed": {
    says: "The server no longer rejects every value of {what}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "The server still accepts what it accepted before; a handler has to support more values.",
  },
  "request-enum-added": {
    says: "{what} has to be one of {new}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects requests that it accepted.",
  },
  "request-enum-removed": {
    says: "{what} may be anything; it had to be one of {old}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler receives values that its types excluded before, and may not compile.",
  },
  "request-enum-value-added": {
    says: "{what} may be {new}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler that distinguishes the values receives an unknown one.",
  },
  "request-enum-value-removed": {
    says: "{what} may no longer be {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects requests that it accepted.",
  },
  "request-format-added": {
    says: "{what} has to have the format {new}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "The server rejects requests that it accepted.",
  },
  "request-format-removed": {
    says: "{what} no longer has to have the format {old}.",
    breaks: [],
    touches: ["implementers"],
    why: "The server still accepts what it accepted before; a handler has to support more values.",
  },
  "request-format-changed": {
    says: "{what} has the format {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The server rejects requests that it accepted.",
  },
  "request-pattern-added": {
    says: "{what} has to match {new}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "The server rejects requests that it accepted.",
  },
  "request-pattern-removed": {
    says: "{what} no longer has to match {old}.",
    breaks: [],
    touches: ["implementers"],
    why: "The server still accepts what it accepted before; a handler has to support more values.",
  },
  "request-pattern-changed": {
    says: "{what} has to match {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "It is undecidable in general whether every text that matched before still matches.",
  },
  "request-bound-tightened": {
    says: "{what} has a tighter bound: {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "The server rejects requests that it accepted.",
  },
  "request-bound-loosened": {
    says: "{what} has a looser bound: {new} instead of {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "The server still accepts what it accepted before; a handler has to support more values.",
  },
  "request-rule-added": {
    says: "{what} has to follow a new rule: {new}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "The server rejects requests that it accepted.",
  },
  "request-rule-removed": {
    says: "{what} no longer has to follow the rule {old}.",
    breaks: [],
    touches: ["implementers"],
    why: "The server still accepts what it accepted before; a handler has to support more values.",
  },
  "request-rule-changed": {
    says: "{what} has to follow the rule {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "It is undecidable in general whether every value that followed the old rule follows the new one.",
  },
  "request-branch-added": {
    says: "{what} may also be {new}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler receives values that its types excluded before, and may not compile.",
  },
  "request-branch-removed": {
    says: "{what} may no longer be {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects requests that it accepted.",
  },
  "request-discriminator-changed": {
    says: "The discriminator of {what} is {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "The same value selects another branch.",
  },
  "request-property-required-added": {
    says: "The required field {what} was added.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects requests without it, and calls without it do not compile.",
  },
  "request-property-added": {
    says: "The optional field {what} was added.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Callers may omit it.",
  },
  "request-property-removed": {
    says: "The field {what} was removed.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "Code that passes or reads it does not compile; the server rejects or ignores it in requests.",
  },
  "request-property-required": {
    says: "{what} is now required.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects requests without it, and calls without it do not compile.",
  },
  "request-property-optional": {
    says: "{what} is no longer required.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "It may be absent. A handler that reads it without a check does not compile.",
  },
  "request-default-changed": {
    says: "The default of {what} is {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Requests that omit it have another meaning.",
  },
} as const;

export type RequestCode = keyof typeof registry;

export const requestShapes: Readonly<Record<RequestCode, Rule>> = registry;
