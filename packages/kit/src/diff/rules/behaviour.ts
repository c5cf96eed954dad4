import type { DifferenceRule } from "../rule.js";

const registry = {
  "discriminator-value-added": {
    message: "The discriminator of {what} has a new value, {new}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "A new branch is reported as a difference of its own.",
  },
  "field-deprecated": {
    message: "{what} is deprecated.",
    breaks: [],
    affects: ["callers", "wire"],
    reason: "It works as before, but a later version may remove it.",
  },
  "field-restored": {
    message: "{what} is no longer deprecated.",
    breaks: [],
    affects: ["callers"],
    reason: "It works as before.",
  },
  "field-access-changed": {
    message: "{what} is {new} instead of {old}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Its effect on requests and responses is reported as differences of their own.",
  },
  "change-rule-added": {
    message: "{what} has a rule for changes: {new}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server rejects requests that change it in another way.",
  },
  "change-rule-removed": {
    message: "{what} no longer has the rule for changes {old}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "The server still accepts the changes that it accepted before.",
  },
  "change-rule-changed": {
    message: "{what} has the rule for changes {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server may reject changes that it accepted before.",
  },
  "values-changed": {
    message: "The rules that compute the stored value of {what} changed.",
    breaks: ["wire"],
    affects: ["implementers"],
    reason: "The same request stores another value.",
  },
  "input-absent-changed": {
    message: "An absent field of the {what} means {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["implementers"],
    reason: "The same request keeps or clears other fields than before.",
  },
  "input-nulls-changed": {
    message: "Null in the {what} is {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["implementers"],
    reason: "The server now validates a null that counted as absent, or the other way round.",
  },
  "input-read-only-rejected": {
    message: "The {what} may no longer contain read-only fields.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "The server rejects programs that send back what they read.",
  },
  "input-read-only-ignored": {
    message: "The {what} may contain read-only fields.",
    breaks: [],
    affects: ["callers"],
    reason: "The server still accepts what it accepted before.",
  },
  "input-unknown-rejected": {
    message: "The {what} may no longer contain undocumented fields.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "The server accepted requests with such fields.",
  },
  "input-unknown-ignored": {
    message: "The {what} may contain undocumented fields.",
    breaks: [],
    affects: ["callers"],
    reason: "The server still accepts what it accepted before.",
  },
  "input-unchanged-validated": {
    message: "The server validates values of the {what} even where they repeat the stored ones.",
    breaks: ["wire"],
    affects: ["implementers"],
    reason: "The server rejects requests that repeat a stored value which is out of bounds.",
  },
  "input-unchanged-accepted": {
    message: "The server accepts values of the {what} that repeat the stored ones.",
    breaks: [],
    affects: ["implementers"],
    reason: "The server still accepts what it accepted before.",
  },
  "input-merged-changed": {
    message: "The object stored after the {what} has to match {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["implementers"],
    reason: "The server may reject changes that it accepted before.",
  },
  "visibility-added": {
    message: "{what} is visible only {new}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "Some callers may no longer see it.",
  },
  "visibility-removed": {
    message: "{what} is always visible; it was visible only {old}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "The same callers still see it. Check that every caller may see it.",
  },
  "visibility-changed": {
    message: "{what} is visible {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "Some callers may no longer see it.",
  },
  "filter-added": {
    message: "Lists can be filtered by {what}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Its use is optional.",
  },
  "filter-removed": {
    message: "Lists can no longer be filtered by {what}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects such filters, and calls with them do not compile.",
  },
  "filter-operator-added": {
    message: "{what} can also be filtered with {new}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Its use is optional.",
  },
  "filter-operator-removed": {
    message: "{what} can no longer be filtered with {old}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects such filters, and calls with them do not compile.",
  },
  "limit-added": {
    message: "{what} has a limit: {new}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server accepted requests that exceed the new limit.",
  },
  "limit-removed": {
    message: "{what} no longer has the limit {old}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "The server still accepts what it accepted before.",
  },
  "limit-tightened": {
    message: "A limit of {what} is tighter: {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "Requests within the old limit may exceed the new one.",
  },
  "limit-loosened": {
    message: "A limit of {what} is looser: {new} instead of {old}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "The server still accepts what it accepted before.",
  },
  "limit-changed": {
    message: "A limit of {what} counts in another way: {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "Requests within the old limit may exceed the new one, or fail with another error.",
  },
  "effect-added": {
    message: "{what} also has the effect {new}.",
    breaks: ["implementers", "wire"],
    affects: ["callers"],
    reason: "The operation now changes more, and its handler has to do so.",
  },
  "effect-removed": {
    message: "{what} no longer has the effect {old}.",
    breaks: ["implementers", "wire"],
    affects: ["callers"],
    reason: "Callers may rely on the effect, and a handler must not cause it any more.",
  },
  "effect-changed": {
    message: "An effect of {what} is {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    affects: ["callers"],
    reason: "The operation changes something else than callers expect.",
  },
  "error-added": {
    message: "{what} can fail with {new}.",
    breaks: [],
    affects: ["callers", "implementers", "wire"],
    reason: "Every caller has to expect unknown errors.",
  },
  "error-removed": {
    message: "{what} no longer fails with {old}.",
    breaks: ["implementers"],
    affects: ["callers"],
    reason: "A handler that throws it does not compile; callers no longer receive it.",
  },
  "error-status-changed": {
    message: "An error of {what} has the status {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "Programs distinguish errors by their status.",
  },
  "error-changed": {
    message: "An error of {what} is {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "It occurs in other cases, names another field, or has another retry rule.",
  },
} as const;

export type BehaviourRuleCode = keyof typeof registry;

export const behaviourRules: Readonly<Record<BehaviourRuleCode, DifferenceRule>> = registry;
