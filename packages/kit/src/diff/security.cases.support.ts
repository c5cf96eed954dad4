import { describeNotes, type DiffCase } from "./diff-cases.support.js";

const bearer = "token: {type: http, scheme: bearer}";
const key = "key: {type: apiKey, in: header, name: X-Key}";
const oauth =
  "o: {type: oauth2, flows: {clientCredentials: {tokenUrl: https://a.example, scopes: {read: r, write: w}}}}";
const secured = (security: string, schemes = `${bearer}, ${key}, ${oauth}`) =>
  describeNotes({ schemes, operation: security === "" ? "" : `security: [${security}]` });
const grammar = (keys: Readonly<Record<string, string>> = {}, operation = "") => {
  const parts = {
    areas: "[account, images]",
    levels: "{read: [], write: [read]}",
    all: "'*'",
    separator: "','",
    credentials: "[{to: Token, in: active}]",
    errors: "{missing: no-token, invalid: bad-token, scope: no-scope}",
    ...keys,
  };
  const said = Object.entries(parts).map(([name, value]) => `${name}: ${value}`);
  return describeNotes({ operation, schemes: `token: {type: http, scheme: bearer, x-scopes: {${said.join(", ")}}}` });
};
const needs = (scope: string) => `security: [{token: ['${scope}']}]`;
const ceiling = (value: string) =>
  describeNotes({ body: `content: {application/json: {schema: {type: string${value}}}}` });
const granted = (...grants: readonly string[]) =>
  describeNotes({ operation: grants.length === 0 ? "" : `x-grants: [${grants.join(", ")}]` });
const reading = "{on: $request.path.id, level: read}";
const writing = "{on: $request.path.id, level: write, when: {body: {required: [a]}}}";

export const securityDiffCases: readonly DiffCase[] = [
  {
    what: "a security scheme is added",
    old: describeNotes({ schemes: bearer }),
    next: describeNotes({ schemes: `${bearer}, ${key}` }),
    expected: ["scheme-added: none"],
  },
  {
    what: "a security scheme is removed",
    old: describeNotes({ schemes: `${bearer}, ${key}` }),
    next: describeNotes({ schemes: bearer }),
    expected: ["scheme-removed: callers, wire"],
  },
  {
    what: "a key is in another header",
    old: describeNotes({ schemes: key }),
    next: describeNotes({ schemes: key.replace("X-Key", "X-Token") }),
    expected: ["scheme-changed: callers, implementers, wire"],
  },
  {
    what: "a token is a password",
    old: describeNotes({ schemes: bearer }),
    next: describeNotes({ schemes: bearer.replace("scheme: bearer", "scheme: basic") }),
    expected: ["scheme-changed: callers, implementers, wire"],
  },
  {
    what: "a security scheme has a description",
    old: describeNotes({ schemes: bearer }),
    next: describeNotes({ schemes: bearer.replace("}", ", description: Yours}") }),
    expected: ["text-changed: none"],
  },
  {
    what: "credentials are required",
    old: secured(""),
    next: secured("{token: []}"),
    expected: ["security-required: callers, wire"],
  },
  {
    what: "credentials are no longer optional",
    old: secured("{}, {token: []}"),
    next: secured("{token: []}"),
    expected: ["security-required: callers, wire"],
  },
  {
    what: "credentials are not required",
    old: secured("{token: []}"),
    next: secured("{}"),
    expected: ["security-dropped: none"],
  },
  {
    what: "credentials are optional",
    old: secured("{token: []}"),
    next: secured("{token: []}, {}"),
    expected: ["security-dropped: none"],
  },
  {
    what: "a key is accepted too",
    old: secured("{token: []}"),
    next: secured("{token: []}, {key: []}"),
    expected: ["security-alternative-added: none"],
  },
  {
    what: "a key is no longer accepted",
    old: secured("{token: []}, {key: []}"),
    next: secured("{token: []}"),
    expected: ["security-alternative-removed: callers, wire"],
  },
  {
    what: "a key is required beside the token",
    old: secured("{token: []}"),
    next: secured("{token: [], key: []}"),
    expected: ["security-scope-added: wire"],
  },
  {
    what: "a key is accepted instead",
    old: secured("{token: []}"),
    next: secured("{key: []}"),
    expected: ["security-alternative-removed: callers, wire", "security-alternative-added: none"],
  },
  {
    what: "an additional scope is required",
    old: secured("{o: [read]}"),
    next: secured("{o: [read, write]}"),
    expected: ["security-scope-added: wire"],
  },
  {
    what: "a scope is no longer required",
    old: secured("{o: [read, write]}"),
    next: secured("{o: [read]}"),
    expected: ["security-scope-removed: none"],
  },
  {
    what: "another scope is accepted too",
    old: secured("{o: [read]}"),
    next: secured("{o: [read]}, {o: [write]}"),
    expected: ["security-alternative-added: none"],
  },
  {
    what: "another scope is required",
    old: secured("{o: [read]}"),
    next: secured("{o: [write]}"),
    expected: ["security-scope-added: wire"],
  },
  {
    what: "scopes are in another order",
    old: secured("{o: [read, write]}"),
    next: secured("{o: [write, read]}"),
    expected: [],
  },
  {
    what: "a lower level is required",
    old: grammar({}, needs("images:write")),
    next: grammar({}, needs("images:read")),
    expected: ["security-scope-removed: none"],
  },
  {
    what: "a higher level is required",
    old: grammar({}, needs("images:read")),
    next: grammar({}, needs("images:write")),
    expected: ["security-scope-added: wire"],
  },
  {
    what: "scopes have areas",
    old: describeNotes({ schemes: bearer }),
    next: grammar(),
    expected: ["scope-grammar-added: none"],
  },
  {
    what: "scopes have no areas",
    old: grammar(),
    next: describeNotes({ schemes: bearer }),
    expected: ["scope-grammar-removed: callers, implementers, wire"],
  },
  {
    what: "scopes have another separator",
    old: grammar(),
    next: grammar({ separator: "' '" }),
    expected: ["scope-grammar-changed: implementers, wire"],
  },
  {
    what: "a scope area is added",
    old: grammar(),
    next: grammar({ areas: "[account, images, tags]" }),
    expected: ["scope-area-added: none"],
  },
  {
    what: "a scope area is removed",
    old: grammar(),
    next: grammar({ areas: "[account]" }),
    expected: ["scope-area-removed: callers, wire"],
  },
  {
    what: "a level is added",
    old: grammar(),
    next: grammar({ levels: "{read: [], write: [read], own: []}" }),
    expected: ["scope-level-added: none"],
  },
  {
    what: "a level is removed",
    old: grammar({ levels: "{read: [], write: [read], own: []}" }),
    next: grammar(),
    expected: ["scope-level-removed: callers, wire"],
  },
  {
    what: "a level implies more",
    old: grammar({ levels: "{read: [], write: []}" }),
    next: grammar(),
    expected: ["scope-level-implies-more: none"],
  },
  {
    what: "a level implies less",
    old: grammar(),
    next: grammar({ levels: "{read: [], write: []}" }),
    expected: ["scope-level-implies-less: wire"],
  },
  {
    what: "another object is a credential",
    old: grammar(),
    next: grammar({ credentials: "[{to: Token, in: active}, {to: App, in: on}]" }),
    expected: ["scope-credential-added: none"],
  },
  {
    what: "an object is no longer a credential",
    old: grammar({ credentials: "[{to: Token, in: active}, {to: App, in: on}]" }),
    next: grammar(),
    expected: ["scope-credential-removed: wire"],
  },
  {
    what: "the errors change",
    old: grammar(),
    next: grammar({ errors: "{missing: no-token, invalid: bad-token, scope: too-little}" }),
    expected: ["scope-errors-changed: wire"],
  },
  {
    what: "scopes have a ceiling",
    old: ceiling(""),
    next: ceiling(", x-scopes: {atMost: $caller.scopes, error: too-much}"),
    expected: ["scope-ceiling-added: wire"],
  },
  {
    what: "scopes have no ceiling",
    old: ceiling(", x-scopes: {atMost: $caller.scopes, error: too-much}"),
    next: ceiling(""),
    expected: ["scope-ceiling-removed: none"],
  },
  {
    what: "the ceiling has another error",
    old: ceiling(", x-scopes: {atMost: $caller.scopes, error: too-much}"),
    next: ceiling(", x-scopes: {atMost: $caller.scopes, error: far-too-much}"),
    expected: ["scope-ceiling-changed: wire"],
  },
  {
    what: "a grant is required",
    old: granted(),
    next: granted("{grant: add_notes}"),
    expected: ["grant-added: wire"],
  },
  {
    what: "a grant is not required",
    old: granted("{caller: {restricted: false}}"),
    next: granted(),
    expected: ["grant-removed: none"],
  },
  {
    what: "another level is required",
    old: granted("{on: $request.path.id, level: read}"),
    next: granted("{on: $request.path.id, level: write}"),
    expected: ["grant-changed: wire"],
  },
  {
    what: "a grant is required under a condition",
    old: granted("{grant: add_notes}"),
    next: granted("{grant: add_notes, when: {body: {required: [a]}}}"),
    expected: ["grant-changed: wire"],
  },
  {
    what: "a caller needs grants that it did not need",
    old: describeNotes({ root: "x-callers: {needNoGrants: {role: [admin, doctor]}}" }),
    next: describeNotes({ root: "x-callers: {needNoGrants: {role: admin}}" }),
    expected: ["callers-changed: wire"],
  },
  {
    what: "grants are in another order",
    old: granted("{grant: a}", "{grant: b}"),
    next: granted("{grant: b}", "{grant: a}"),
    expected: [],
  },
  {
    what: "grants for the same object are in another order",
    old: granted(reading, writing),
    next: granted(writing, reading),
    expected: [],
  },
  {
    what: "the first of two grants for the same object is not required",
    old: granted(reading, writing),
    next: granted(writing),
    expected: ["grant-removed: none"],
  },
];
