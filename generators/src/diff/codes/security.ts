import type { Rule } from "../difference.js";

const registry = {
  "scheme-added": {
    says: "There is a way to sign in, {what}.",
    breaks: [],
    touches: ["callers"],
    why: "Who needs it is told at the operations.",
  },
  "scheme-removed": {
    says: "There is no way to sign in {what} any more.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Credentials of this kind admit nobody, and a client takes none.",
  },
  "scheme-changed": {
    says: "The way to sign in {what} is {new} instead of {old}.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "Credentials are presented otherwise, in code and on the wire.",
  },
  "security-required": {
    says: "{what} now needs credentials: {new}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Callers without credentials are refused.",
  },
  "security-dropped": {
    says: "{what} no longer needs credentials.",
    breaks: [],
    touches: ["callers", "implementers", "wire"],
    why: "Who was admitted still is. Whether everybody may be is worth a look.",
  },
  "security-alternative-added": {
    says: "{what} also admits {new}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Who was admitted still is.",
  },
  "security-alternative-removed": {
    says: "{what} no longer admits {old}.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Callers with these credentials are refused.",
  },
  "security-scope-added": {
    says: "{what} needs {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Tokens that were made for the old scopes are refused.",
  },
  "security-scope-removed": {
    says: "{what} needs only {new} instead of {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Who was admitted still is.",
  },
  "scope-grammar-added": {
    says: "Scopes are made of areas and levels.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "It says what scopes mean; which are needed is told at the operations.",
  },
  "scope-grammar-removed": {
    says: "Scopes are no longer made of areas and levels.",
    breaks: ["callers", "implementers", "wire"],
    touches: [],
    why: "No scope implies another any more, and the types of scopes are gone.",
  },
  "scope-grammar-changed": {
    says: "Scopes are written {new} instead of {old}.",
    breaks: ["implementers", "wire"],
    touches: ["callers"],
    why: "Scopes that are written the old way are not understood.",
  },
  "scope-area-added": {
    says: "There is an area of scopes {what}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "No operation that was there needs it without being told.",
  },
  "scope-area-removed": {
    says: "There is no area of scopes {what} any more.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Tokens with such scopes cannot be made, and code that names one does not compile.",
  },
  "scope-level-added": {
    says: "There is a level of scopes {what}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Nobody has to ask for it.",
  },
  "scope-level-removed": {
    says: "There is no level of scopes {what} any more.",
    breaks: ["callers", "wire"],
    touches: ["implementers"],
    why: "Tokens with such scopes cannot be made, and code that names one does not compile.",
  },
  "scope-level-implies-more": {
    says: "The level {what} also implies {new}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Tokens can do what they could. They can do more: worth a look.",
  },
  "scope-level-implies-less": {
    says: "The level {what} no longer implies {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Tokens of this level are refused where the implied one is needed.",
  },
  "scope-credential-added": {
    says: "{what} also admits callers.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Who was admitted still is.",
  },
  "scope-credential-removed": {
    says: "{what} no longer admits callers.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Callers with such a credential are refused.",
  },
  "scope-errors-changed": {
    says: "Callers without credentials or scopes are answered {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs that tell refusals apart meet another one.",
  },
  "scope-ceiling-added": {
    says: "The scopes in {what} may not exceed {new}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Requests for more scopes than the caller has are refused.",
  },
  "scope-ceiling-removed": {
    says: "The scopes in {what} have no ceiling any more.",
    breaks: [],
    touches: ["callers"],
    why: "What was accepted still is.",
  },
  "scope-ceiling-changed": {
    says: "The scopes in {what} may not exceed {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Requests are judged by another ceiling, or refused with another error.",
  },
  "grant-added": {
    says: "{what} needs a grant: {new}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Restricted users without it are refused.",
  },
  "grant-removed": {
    says: "{what} no longer needs a grant: {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Who was allowed still is. Whether everybody may be is worth a look.",
  },
  "grant-changed": {
    says: "{what} needs the grant {new} instead of {old}.",
    breaks: ["wire"],
    touches: ["callers", "implementers"],
    why: "Restricted users are judged otherwise, or refused with another error.",
  },
} as const;

export type SecurityCode = keyof typeof registry;

export const security: Readonly<Record<SecurityCode, Rule>> = registry;
