import type { Rule } from "../difference.js";

const registry = {
  "reply-type-narrowed": {
    says: "{what} is always {new}; it could be {old}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "reply-type-widened": {
    says: "{what} may be {new}; it was always {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Programs may receive values that the description excluded, and code that reads them may not compile.",
  },
  "reply-type-changed": {
    says: "{what} is {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "Programs may receive values that the description excluded, and code that reads them may not compile.",
  },
  "reply-null-added": {
    says: "{what} may be null.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Programs may receive values that the description excluded, and code that reads them may not compile.",
  },
  "reply-null-removed": {
    says: "{what} is no longer null.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "reply-refused": {
    says: "{what} is never present.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "Programs that read it find no value.",
  },
  "reply-allowed": {
    says: "{what} may be present.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "No existing code reads it.",
  },
  "reply-enum-added": {
    says: "{what} is always one of {new}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "reply-enum-removed": {
    says: "{what} may be anything; it was one of {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Programs may receive values that the description excluded, and code that reads them may not compile.",
  },
  "reply-enum-value-added": {
    says: "{what} may be {new}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Programs may receive a value that they do not know, and code that lists all values may not compile.",
  },
  "reply-enum-value-removed": {
    says: "{what} is no longer {old}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "reply-format-added": {
    says: "{what} always has the format {new}.",
    breaks: ["implementers"],
    touches: [],
    why: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "reply-format-removed": {
    says: "{what} no longer always has the format {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs may receive values that the description excluded.",
  },
  "reply-format-changed": {
    says: "{what} has the format {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "Programs that parse the old format cannot parse the new one, and a handler that returns the old format fails.",
  },
  "reply-pattern-added": {
    says: "{what} always matches {new}.",
    breaks: ["implementers"],
    touches: [],
    why: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "reply-pattern-removed": {
    says: "{what} no longer always matches {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs may receive values that the description excluded.",
  },
  "reply-pattern-changed": {
    says: "{what} matches {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "It is undecidable in general whether every text that matches now matched before.",
  },
  "reply-bound-tightened": {
    says: "{what} has a tighter bound: {new} instead of {old}.",
    breaks: ["implementers"],
    touches: [],
    why: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "reply-bound-loosened": {
    says: "{what} has a looser bound: {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs that rely on the old bound may receive values beyond it.",
  },
  "reply-rule-added": {
    says: "{what} follows a new rule: {new}.",
    breaks: ["implementers"],
    touches: [],
    why: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "reply-rule-removed": {
    says: "{what} no longer follows the rule {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs may receive values that the description excluded.",
  },
  "reply-rule-changed": {
    says: "{what} follows the rule {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "It is undecidable in general whether every value that follows the new rule followed the old one.",
  },
  "reply-branch-added": {
    says: "{what} may also be {new}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Programs may receive values that the description excluded, and code that reads them may not compile.",
  },
  "reply-branch-removed": {
    says: "{what} is no longer {old}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Readers already handle it. A handler that returns a value that is no longer allowed fails.",
  },
  "reply-discriminator-changed": {
    says: "The discriminator of {what} is {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "The same value selects another branch.",
  },
  "reply-property-required-added": {
    says: "The required field {what} was added.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Handlers that do not return it do not compile.",
  },
  "reply-property-added": {
    says: "The optional field {what} was added.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Handlers may omit it; readers have to ignore unknown fields.",
  },
  "reply-property-removed": {
    says: "The field {what} was removed.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "Programs no longer receive it, and code that reads or returns it does not compile.",
  },
  "reply-property-required": {
    says: "{what} is now always present.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Handlers that omit it do not compile.",
  },
  "reply-property-optional": {
    says: "{what} may be absent.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Programs may rely on it, and code that reads it without a check does not compile.",
  },
  "reply-default-changed": {
    says: "The default of {what} is {new} instead of {old}.",
    breaks: [],
    touches: ["callers"],
    why: "In a response a default is documentation.",
  },
} as const;

export type ReplyCode = keyof typeof registry;

export const replyShapes: Readonly<Record<ReplyCode, Rule>> = registry;
