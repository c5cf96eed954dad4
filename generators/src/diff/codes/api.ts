import type { Rule } from "../difference.js";

const registry = {
  "title-changed": {
    says: 'The title of the API is "{new}" instead of "{old}".',
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Titles are documentation. Package names come from plumbline.yaml.",
  },
  "version-changed": {
    says: "The version of the API is {new} instead of {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "The version number alone changes no behavior.",
  },
  "text-changed": {
    says: "The text of {what} changed.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Titles, summaries and descriptions are documentation.",
  },
  "example-changed": {
    says: "The example of {what} changed.",
    breaks: [],
    touches: ["callers"],
    why: "Examples are documentation.",
  },
  "server-added": {
    says: "The API is also served at {new}.",
    breaks: [],
    touches: ["callers"],
    why: "The previous address keeps working.",
  },
  "server-removed": {
    says: "The API is no longer served at {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs that use this address no longer reach the API.",
  },
  "server-default-changed": {
    says: "The first server is {new} instead of {old}.",
    breaks: [],
    touches: ["callers"],
    why: "A client without a `baseUrl` calls the first server.",
  },
  "area-added": {
    says: "The tag {what} was added.",
    breaks: [],
    touches: [],
    why: "Tags group operations in documentation and generated files.",
  },
  "area-removed": {
    says: "The tag {what} was removed.",
    breaks: [],
    touches: [],
    why: "Tags group operations in documentation and generated files; all exports stay.",
  },
  "shape-added": {
    says: "The type {what} was added.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "No existing code refers to it.",
  },
  "shape-removed": {
    says: "The type {what} was removed.",
    breaks: ["callers", "implementers"],
    touches: [],
    why: "Code that imports the type no longer compiles. Requests and responses carry no type names.",
  },
  "shape-renamed": {
    says: "The type {old} was renamed to {new}.",
    breaks: ["callers", "implementers"],
    touches: [],
    why: "Code that imports the type by its old name no longer compiles. Requests and responses carry no type names.",
  },
  "shape-changed": {
    says: "The type {what}, which no operation uses, changed.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "No request and no response uses it.",
  },
} as const;

export type ApiCode = keyof typeof registry;

export const api: Readonly<Record<ApiCode, Rule>> = registry;
