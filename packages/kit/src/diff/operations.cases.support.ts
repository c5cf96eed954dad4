import { describeGet, describeNotes, type DiffCase } from "./diff-cases.support.js";

const nothing = describeNotes({});
const withGet = (keys?: string, path?: string) => describeNotes({ paths: describeGet(keys, path) });
const ending = (details: string): string =>
  describeNotes({ operation: `deprecated: true\nx-deprecation: {${details}}` });
const deprecationCases: readonly DiffCase[] = [
  {
    what: "an operation is deprecated, with a sunset",
    old: nothing,
    next: ending("since: 2026-01-01, sunset: 2027-06-30"),
    expected: ["operation-deprecated: none", "sunset-added: none"],
  },
  {
    what: "a sunset comes earlier",
    old: ending("sunset: 2027-06-30"),
    next: ending("sunset: 2027-06-29"),
    expected: ["sunset-earlier: wire"],
  },
  {
    what: "a sunset comes later",
    old: ending("sunset: 2027-06-30"),
    next: ending("sunset: '2027-06-30T00:00:01Z'"),
    expected: ["sunset-later: none"],
  },
  {
    what: "a sunset is written differently",
    old: ending("sunset: 2027-06-30"),
    next: ending("sunset: '2027-06-30T00:00:00Z'"),
    expected: [],
  },
  {
    what: "a sunset is gone",
    old: ending("since: 2026-01-01, sunset: 2027-06-30"),
    next: ending("since: 2026-01-01"),
    expected: ["sunset-removed: none"],
  },
  {
    what: "a deprecation has a link",
    old: ending("since: 2026-01-01"),
    next: ending("since: 2026-01-01, link: 'https://notes.example/changes'"),
    expected: ["deprecation-changed: none"],
  },
  {
    what: "an operation with a sunset is removed",
    old: withGet("operationId: listNotes\n    deprecated: true\n    x-sunset: 2027-06-30"),
    next: nothing,
    expected: ["operation-sunset: callers, implementers, wire"],
  },
];

export const operationDiffCases: readonly DiffCase[] = [
  // The API
  {
    what: "the API has another title",
    old: nothing,
    next: nothing.replace("title: Notes", "title: Memos"),
    expected: ["title-changed: none"],
  },
  {
    what: "the API has another version",
    old: nothing,
    next: nothing.replace("version: '1'", "version: '2'"),
    expected: ["version-changed: none"],
  },
  {
    what: "the API has a description",
    old: nothing,
    next: nothing.replace("version: '1'", "version: '1', description: Keeps notes"),
    expected: ["text-changed: none"],
  },
  {
    what: "the API has another server",
    old: describeNotes({ root: "servers: [{url: https://a.example}]" }),
    next: describeNotes({ root: "servers: [{url: https://b.example}]" }),
    expected: ["server-added: none", "server-removed: wire"],
  },
  {
    what: "the first server is the second",
    old: describeNotes({ root: "servers: [{url: https://a.example}, {url: https://b.example}]" }),
    next: describeNotes({ root: "servers: [{url: https://b.example}, {url: https://a.example}]" }),
    expected: ["server-default-changed: none"],
  },
  {
    what: "a server has a description",
    old: describeNotes({ root: "servers: [{url: https://a.example}]" }),
    next: describeNotes({ root: "servers: [{url: https://a.example, description: Ours}]" }),
    expected: ["text-changed: none"],
  },
  {
    what: "a tag is replaced",
    old: describeNotes({ root: "tags: [{name: notes}]" }),
    next: describeNotes({ root: "tags: [{name: memos}]" }),
    expected: ["tag-added: none", "tag-removed: none"],
  },
  {
    what: "a tag has a description",
    old: describeNotes({ root: "tags: [{name: notes}]" }),
    next: describeNotes({ root: "tags: [{name: notes, description: All of them}]" }),
    expected: ["text-changed: none"],
  },
  {
    what: "a type is added",
    old: nothing,
    next: describeNotes({ schemas: "Note: {type: string}" }),
    expected: ["schema-added: none"],
  },
  {
    what: "a type is removed",
    old: describeNotes({ schemas: "Note: {type: string}" }),
    next: nothing,
    expected: ["schema-removed: callers, implementers"],
  },
  {
    what: "a type that no operation uses changes",
    old: describeNotes({ schemas: "Note: {type: string}" }),
    next: describeNotes({ schemas: "Note: {type: integer}" }),
    expected: ["schema-changed: none"],
  },
  {
    what: "a type that an operation uses has another name",
    old: describeNotes({
      body: "content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}",
      schemas: "Note: {type: string}",
    }),
    next: describeNotes({
      body: "content: {application/json: {schema: {$ref: '#/components/schemas/Memo'}}}",
      schemas: "Memo: {type: string}",
    }),
    expected: ["schema-renamed: callers, implementers"],
  },
  {
    what: "errors are problem details",
    old: nothing,
    next: describeNotes({ root: "x-problem-details: true" }),
    expected: ["problem-details-added: wire"],
  },
  {
    what: "errors are no longer problem details",
    old: describeNotes({ root: "x-problem-details: true" }),
    next: nothing,
    expected: ["problem-details-removed: wire"],
  },
  {
    what: "problems have types",
    old: describeNotes({ root: "x-problem-details: true" }),
    next: describeNotes({ root: "x-problem-details: {types: 'urn:notes:'}" }),
    expected: ["problem-types-changed: wire"],
  },
  // Operations
  { what: "an operation is added", old: nothing, next: withGet(), expected: ["operation-added: implementers"] },
  {
    what: "an operation is removed",
    old: withGet(),
    next: nothing,
    expected: ["operation-removed: callers, implementers, wire"],
  },
  {
    what: "an operation has another name",
    old: withGet(),
    next: withGet("operationId: findNotes"),
    expected: ["operation-renamed: callers, implementers"],
  },
  {
    what: "an operation has another path",
    old: withGet(),
    next: withGet("operationId: listNotes", "/memos/{id}"),
    expected: ["operation-moved: wire"],
  },
  {
    what: "an operation has another method",
    old: withGet(),
    next: withGet().replace("    get:", "    put:"),
    expected: ["operation-moved: wire"],
  },
  {
    what: "an operation has another name and path",
    old: withGet(),
    next: withGet("operationId: findNotes", "/memos/{id}"),
    expected: ["operation-added: implementers", "operation-removed: callers, implementers, wire"],
  },
  {
    what: "an operation is deprecated",
    old: nothing,
    next: describeNotes({ operation: "deprecated: true" }),
    expected: ["operation-deprecated: none"],
  },
  {
    what: "an operation is no longer deprecated",
    old: describeNotes({ operation: "deprecated: true" }),
    next: nothing,
    expected: ["operation-restored: none"],
  },
  ...deprecationCases,
  {
    what: "an operation has a summary",
    old: nothing,
    next: describeNotes({ operation: "summary: Makes a note" }),
    expected: ["text-changed: none"],
  },
  {
    what: "an operation has another tag",
    old: withGet("{operationId: listNotes, tags: [a]}".slice(1, -1).replace(", ", "\n    ")),
    next: withGet("operationId: listNotes\n    tags: [b]"),
    expected: ["operation-tag-changed: none"],
  },
  {
    what: "an operation has another server",
    old: nothing,
    next: describeNotes({ operation: "servers: [{url: https://up.example}]" }),
    expected: ["operation-servers-changed: wire"],
  },
];
