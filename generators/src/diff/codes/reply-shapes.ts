import type { Rule } from "../difference.js";

const registry = {
  "reply-type-narrowed": {
    says: "{what} is always {new}; it could be {old}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Readers know it already. A handler that gives what is no longer allowed fails.",
  },
  "reply-type-widened": {
    says: "{what} may be {new}; it was always {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Programs that read replies meet what they were told would not come, and code that reads it may not compile.",
  },
  "reply-type-changed": {
    says: "{what} is {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "Programs that read replies meet what they were told would not come, and code that reads it may not compile.",
  },
  "reply-null-added": {
    says: "{what} may be null.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Programs that read replies meet what they were told would not come, and code that reads it may not compile.",
  },
  "reply-null-removed": {
    says: "{what} is no longer null.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Readers know it already. A handler that gives what is no longer allowed fails.",
  },
  "reply-refused": {
    says: "{what} is never there.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "Who reads it finds nothing.",
  },
  "reply-allowed": {
    says: "{what} may be there.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Nobody reads it yet.",
  },
  "reply-enum-added": {
    says: "{what} is always one of {new}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Readers know it already. A handler that gives what is no longer allowed fails.",
  },
  "reply-enum-removed": {
    says: "{what} may be anything; it was one of {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Programs that read replies meet what they were told would not come, and code that reads it may not compile.",
  },
  "reply-enum-value-added": {
    says: "{what} may be {new}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Who tells the values apart meets one that it does not know, and code that names them all does not compile.",
  },
  "reply-enum-value-removed": {
    says: "{what} is no longer {old}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Readers know it already. A handler that gives what is no longer allowed fails.",
  },
  "reply-format-added": {
    says: "{what} is always of the format {new}.",
    breaks: ["implementers"],
    touches: [],
    why: "Readers know it already. A handler that gives what is no longer allowed fails.",
  },
  "reply-format-removed": {
    says: "{what} is no longer always of the format {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs that read replies meet what they were told would not come.",
  },
  "reply-format-changed": {
    says: "{what} is of the format {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "Programs that parse the old format cannot parse the new one, and a handler that gives it fails.",
  },
  "reply-pattern-added": {
    says: "{what} always matches {new}.",
    breaks: ["implementers"],
    touches: [],
    why: "Readers know it already. A handler that gives what is no longer allowed fails.",
  },
  "reply-pattern-removed": {
    says: "{what} no longer always matches {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs that read replies meet what they were told would not come.",
  },
  "reply-pattern-changed": {
    says: "{what} matches {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "Whether every text that matches now matched before cannot be told.",
  },
  "reply-bound-tightened": {
    says: "{what} keeps a tighter bound: {new} instead of {old}.",
    breaks: ["implementers"],
    touches: [],
    why: "Readers know it already. A handler that gives what is no longer allowed fails.",
  },
  "reply-bound-loosened": {
    says: "{what} keeps only a looser bound: {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs that made room for the old bound meet more than fits.",
  },
  "reply-rule-added": {
    says: "{what} keeps a rule: {new}.",
    breaks: ["implementers"],
    touches: [],
    why: "Readers know it already. A handler that gives what is no longer allowed fails.",
  },
  "reply-rule-removed": {
    says: "{what} no longer keeps a rule: {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs that read replies meet what they were told would not come.",
  },
  "reply-rule-changed": {
    says: "{what} keeps the rule {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "Whether everything that keeps the new rule kept the old one cannot be told.",
  },
  "reply-branch-added": {
    says: "{what} may also be {new}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Programs that read replies meet what they were told would not come, and code that reads it may not compile.",
  },
  "reply-branch-removed": {
    says: "{what} is no longer {old}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Readers know it already. A handler that gives what is no longer allowed fails.",
  },
  "reply-discriminator-changed": {
    says: "{what} is told apart by {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "The same value stands for another branch.",
  },
  "reply-property-required-added": {
    says: "There is a field {what}, which is always there.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Handlers that do not give it do not compile.",
  },
  "reply-property-added": {
    says: "There may be a field {what}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Nobody has to read it or give it; readers have to pass over what they do not know.",
  },
  "reply-property-removed": {
    says: "There is no field {what} any more.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "Who reads it finds nothing, and code that reads or gives it does not compile.",
  },
  "reply-property-required": {
    says: "{what} is now always there.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "Handlers that leave it out do not compile.",
  },
  "reply-property-optional": {
    says: "{what} may be absent.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Who counts on it finds nothing, and code that reads it without looking does not compile.",
  },
  "reply-default-changed": {
    says: "The default of {what} is {new} instead of {old}.",
    breaks: [],
    touches: ["callers"],
    why: "In a reply a default is documentation.",
  },
} as const;

export type ReplyCode = keyof typeof registry;

export const replyShapes: Readonly<Record<ReplyCode, Rule>> = registry;
