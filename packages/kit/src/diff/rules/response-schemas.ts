import type { DifferenceRule } from "../rule.js";

const registry = {
  "response-type-narrowed": {
    message: "{what} is always {new}; it could be {old}.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "response-type-widened": {
    message: "{what} may be {new}; it was always {old}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Programs may receive values that the description excluded, and code that reads them may not compile.",
  },
  "response-type-changed": {
    message: "{what} is {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    affects: [],
    reason: "Programs may receive values that the description excluded, and code that reads them may not compile.",
  },
  "response-null-added": {
    message: "{what} may be null.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Programs may receive values that the description excluded, and code that reads them may not compile.",
  },
  "response-null-removed": {
    message: "{what} is no longer null.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "response-forbidden": {
    message: "{what} is never present.",
    breaks: ["callers", "implementers", "wire"],
    affects: [],
    reason: "Programs that read it find no value.",
  },
  "response-allowed": {
    message: "{what} may be present.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "No existing code reads it.",
  },
  "response-item-allowed": {
    message: "{what} may be present.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Programs that go through all items may receive one that the description excluded.",
  },
  "response-enum-added": {
    message: "{what} is always one of {new}.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "response-enum-removed": {
    message: "{what} may be anything; it was one of {old}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Programs may receive values that the description excluded, and code that reads them may not compile.",
  },
  "response-enum-value-added": {
    message: "{what} may be {new}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Programs may receive a value that they do not know, and code that lists all values may not compile.",
  },
  "response-enum-value-removed": {
    message: "{what} is no longer {old}.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "response-format-added": {
    message: "{what} always has the format {new}.",
    breaks: ["implementers"],
    affects: [],
    reason: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "response-format-removed": {
    message: "{what} no longer always has the format {old}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "Programs may receive values that the description excluded.",
  },
  "response-format-changed": {
    message: "{what} has the format {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    affects: ["callers"],
    reason:
      "Programs that parse the old format cannot parse the new one, and a handler that returns the old format fails.",
  },
  "response-pattern-added": {
    message: "{what} always matches {new}.",
    breaks: ["implementers"],
    affects: [],
    reason: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "response-pattern-removed": {
    message: "{what} no longer always matches {old}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "Programs may receive values that the description excluded.",
  },
  "response-pattern-changed": {
    message: "{what} matches {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    affects: ["callers"],
    reason: "It is undecidable in general whether every text that matches now matched before.",
  },
  "response-bound-tightened": {
    message: "{what} has a tighter bound: {new} instead of {old}.",
    breaks: ["implementers"],
    affects: [],
    reason: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "response-bound-loosened": {
    message: "{what} has a looser bound: {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "Programs that rely on the old bound may receive values beyond it.",
  },
  "response-bound-changed": {
    message: "{what} has another bound: {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    affects: ["callers"],
    reason: "Programs may receive values that the description excluded, and a handler that returns an old one fails.",
  },
  "response-rule-added": {
    message: "{what} follows a new rule: {new}.",
    breaks: ["implementers"],
    affects: [],
    reason: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "response-rule-removed": {
    message: "{what} no longer follows the rule {old}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "Programs may receive values that the description excluded.",
  },
  "response-rule-changed": {
    message: "{what} follows the rule {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    affects: ["callers"],
    reason: "It is undecidable in general whether every value that follows the new rule followed the old one.",
  },
  "response-branch-added": {
    message: "{what} may also be {new}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Programs may receive values that the description excluded, and code that reads them may not compile.",
  },
  "response-branch-removed": {
    message: "{what} is no longer {old}.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "response-discriminator-changed": {
    message: "The discriminator of {what} is {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    affects: [],
    reason: "The same value selects another branch.",
  },
  "response-property-required-added": {
    message: "The required field {what} was added.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "Handlers that do not return it do not compile.",
  },
  "response-property-added": {
    message: "The optional field {what} was added.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Handlers may omit it; readers have to ignore unknown fields.",
  },
  "response-property-removed": {
    message: "The field {what} was removed.",
    breaks: ["callers", "implementers", "wire"],
    affects: [],
    reason: "Programs no longer receive it, and code that reads or returns it does not compile.",
  },
  "response-property-required": {
    message: "{what} is now always present.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "Handlers that omit it do not compile.",
  },
  "response-property-optional": {
    message: "{what} may be absent.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Programs may rely on it, and code that reads it without a check does not compile.",
  },
  "response-default-changed": {
    message: "The default of {what} is {new} instead of {old}.",
    breaks: [],
    affects: ["callers"],
    reason: "In a response a default is documentation.",
  },
} as const;

export type ResponseSchemaRuleCode = keyof typeof registry;

export const responseSchemaRules: Readonly<Record<ResponseSchemaRuleCode, DifferenceRule>> = registry;
