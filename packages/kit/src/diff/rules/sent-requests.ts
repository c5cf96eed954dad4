import type { DifferenceRule } from "../rule.js";

const registry = {
  "sent-request-added": {
    message: "The {what} was added.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Programs that ask for it receive it.",
  },
  "sent-request-removed": {
    message: "The {what} was removed.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Programs that wait for it no longer receive it.",
  },
  "sent-body-added": {
    message: "The {what} now has a body.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Receivers may ignore it.",
  },
  "sent-body-removed": {
    message: "The {what} no longer has a body.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Receivers that read it find nothing.",
  },
  "sent-parameter-added": {
    message: "The {what} was added.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Receivers may ignore it.",
  },
  "sent-parameter-removed": {
    message: "The {what} was removed.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Receivers that read it find nothing.",
  },
  "sent-parameter-required": {
    message: "The {what} is now always sent.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Receivers expect that it may be absent.",
  },
  "sent-parameter-optional": {
    message: "The {what} may be absent.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Receivers may rely on it.",
  },
  "sent-response-added": {
    message: "Receivers may respond with {new}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Earlier responses are still accepted.",
  },
  "sent-response-removed": {
    message: "Receivers may no longer respond with {old}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The API may take such a response for a failure, and send the request again.",
  },
} as const;

export type SentRequestRuleCode = keyof typeof registry;

export const sentRequestRules: Readonly<Record<SentRequestRuleCode, DifferenceRule>> = registry;
