import type { Rule } from "../difference.js";

const registry = {
  "request-type-narrowed": {
    says: "{what} has to be {new}; it could be {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Requests that were accepted are refused. Calls that give another type do not compile.",
  },
  "request-type-widened": {
    says: "{what} may be {new}; it had to be {old}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler meets what its types did not allow before, and may not compile.",
  },
  "request-type-changed": {
    says: "{what} has to be {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "Requests that were accepted are refused. Code on both sides does not compile.",
  },
  "request-null-added": {
    says: "{what} may be null.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler meets what its types did not allow before, and may not compile.",
  },
  "request-null-removed": {
    says: "{what} may no longer be null.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Requests that were accepted are refused.",
  },
  "request-refused": {
    says: "{what} is refused whatever it is.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Requests that were accepted are refused.",
  },
  "request-allowed": {
    says: "{what} is no longer refused.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "What was accepted still is; a handler has to cope with more.",
  },
  "request-enum-added": {
    says: "{what} has to be one of {new}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Requests that were accepted are refused.",
  },
  "request-enum-removed": {
    says: "{what} may be anything; it had to be one of {old}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler meets what its types did not allow before, and may not compile.",
  },
  "request-enum-value-added": {
    says: "{what} may be {new}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler that tells the values apart meets one that it does not know.",
  },
  "request-enum-value-removed": {
    says: "{what} may no longer be {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Requests that were accepted are refused.",
  },
  "request-format-added": {
    says: "{what} has to be of the format {new}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Requests that were accepted are refused.",
  },
  "request-format-removed": {
    says: "{what} no longer has to be of the format {old}.",
    breaks: [],
    touches: ["implementers"],
    why: "What was accepted still is; a handler has to cope with more.",
  },
  "request-format-changed": {
    says: "{what} is of the format {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Requests that were accepted are refused.",
  },
  "request-pattern-added": {
    says: "{what} has to match {new}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Requests that were accepted are refused.",
  },
  "request-pattern-removed": {
    says: "{what} no longer has to match {old}.",
    breaks: [],
    touches: ["implementers"],
    why: "What was accepted still is; a handler has to cope with more.",
  },
  "request-pattern-changed": {
    says: "{what} has to match {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Whether every text that matched still does cannot be told.",
  },
  "request-bound-tightened": {
    says: "{what} has a tighter bound: {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Requests that were accepted are refused.",
  },
  "request-bound-loosened": {
    says: "{what} has a looser bound: {new} instead of {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "What was accepted still is; a handler has to cope with more.",
  },
  "request-rule-added": {
    says: "{what} has to keep a rule: {new}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Requests that were accepted are refused.",
  },
  "request-rule-removed": {
    says: "{what} no longer has to keep a rule: {old}.",
    breaks: [],
    touches: ["implementers"],
    why: "What was accepted still is; a handler has to cope with more.",
  },
  "request-rule-changed": {
    says: "{what} has to keep the rule {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Whether everything that kept the old rule keeps the new one cannot be told.",
  },
  "request-branch-added": {
    says: "{what} may also be {new}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler meets what its types did not allow before, and may not compile.",
  },
  "request-branch-removed": {
    says: "{what} may no longer be {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Requests that were accepted are refused.",
  },
  "request-discriminator-changed": {
    says: "{what} is told apart by {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "The same value stands for another branch.",
  },
  "request-property-required-added": {
    says: "There is a required field {what}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Requests without it are refused, and calls without it do not compile.",
  },
  "request-property-added": {
    says: "There is an optional field {what}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Nobody has to send it.",
  },
  "request-property-removed": {
    says: "There is no field {what} any more.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "Code that gives or reads it does not compile; who sends it is refused, or asks for what is not done.",
  },
  "request-property-required": {
    says: "{what} is now required.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Requests without it are refused, and calls without it do not compile.",
  },
  "request-property-optional": {
    says: "{what} is no longer required.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler may find it missing, and does not compile where it reads it without looking.",
  },
  "request-default-changed": {
    says: "{what} is {new} when it is not sent, instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Requests that leave it out mean something else.",
  },
} as const;

export type RequestCode = keyof typeof registry;

export const requestShapes: Readonly<Record<RequestCode, Rule>> = registry;
