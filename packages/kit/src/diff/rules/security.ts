import type { DifferenceRule } from "../rule.js";

const registry = {
  "scheme-added": {
    message: "The security scheme {what} was added.",
    breaks: [],
    affects: ["callers"],
    reason: "The operations that require it are differences of their own.",
  },
  "scheme-removed": {
    message: "The security scheme {what} was removed.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects credentials of this kind, and the client no longer accepts them.",
  },
  "scheme-changed": {
    message: "The security scheme {what} is {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    affects: [],
    reason: "Credentials are passed in another way, in code and in requests.",
  },
  "security-required": {
    message: "{what} now requires credentials: {new}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects callers without credentials.",
  },
  "security-dropped": {
    message: "{what} no longer requires credentials.",
    breaks: [],
    affects: ["callers", "implementers", "wire"],
    reason: "Authorized callers stay authorized. Check that the operation may be public.",
  },
  "security-alternative-added": {
    message: "{what} also accepts {new}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Authorized callers stay authorized.",
  },
  "security-alternative-removed": {
    message: "{what} no longer accepts {old}.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "The server rejects callers with these credentials.",
  },
  "security-scope-added": {
    message: "{what} requires {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server rejects tokens with only the old scopes.",
  },
  "security-scope-removed": {
    message: "{what} requires only {new} instead of {old}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Authorized callers stay authorized.",
  },
  "scope-grammar-added": {
    message: "Scopes now consist of areas and levels.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason:
      "The grammar defines the meaning of scopes; the scopes that operations require are differences of their own.",
  },
  "scope-grammar-removed": {
    message: "Scopes no longer consist of areas and levels.",
    breaks: ["callers", "implementers", "wire"],
    affects: [],
    reason: "Scopes no longer imply each other, and the types of scopes are gone.",
  },
  "scope-grammar-changed": {
    message: "Scopes are written {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    affects: ["callers"],
    reason: "The server does not recognize scopes in the old format.",
  },
  "scope-area-added": {
    message: "The scope area {what} was added.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "An existing operation that requires it is a difference of its own.",
  },
  "scope-area-removed": {
    message: "The scope area {what} was removed.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Such scopes cannot be issued any more, and code that names one does not compile.",
  },
  "scope-level-added": {
    message: "The scope level {what} was added.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Its use is optional.",
  },
  "scope-level-removed": {
    message: "The scope level {what} was removed.",
    breaks: ["callers", "wire"],
    affects: ["implementers"],
    reason: "Such scopes cannot be issued any more, and code that names one does not compile.",
  },
  "scope-level-implies-more": {
    message: "The scope level {what} also implies {new}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Tokens of this level keep their rights and gain more. Check that they may.",
  },
  "scope-level-implies-less": {
    message: "The scope level {what} no longer implies {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server rejects tokens of this level where an operation requires the implied one.",
  },
  "scope-credential-added": {
    message: "{what} also authenticates callers.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Authorized callers stay authorized.",
  },
  "scope-credential-removed": {
    message: "{what} no longer authenticates callers.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server rejects callers with such a credential.",
  },
  "scope-errors-changed": {
    message: "Callers without credentials or scopes receive {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "Programs that distinguish errors receive another one.",
  },
  "scope-ceiling-added": {
    message: "The scopes in {what} may not exceed {new}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "The server rejects requests for more scopes than the caller has.",
  },
  "scope-ceiling-removed": {
    message: "The scopes in {what} no longer have a ceiling.",
    breaks: [],
    affects: ["callers"],
    reason: "The server still accepts what it accepted before.",
  },
  "scope-ceiling-changed": {
    message: "The scopes in {what} may not exceed {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "The server applies another ceiling, or responds with another error.",
  },
  "grant-added": {
    message: "{what} requires a grant: {new}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server rejects callers without it.",
  },
  "grant-removed": {
    message: "{what} no longer requires a grant: {old}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Authorized users stay authorized. Check that every user may do this.",
  },
  "grant-changed": {
    message: "{what} requires the grant {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "The server checks callers in another way, or responds with another error.",
  },
  "callers-changed": {
    message: "Callers are different: {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "Callers may need grants that they did not need, or have other attributes.",
  },
} as const;

export type SecurityRuleCode = keyof typeof registry;

export const securityRules: Readonly<Record<SecurityRuleCode, DifferenceRule>> = registry;
