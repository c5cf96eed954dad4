import type { Rule } from "../difference.js";

const registry = {
  "title-changed": {
    says: 'The API is called "{new}" instead of "{old}".',
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Titles are documentation; packages have the names that plumbline.yaml gives them.",
  },
  "version-changed": {
    says: "The version of the API is {new} instead of {old}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "The number says something about the description and changes nothing in it.",
  },
  "text-changed": {
    says: "The text of {what} is another.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Titles, summaries and descriptions are documentation.",
  },
  "example-changed": {
    says: "The example of {what} is another.",
    breaks: [],
    touches: ["callers"],
    why: "Examples are documentation.",
  },
  "server-added": {
    says: "The API is also served at {new}.",
    breaks: [],
    touches: ["callers"],
    why: "The address that was used goes on to be one.",
  },
  "server-removed": {
    says: "The API is no longer served at {old}.",
    breaks: ["wire"],
    touches: ["callers"],
    why: "Programs that have this address no longer find anybody there.",
  },
  "server-default-changed": {
    says: "The first server is {new} instead of {old}.",
    breaks: [],
    touches: ["callers"],
    why: "A client that is given no address calls the first server.",
  },
  "area-added": {
    says: "There is an area {what}.",
    breaks: [],
    touches: [],
    why: "Areas sort operations in documentation and files.",
  },
  "area-removed": {
    says: "There is no area {what} any more.",
    breaks: [],
    touches: [],
    why: "Areas sort operations in documentation and files; what was exported still is.",
  },
  "shape-added": {
    says: "There is a type {what}.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "Nobody names it yet.",
  },
  "shape-removed": {
    says: "There is no type {what} any more.",
    breaks: ["callers", "implementers"],
    touches: [],
    why: "Code that imports the type no longer compiles. On the wire types have no names.",
  },
  "shape-renamed": {
    says: "The type {old} is called {new}.",
    breaks: ["callers", "implementers"],
    touches: [],
    why: "Code that imports the type by its old name no longer compiles. On the wire types have no names.",
  },
  "shape-changed": {
    says: "The type {what}, which no operation carries, is another.",
    breaks: [],
    touches: ["callers", "implementers"],
    why: "No request and no reply carries it.",
  },
} as const;

export type ApiCode = keyof typeof registry;

export const api: Readonly<Record<ApiCode, Rule>> = registry;
