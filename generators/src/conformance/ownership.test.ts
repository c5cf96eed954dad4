import { expect, test } from "vitest";
import { ownershipCases } from "./ownership.js";
import { kennels } from "./resources.support.js";
import { contextFrom } from "./testing.support.js";

async function casesOf(text: string, settings: Parameters<typeof contextFrom>[1] = {}): Promise<readonly string[]> {
  return ownershipCases(await contextFrom(text, settings)).map(({ id }) => id);
}

test("another account lists none of the objects", async () => {
  const [case_] = ownershipCases(await contextFrom(kennels));
  expect(case_).toEqual({
    id: "kennels/listKennels/others/stranger",
    kind: "resources",
    operation: "listKennels",
    title: "listKennels: another account sees none of it",
    requirements: ["owned"],
    needs: ["stranger"],
    steps: [
      { make: "Kennel", as: "theirs" },
      { actor: { account: "other" }, as: "somebody" },
      {
        call: "listKennels",
        by: { user: "somebody" },
        expect: { body: { properties: { results: { const: 0 } }, required: ["results"] } },
      },
    ],
  });
});

test("objects of a user are hidden from other users of the account", async () => {
  const text = kennels.replace("owner: [account], list: listKennels", "owner: [user], list: listKennels");
  expect(await casesOf(text)).toEqual([
    "kennels/listKennels/others/stranger",
    "kennels/listKennels/others/colleague",
    "events/listEvents/others/stranger",
  ]);
});

test("a public object is read by other accounts, and changed only by its owner", async () => {
  const text = kennels
    .replace(
      "owner: [account], list: listKennels",
      "owner: [account], public: {properties: {open: {const: true}}}, list: listKennels",
    )
    .replaceAll("{'204': {description: Gone.}}", "{'204': {description: Gone.}, '403': {description: No.}}");
  expect(await casesOf(text)).toEqual([
    "kennels/listKennels/others/stranger",
    "kennels/getKennel/public/stranger",
    "kennels/deleteKennel/public/main",
    "kennels/deleteKennel/public/stranger",
    "events/listEvents/others/stranger",
  ]);
});

test("an object of the platform is the same for every account", async () => {
  const text = kennels.replace("owner: [account], read: getTag", "owner: [platform], read: getTag");
  const cases = ownershipCases(await contextFrom(text));
  const read = { call: "getTag", path: { label: { $get: "tag#/label" } } };
  expect(cases.find(({ id }) => id === "tags/getTag/everybody")?.steps).toEqual([
    { make: "Tag", as: "tag" },
    { ...read, as: "ours", given: true },
    { ...read, by: "stranger", expect: { body: { const: { $get: "ours#/body" } } } },
  ]);
});

const single = `openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /note:
    get: &read
      operationId: getNote
      tags: [notes]
      security: [{bearer: []}]
      responses: {'200': {description: It., content: &note {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}}
    put:
      operationId: updateNote
      tags: [notes]
      security: [{bearer: []}]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Note'}, example: {text: Hello}}}}
      responses: {'200': {description: Changed., content: *note}}
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}}
  schemas:
    Note: {type: object, x-resource: {owner: [user, client], read: getNote}, properties: {text: {type: string}}}
`;

test("a singleton of a user or a client is not shared with others", async () => {
  const client = { needs: [], steps: [], gives: { token: "t" } };
  const cases = ownershipCases(await contextFrom(single, { recipes: { client } }));
  expect(cases.map(({ id, steps }) => [id, steps])).toEqual([
    [
      "notes/updateNote/others/colleague",
      [
        { actor: { account: "own" }, as: "colleague" },
        { call: "getNote", by: { user: "colleague" }, as: "before", given: true },
        { call: "updateNote", body: { text: "Hello" } },
        {
          call: "getNote",
          by: { user: "colleague" },
          expect: { body: { const: { $get: "before#/body" } } },
        },
      ],
    ],
    [
      "notes/updateNote/others/client",
      [
        { make: "client", as: "client", fresh: true },
        { call: "getNote", by: { token: { $get: "client#/token" } }, as: "before", given: true },
        { call: "updateNote", body: { text: "Hello" } },
        { call: "getNote", as: "ours" },
        { check: { $get: "ours#/body" }, matches: { not: { const: { $get: "before#/body" } } } },
        {
          call: "getNote",
          by: { token: { $get: "client#/token" } },
          expect: { body: { const: { $get: "before#/body" } } },
        },
      ],
    ],
  ]);
});

test("of a name in two accounts each account sees its own object", async () => {
  const made = { needs: [], steps: [], gives: { id: 1 } };
  const cases = ownershipCases(await contextFrom(kennels, { recipes: { Kennel: made, Tag: made } }));
  const path = { label: { $get: "tag#/label" } };
  expect(cases.find(({ id }) => id === "tags/getTag/others/same-name/Kennel")?.steps).toEqual([
    { make: "Tag", as: "tag", fresh: true },
    { call: "getTag", path, as: "before", given: true },
    { make: "Kennel", as: "theirs", by: "stranger", fresh: true, with: { tags: [{ $get: "tag#/label" }] } },
    { call: "getTag", path, expect: { body: { const: { $get: "before#/body" } } } },
    { call: "deleteTag", path, by: "stranger", given: true },
  ]);
});
