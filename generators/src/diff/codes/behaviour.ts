import type { Rule } from "../difference.js";

const registry = {
  "discriminator-value-added": {
    says: "The discriminator of {what} has a new value, {new}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "A new branch is reported as a difference of its own.",
  },
  "field-deprecated": {
    says: "{what} is deprecated.",
    breaks: [],
    touches: ["callers", "wire"],
    why: "It works as before, but a later version may remove it.",
  },
  "field-restored": {
    says: "{what} is no longer deprecated.",
    breaks: [],
    touches: ["callers"],
    why: "It works as before.",
  },
  "field-access-changed": {
    says: "{what} is {new} instead of {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Its effect on requests and responses is reported as differences of their own.",
  },
  "change-rule-added": {
    says: "{what} has a rule for changes: {new}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The server rejects requests that change it in another way.",
  },
  "change-rule-removed": {
    says: "{what} no longer has the rule for changes {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "The server still accepts the changes that it accepted before.",
  },
  "change-rule-changed": {
    says: "{what} has the rule for changes {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The server may reject changes that it accepted before.",
  },
  "values-changed": {
    says: "The rules that compute the stored value of {what} changed.",
    breaks: ["wire"],
    touches: ["implementers"],
    why: "The same request stores another value.",
  },
  "input-absent-changed": {
    says: "An absent field of the {what} means {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["implementers"],
    why: "The same request keeps or clears other fields than before.",
  },
  "input-nulls-changed": {
    says: "Null in the {what} is {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["implementers"],
    why: "The server now validates a null that counted as absent, or the other way round.",
  },
  "input-read-only-refused": {
    says: "The {what} may no longer contain read-only fields.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "The server rejects programs that send back what they read.",
  },
  "input-read-only-ignored": {
    says: "The {what} may contain read-only fields.",
    breaks: [],
    touches: ["callers"],
    why: "The server still accepts what it accepted before.",
  },
  "input-unknown-refused": {
    says: "The {what} may no longer contain undocumented fields.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "The server accepted requests with such fields.",
  },
  "input-unknown-ignored": {
    says: "The {what} may contain undocumented fields.",
    breaks: [],
    touches: ["callers"],
    why: "The server still accepts what it accepted before.",
  },
  "input-unchanged-judged": {
    says: "The server validates values of the {what} even where they repeat the stored ones.",
    breaks: ["wire"],
    touches: ["implementers"],
    why: "The server rejects requests that repeat a stored value which is out of bounds.",
  },
  "input-unchanged-accepted": {
    says: "The server accepts values of the {what} that repeat the stored ones.",
    breaks: [],
    touches: ["implementers"],
    why: "The server still accepts what it accepted before.",
  },
  "input-merged-changed": {
    says: "The object stored after the {what} has to match {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["implementers"],
    why: "The server may reject changes that it accepted before.",
  },
  "visibility-added": {
    says: "{what} is visible only {new}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Some callers may no longer see it.",
  },
  "visibility-removed": {
    says: "{what} is always visible; it was visible only {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "The same callers still see it. Check that every caller may see it.",
  },
  "visibility-changed": {
    says: "{what} is visible {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Some callers may no longer see it.",
  },
  "filter-added": {
    says: "Lists can be filtered by {what}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Its use is optional.",
  },
  "filter-removed": {
    says: "Lists can no longer be filtered by {what}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects such filters, and calls with them do not compile.",
  },
  "filter-operator-added": {
    says: "{what} can also be filtered with {new}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Its use is optional.",
  },
  "filter-operator-removed": {
    says: "{what} can no longer be filtered with {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects such filters, and calls with them do not compile.",
  },
  "limit-added": {
    says: "{what} has a limit: {new}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The server accepted requests that exceed the new limit.",
  },
  "limit-removed": {
    says: "{what} no longer has the limit {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "The server still accepts what it accepted before.",
  },
  "limit-tightened": {
    says: "A limit of {what} is tighter: {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Requests within the old limit may exceed the new one.",
  },
  "limit-loosened": {
    says: "A limit of {what} is looser: {new} instead of {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "The server still accepts what it accepted before.",
  },
  "limit-changed": {
    says: "A limit of {what} counts in another way: {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Requests within the old limit may exceed the new one, or fail with another error.",
  },
  "effect-added": {
    says: "{what} also has the effect {new}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "The operation now changes more, and its handler has to do so.",
  },
  "effect-removed": {
    says: "{what} no longer has the effect {old}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "Callers may rely on the effect, and a handler must not cause it any more.",
  },
  "effect-changed": {
    says: "An effect of {what} is {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "The operation changes something else than callers expect.",
  },
  "error-added": {
    says: "{what} can fail with {new}.",
    breaks: [],
    touches: ["callers", "implementers", "wire"],
    why: "Every caller has to expect unknown errors.",
  },
  "error-removed": {
    says: "{what} no longer fails with {old}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler that throws it does not compile; callers no longer receive it.",
  },
  "error-status-changed": {
    says: "An error of {what} has the status {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Programs distinguish errors by their status.",
  },
  "error-changed": {
    says: "An error of {what} is {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "It occurs in other cases, names another field, or has another retry rule.",
  },
} as const;

export type BehaviourCode = keyof typeof registry;

export const behaviour: Readonly<Record<BehaviourCode, Rule>> = registry;
