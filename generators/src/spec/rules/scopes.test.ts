import { expect, test } from "vitest";
import { description, messagesOf, lintTexts, type Parts } from "../testing.support.js";

const scoped = (scopes: string, more: { levels?: string; state?: string } = {}): Parts => ({
  root: `x-errors:\n  - {id: no-token, status: 400, field: null}`,
  operation: `security: [{bearer: [${scopes}]}]`,
  note: `x-resource: {owner: [user]}\nx-state-machine: {states: [active], initial: [{by: createNote, to: active}], transitions: []}`,
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
  expect(await lintTexts(description(scoped(scopes)))).toEqual([]);
});

test.each([
  ["'note:read'", 'There is no area "note".'],
  ["'notes:raed'", 'There is no level "raed".'],
  ["notes", '"notes" is not a scope.'],
  ["'notes:read:all'", '"notes:read:all" is not a scope.'],
])("%s is not", async (scope, message) => {
  expect(await messagesOf("scopes/undeclared", scoped(scope))).toEqual([message]);
});

test("a level implies only levels that are there", async () => {
  expect(await messagesOf("scopes/level", scoped("", { levels: "{read: [], write: [raed]}" }))).toEqual([
    'There is no level "raed".',
  ]);
});

test("a credential admits in a state that it has", async () => {
  expect(await messagesOf("states/unknown", scoped("", { state: "alive" }))).toEqual(['"Note" has no state "alive".']);
});
