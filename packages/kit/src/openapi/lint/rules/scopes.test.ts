import { expect, test } from "vitest";
import { buildDescription, lintMessages, lintFixture, type DescriptionParts } from "../lint-fixture.support.js";

const scoped = (scopes: string, more: { levels?: string; state?: string } = {}): DescriptionParts => ({
  root: `x-errors:\n  - {id: no-token, status: 400, field: null}`,
  operation: `security: [{bearer: [${scopes}]}]`,
  note: `x-resource: {owner: [user]}\nx-state-machine: {states: [active], initial: [{event: createNote, to: active}], transitions: []}`,
  components: `securitySchemes:
  bearer:
    type: http
    scheme: bearer
    x-scopes:
      areas: [notes, account]
      levels: ${more.levels ?? "{read: [], write: [read]}"}
      all: '*'
      separator: ','
      credentials: [{to: Note, in: ${more.state ?? "active"}}]
      errors: {missing: no-token, invalid: no-token, scope: no-token}`,
});

test.each(["'notes:read'", "'notes:read', 'account:write'", "'*'", ""])("[%s] are declared", async (scopes) => {
  expect(await lintFixture(buildDescription(scoped(scopes)))).toEqual([]);
});

test.each([
  ["'note:read'", 'There is no area "note".'],
  ["'notes:raed'", 'There is no level "raed".'],
  ["notes", '"notes" is not a scope.'],
  ["'notes:read:all'", '"notes:read:all" is not a scope.'],
])("%s is not", async (scope, message) => {
  expect(await lintMessages("scopes/undeclared", scoped(scope))).toEqual([message]);
});

test("a level implies only levels that are there", async () => {
  expect(await lintMessages("scopes/level", scoped("", { levels: "{read: [], write: [raed]}" }))).toEqual([
    'There is no level "raed".',
  ]);
});

test("a credential admits in a state that it has", async () => {
  expect(await lintMessages("states/unknown", scoped("", { state: "alive" }))).toEqual([
    '"Note" has no state "alive".',
  ]);
});

const everyScope = ["'*'", "'notes:read'", "'notes:write'", "'account:read'", "'account:write'"];

/** Two schemes for the same tokens. */
function shared({ flow = everyScope, security = "[]", sameAs = "bearer" }): DescriptionParts {
  const { components = "", ...rest } = scoped("");
  const scopes = flow.map((each) => `${each}: Some notes`).join(", ");
  return {
    ...rest,
    operation: `security: ${security}`,
    components: `${components}
  oauth:
    type: oauth2
    flows: {clientCredentials: {tokenUrl: https://notes.example/token, scopes: {${scopes}}}}
    x-scopes: {sameAs: ${sameAs}}`,
  };
}

test.each([
  "[{bearer: []}, {oauth: []}]",
  "[{oauth: ['notes:read', 'account:read']}, {}, {bearer: ['notes:read', 'account:read']}]",
])("two schemes for the same tokens agree: %s", async (security) => {
  expect(await lintFixture(buildDescription(shared({ security })))).toEqual([]);
});

test.each([
  ["[{bearer: ['notes:read']}]", ['This alternative has no counterpart with "oauth", which has the same tokens.']],
  ["[{oauth: ['notes:read']}, {}]", ['This alternative has no counterpart with "bearer", which has the same tokens.']],
  [
    "[{bearer: ['notes:read']}, {oauth: ['notes:write']}]",
    [
      'This alternative has no counterpart with "oauth", which has the same tokens.',
      'This alternative has no counterpart with "bearer", which has the same tokens.',
    ],
  ],
])("they do not agree: %s", async (security, messages) => {
  expect(await lintMessages("scopes/same", shared({ security }))).toEqual(messages);
});

test("a flow lists the scopes of the other scheme, and no others", async () => {
  expect(await lintMessages("scopes/same", shared({ flow: everyScope.slice(1, 4) }))).toEqual([
    'The flow lacks "*", "account:write".',
  ]);
  expect(await lintMessages("scopes/same", shared({ flow: [...everyScope, "'notes:raed'"] }))).toEqual([
    'There is no scope "notes:raed".',
  ]);
});

test("the other scheme has to be there, and to say what scopes are made of", async () => {
  expect(await lintMessages("scopes/same", shared({ sameAs: "baerer" }))).toEqual([
    'There is no scheme "baerer" with x-scopes.',
  ]);
  expect(await lintMessages("scopes/same", shared({ sameAs: "oauth" }))).toEqual([
    'There is no scheme "oauth" with x-scopes.',
  ]);
});
