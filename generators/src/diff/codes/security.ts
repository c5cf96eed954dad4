import type { Rule } from "../difference.js";

const registry = {
  "scheme-added": {
    says: "The security scheme {what} was added.",
    breaks: [],
    touches: ["callers"],
    why: "The operations that require it are differences of their own.",
  },
  "scheme-removed": {
    says: "The security scheme {what} was removed.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects credentials of this kind, and the client no longer accepts them.",
  },
  "scheme-changed": {
    says: "The security scheme {what} is {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "Credentials are passed in another way, in code and in requests.",
  },
  "security-required": {
    says: "{what} now requires credentials: {new}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects callers without credentials.",
  },
  "security-dropped": {
    says: "{what} no longer requires credentials.",
    breaks: [],
    touches: ["callers", "implementers", "wire"],
    why: "Authorized callers stay authorized. Check that the operation may be public.",
  },
  "security-alternative-added": {
    says: "{what} also accepts {new}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Authorized callers stay authorized.",
  },
  "security-alternative-removed": {
    says: "{what} no longer accepts {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "The server rejects callers with these credentials.",
  },
  "security-scope-added": {
    says: "{what} requires {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The server rejects tokens with only the old scopes.",
  },
  "security-scope-removed": {
    says: "{what} requires only {new} instead of {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Authorized callers stay authorized.",
  },
  "scope-grammar-added": {
    says: "Scopes now consist of areas and levels.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "The grammar defines the meaning of scopes; the scopes that operations require are differences of their own.",
  },
  "scope-grammar-removed": {
    says: "Scopes no longer consist of areas and levels.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "Scopes no longer imply each other, and the types of scopes are gone.",
  },
  "scope-grammar-changed": {
    says: "Scopes are written {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "The server does not recognize scopes in the old format.",
  },
  "scope-area-added": {
    says: "The scope area {what} was added.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "An existing operation that requires it is a difference of its own.",
  },
  "scope-area-removed": {
    says: "The scope area {what} was removed.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Such scopes cannot be issued any more, and code that names one does not compile.",
  },
  "scope-level-added": {
    says: "The scope level {what} was added.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Its use is optional.",
  },
  "scope-level-removed": {
    says: "The scope level {what} was removed.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Such scopes cannot be issued any more, and code that names one does not compile.",
  },
  "scope-level-implies-more": {
    says: "The scope level {what} also implies {new}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Tokens of this level keep their rights and gain more. Check that they may.",
  },
  "scope-level-implies-less": {
    says: "The scope level {what} no longer implies {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The server rejects tokens of this level where an operation requires the implied one.",
  },
  "scope-credential-added": {
    says: "{what} also authenticates callers.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Authorized callers stay authorized.",
  },
  "scope-credential-removed": {
    says: "{what} no longer authenticates callers.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The server rejects callers with such a credential.",
  },
  "scope-errors-changed": {
    says: "Callers without credentials or scopes receive {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs that distinguish errors receive another one.",
  },
  "scope-ceiling-added": {
    says: "The scopes in {what} may not exceed {new}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "The server rejects requests for more scopes than the caller has.",
  },
  "scope-ceiling-removed": {
    says: "The scopes in {what} no longer have a ceiling.",
    breaks: [],
    touches: ["callers"],
    why: "The server still accepts what it accepted before.",
  },
  "scope-ceiling-changed": {
    says: "The scopes in {what} may not exceed {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "The server applies another ceiling, or responds with another error.",
  },
  "grant-added": {
    says: "{what} requires a grant: {new}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The server rejects restricted users without it.",
  },
  "grant-removed": {
    says: "{what} no longer requires a grant: {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Authorized users stay authorized. Check that every user may do this.",
  },
  "grant-changed": {
    says: "{what} requires the grant {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "The server checks restricted users in another way, or responds with another error.",
  },
} as const;

export type SecurityCode = keyof typeof registry;

export const security: Readonly<Record<SecurityCode, Rule>> = registry;
