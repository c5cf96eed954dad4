import type { DifferenceRule } from "../rule.js";

const registry = {
  "title-changed": {
    message: 'The title of the API is "{new}" instead of "{old}".',
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Titles are documentation. Package names come from plumbline.yaml.",
  },
  "version-changed": {
    message: "The version of the API is {new} instead of {old}.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "The version number alone changes no behavior.",
  },
  "text-changed": {
    message: "The text of {what} changed.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "Titles, summaries and descriptions are documentation.",
  },
  "example-changed": {
    message: "The example of {what} changed.",
    breaks: [],
    affects: ["callers"],
    reason: "Examples are documentation.",
  },
  "server-added": {
    message: "The API is also served at {new}.",
    breaks: [],
    affects: ["callers"],
    reason: "Programs may use it.",
  },
  "server-removed": {
    message: "The API is no longer served at {old}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "Programs that use this address no longer reach the API.",
  },
  "server-default-changed": {
    message: "The first server is {new} instead of {old}.",
    breaks: [],
    affects: ["callers"],
    reason: "A client without a `baseUrl` calls the first server.",
  },
  "problem-details-added": {
    message: "Errors are problem details.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "Programs that read the earlier bodies of errors do not find their fields.",
  },
  "problem-details-removed": {
    message: "Errors are no longer problem details.",
    breaks: ["wire"],
    affects: ["callers", "implementers"],
    reason: "Programs that read problem details do not find their fields.",
  },
  "problem-types-changed": {
    message: "The types of problems begin with {new} instead of {old}.",
    breaks: ["wire"],
    affects: ["callers"],
    reason: "Programs that recognize an error by its type do not find it.",
  },
  "tag-added": {
    message: "The tag {what} was added.",
    breaks: [],
    affects: [],
    reason: "Tags group operations in documentation and generated files.",
  },
  "tag-removed": {
    message: "The tag {what} was removed.",
    breaks: [],
    affects: [],
    reason: "Tags group operations in documentation and generated files; all exports stay.",
  },
  "schema-added": {
    message: "The type {what} was added.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "No existing code refers to it.",
  },
  "schema-removed": {
    message: "The type {what} was removed.",
    breaks: ["callers", "implementers"],
    affects: [],
    reason: "Code that imports the type no longer compiles. Requests and responses carry no type names.",
  },
  "schema-renamed": {
    message: "The type {old} was renamed to {new}.",
    breaks: ["callers", "implementers"],
    affects: [],
    reason:
      "Code that imports the type by its old name no longer compiles. Requests and responses carry no type names.",
  },
  "schema-changed": {
    message: "The type {what}, which no operation uses, changed.",
    breaks: [],
    affects: ["callers", "implementers"],
    reason: "No request and no response uses it.",
  },
} as const;

export type ApiRuleCode = keyof typeof registry;

export const apiRules: Readonly<Record<ApiRuleCode, DifferenceRule>> = registry;
