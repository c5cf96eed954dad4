import type { Rule } from "../difference.js";

const registry = {
  "discriminator-value-added": {
    says: "{what} also stands for a branch by {new}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Whether the branch itself is new is told where the branches are compared.",
  },
  "field-deprecated": {
    says: "{what} is deprecated.",
    breaks: [],
    touches: ["callers", "wire"],
    why: "It works as before, and will not always.",
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
    why: "What it takes from requests or replies is told where these are compared.",
  },
  "change-rule-added": {
    says: "{what} may only change so: {new}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Requests that change it otherwise are refused.",
  },
  "change-rule-removed": {
    says: "{what} may change freely; the rule was {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Changes that were accepted still are.",
  },
  "change-rule-changed": {
    says: "{what} may only change so: {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Changes that were accepted may be refused.",
  },
  "values-changed": {
    says: "What is stored of {what} is worked out otherwise.",
    breaks: ["wire"],
    touches: ["implementers"],
    why: "The same request comes to another value.",
  },
  "input-absent-changed": {
    says: "A field that is not sent in the {what} means {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["implementers"],
    why: "The same request keeps or clears what it did not before.",
  },
  "input-nulls-changed": {
    says: "Null in the {what} is {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["implementers"],
    why: "A null that was judged counts as absent, or the other way round.",
  },
  "input-read-only-refused": {
    says: "The {what} may no longer hold read-only fields.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs that send back what they have read are refused.",
  },
  "input-read-only-ignored": {
    says: "The {what} may hold read-only fields.",
    breaks: [],
    touches: ["callers"],
    why: "What was accepted still is.",
  },
  "input-unknown-refused": {
    says: "The {what} may no longer hold fields that are not described.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Requests with such fields were accepted.",
  },
  "input-unknown-ignored": {
    says: "The {what} may hold fields that are not described.",
    breaks: [],
    touches: ["callers"],
    why: "What was accepted still is.",
  },
  "input-unchanged-judged": {
    says: "Values in the {what} are judged though they repeat the stored ones.",
    breaks: ["wire"],
    touches: ["implementers"],
    why: "Requests that repeat a stored value which is out of bounds are refused.",
  },
  "input-unchanged-accepted": {
    says: "Values in the {what} are accepted when they repeat the stored ones.",
    breaks: [],
    touches: ["implementers"],
    why: "What was accepted still is.",
  },
  "input-merged-changed": {
    says: "What is stored after the {what} has to be {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["implementers"],
    why: "Changes that were accepted may leave what is not allowed.",
  },
  "visibility-added": {
    says: "{what} is shown only so: {new}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Callers that saw it may not see it any more.",
  },
  "visibility-removed": {
    says: "{what} is shown always; it was shown only so: {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Who saw it still does. Whether everybody may is worth a look.",
  },
  "visibility-changed": {
    says: "{what} is shown so: {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Callers that saw it may not see it any more.",
  },
  "filter-added": {
    says: "Lists can be filtered by {what}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Nobody has to.",
  },
  "filter-removed": {
    says: "Lists can no longer be filtered by {what}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Such filters are refused, and calls with them do not compile.",
  },
  "filter-operator-added": {
    says: "{what} can also be filtered with {new}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Nobody has to.",
  },
  "filter-operator-removed": {
    says: "{what} can no longer be filtered with {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Such filters are refused, and calls with them do not compile.",
  },
  "limit-added": {
    says: "{what} has a limit: {new}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "What goes beyond it was accepted.",
  },
  "limit-removed": {
    says: "{what} no longer has the limit {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "What was accepted still is.",
  },
  "limit-tightened": {
    says: "A limit of {what} is tighter: {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "What kept the old limit may go beyond the new one.",
  },
  "limit-loosened": {
    says: "A limit of {what} is looser: {new} instead of {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "What was accepted still is.",
  },
  "limit-changed": {
    says: "A limit of {what} counts otherwise: {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "What kept the old limit may go beyond the new one, or meets another error.",
  },
  "effect-added": {
    says: "{what} also has the effect {new}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "It changes what it left alone, and a handler has to see to it.",
  },
  "effect-removed": {
    says: "{what} no longer has the effect {old}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "Callers that count on it wait in vain, and a handler must not do it.",
  },
  "effect-changed": {
    says: "An effect of {what} is {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "It changes something else than callers count on.",
  },
  "error-added": {
    says: "{what} can fail with {new}.",
    breaks: [],
    touches: ["callers", "implementers", "wire"],
    why: "Every caller has to expect failures that it does not know.",
  },
  "error-removed": {
    says: "{what} no longer fails with {old}.",
    breaks: ["implementers"],
    touches: ["callers"],
    why: "A handler that raises it does not compile; callers no longer meet it.",
  },
  "error-status-changed": {
    says: "An error of {what} has the status {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Programs tell failures apart by their status.",
  },
  "error-changed": {
    says: "An error of {what} is {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "It comes in other cases, names another field, or says something else about trying again.",
  },
} as const;

export type BehaviourCode = keyof typeof registry;

export const behaviour: Readonly<Record<BehaviourCode, Rule>> = registry;
