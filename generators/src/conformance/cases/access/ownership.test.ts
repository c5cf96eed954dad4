import { expect, test } from "vitest";
import { contextFromText, housesDescription } from "../../context/fixture-context.support.js";
import { kennelsDescription } from "../references/references-description.support.js";
import { ownershipCases } from "./ownership.js";

async function casesOf(text: string, settings: Parameters<typeof contextFromText>[1] = {}): Promise<readonly string[]> {
  return ownershipCases(await contextFromText(text, settings)).map(({ id }) => id);
}

test("another account lists none of the objects", async () => {
  const actors = { user: { requires: [], steps: [], outputs: null } };
  const [case_] = ownershipCases(await contextFromText(kennelsDescription, { actors }));
  expect(case_).toEqual({
    id: "kennels/listKennels/others/other-account",
    kind: "resources",
    operation: "listKennels",
    title: "listKennels: another account sees none of it",
    requirements: ["owned"],
    requires: ["other-account"],
    steps: [
      { make: "Kennel", as: "theirs" },
      { actor: { account: "other" }, as: "other" },
      {
        call: "listKennels",
        by: { user: "other" },
        expect: { body: { properties: { results: { const: 0 } }, required: ["results"] } },
      },
    ],
  });
});

test("without created accounts the object is not in the list of another one", async () => {
  const text = housesDescription.replace(
    "operationId: listHouses",
    "operationId: listHouses\n      parameters: [{name: limit, in: query, schema: {type: integer, maximum: 100}}]",
  );
  const cases = ownershipCases(await contextFromText(text));
  expect(cases.find(({ id }) => id === "houses/listHouses/others/other-account")).toMatchObject({
    requires: ["other-account"],
    steps: [
      { make: "House", as: "theirs" },
      {
        call: "listHouses",
        query: { limit: 100 },
        by: "other-account",
        expect: {
          body: { not: { contains: { properties: { id: { const: { $get: "theirs#/id" } } }, required: ["id"] } } },
        },
      },
    ],
  });
  const paged = ownershipCases(await contextFromText(kennelsDescription));
  expect(paged.find(({ id }) => id === "kennels/listKennels/others/other-account")?.steps.at(-1)).toMatchObject({
    by: "other-account",
    everyPage: true,
  });
});

test("objects of a user are hidden from other users of the account", async () => {
  const text = kennelsDescription.replace("owner: [account], list: listKennels", "owner: [user], list: listKennels");
  expect(await casesOf(text)).toEqual([
    "kennels/listKennels/others/other-account",
    "kennels/listKennels/others/colleague",
    "events/listEvents/others/other-account",
  ]);
});

test("a public object is read by other accounts, and changed only by its owner", async () => {
  const text = kennelsDescription
    .replace(
      "owner: [account], list: listKennels",
      "owner: [account], public: {properties: {open: {const: true}}}, list: listKennels",
    )
    .replaceAll("{'204': {description: Gone.}}", "{'204': {description: Gone.}, '403': {description: No.}}");
  expect(await casesOf(text)).toEqual([
    "kennels/listKennels/others/other-account",
    "kennels/getKennel/public/other-account",
    "kennels/deleteKennel/public/main",
    "kennels/deleteKennel/public/other-account",
    "events/listEvents/others/other-account",
  ]);
});

test("an object of the platform is the same for every account", async () => {
  const text = kennelsDescription.replace("owner: [account], read: getTag", "owner: [platform], read: getTag");
  const cases = ownershipCases(await contextFromText(text));
  const read = { call: "getTag", path: { label: { $get: "tag#/label" } } };
  expect(cases.find(({ id }) => id === "tags/getTag/everybody")?.steps).toEqual([
    { make: "Tag", as: "tag" },
    { ...read, as: "ours", setup: true },
    { ...read, by: "other-account", expect: { body: { const: { $get: "ours#/body" } } } },
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
  const client = { requires: [], steps: [], outputs: { token: "t" } };
  const cases = ownershipCases(await contextFromText(single, { fixtures: { client } }));
  expect(cases.map(({ id, steps }) => [id, steps])).toEqual([
    [
      "notes/updateNote/others/colleague",
      [
        { actor: { account: "own" }, as: "colleague" },
        { call: "getNote", by: { user: "colleague" }, as: "before", setup: true },
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
        { call: "getNote", by: { token: { $get: "client#/token" } }, as: "before", setup: true },
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
  const made = { requires: [], steps: [], outputs: { id: 1 } };
  const cases = ownershipCases(await contextFromText(kennelsDescription, { fixtures: { Kennel: made, Tag: made } }));
  const path = { label: { $get: "tag#/label" } };
  expect(cases.find(({ id }) => id === "tags/getTag/others/same-name/Kennel")?.steps).toEqual([
    { make: "Tag", as: "tag", fresh: true },
    { call: "getTag", path, as: "before", setup: true },
    { make: "Kennel", as: "theirs", by: "other-account", fresh: true, with: { tags: [{ $get: "tag#/label" }] } },
    { call: "getTag", path, expect: { body: { const: { $get: "before#/body" } } } },
    { call: "deleteTag", path, by: "other-account", setup: true },
  ]);
});
