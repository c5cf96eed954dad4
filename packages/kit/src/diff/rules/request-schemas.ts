import type { DifferenceRule } from "../rule.js";

const registry = {
  "request-type-narrowed": {
    message: "{what} has to be {new}; it could be {old}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects requests that it accepted. Calls that pass another type do not compile.",
  },
  "request-type-widened": {
    message: "{what} may be {new}; it had to be {old}.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "A handler receives values that its types excluded before, and may not compile.",
  },
  "request-type-changed": {
    message: "{what} has to be {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    affects: [],
    reason: "The server rejects requests that it accepted. Code on both sides does not compile.",
  },
  "request-null-added": {
    message: "{what} may be null.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "A handler receives values that its types excluded before, and may not compile.",
  },
  "request-null-removed": {
    message: "{what} may no longer be null.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects requests that it accepted.",
  },
  "request-forbidden": {
    message: "The server rejects every value of {what}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects requests that it accepted.",
  },
  "request-allowed": {
    message: "The server no longer rejects every value of {what}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "The server still accepts what it accepted before; a handler has to support more values.",
  },
  "request-enum-added": {
    message: "{what} has to be one of {new}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects requests that it accepted.",
  },
  "request-enum-removed": {
    message: "{what} may be anything; it had to be one of {old}.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "A handler receives values that its types excluded before, and may not compile.",
  },
  "request-enum-value-added": {
    message: "{what} may be {new}.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "A handler that distinguishes the values receives an unknown one.",
  },
  "request-enum-value-removed": {
    message: "{what} may no longer be {old}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects requests that it accepted.",
  },
  "request-format-added": {
    message: "{what} has to have the format {new}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "The server rejects requests that it accepted.",
  },
  "request-format-removed": {
    message: "{what} no longer has to have the format {old}.",
    breaks: [],
    affects: ["implementers"],
    reason: "The server still accepts what it accepted before; a handler has to support more values.",
  },
  "request-format-changed": {
    message: "{what} has the format {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server rejects requests that it accepted.",
  },
  "request-pattern-added": {
    message: "{what} has to match {new}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "The server rejects requests that it accepted.",
  },
  "request-pattern-removed": {
    message: "{what} no longer has to match {old}.",
    breaks: [],
    affects: ["implementers"],
    reason: "The server still accepts what it accepted before; a handler has to support more values.",
  },
  "request-pattern-changed": {
    message: "{what} has to match {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "It is undecidable in general whether every text that matched before still matches.",
  },
  "request-bound-tightened": {
    message: "{what} has a tighter bound: {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "The server rejects requests that it accepted.",
  },
  "request-bound-loosened": {
    message: "{what} has a looser bound: {new} instead of {old}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "The server still accepts what it accepted before; a handler has to support more values.",
  },
  "request-bound-changed": {
    message: "{what} has another bound: {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server rejects requests that it accepted.",
  },
  "request-rule-added": {
    message: "{what} has to follow a new rule: {new}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "The server rejects requests that it accepted.",
  },
  "request-rule-removed": {
    message: "{what} no longer has to follow the rule {old}.",
    breaks: [],
    affects: ["implementers"],
    reason: "The server still accepts what it accepted before; a handler has to support more values.",
  },
  "request-rule-changed": {
    message: "{what} has to follow the rule {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "It is undecidable in general whether every value that followed the old rule follows the new one.",
  },
  "request-branch-added": {
    message: "{what} may also be {new}.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "A handler receives values that its types excluded before, and may not compile.",
  },
  "request-branch-overlapping-added": {
    message: "{what} may also be {new}, which overlaps with {old}.",
    breaks: ["implementers", "wire"],
    affects: ["callers"],
    reason: "The server rejects values that match both, and a handler receives values that its types excluded before.",
  },
  "request-branch-removed": {
    message: "{what} may no longer be {old}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects requests that it accepted.",
  },
  "request-discriminator-changed": {
    message: "The discriminator of {what} is {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    affects: [],
    reason: "The same value selects another branch.",
  },
  "request-property-required-added": {
    message: "The required field {what} was added.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects requests without it, and calls without it do not compile.",
  },
  "request-property-added": {
    message: "The optional field {what} was added.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Callers may omit it.",
  },
  "request-property-removed": {
    message: "The field {what} was removed.",
    breaks: ["callers", "implementers", "wire"],
    affects: [],
    reason: "Code that passes or reads it does not compile; the server rejects or ignores it in requests.",
  },
  "request-property-required": {
    message: "{what} is now required.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects requests without it, and calls without it do not compile.",
  },
  "request-property-optional": {
    message: "{what} is no longer required.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "It may be absent. A handler that reads it without a check does not compile.",
  },
  "request-default-changed": {
    message: "The default of {what} is {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "Requests that omit it have another meaning.",
  },
} as const;

export type RequestSchemaRuleCode = keyof typeof registry;

export const requestSchemaRules: Readonly<Record<RequestSchemaRuleCode, DifferenceRule>> = registry;
