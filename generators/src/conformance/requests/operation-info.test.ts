import { expect, test } from "vitest";
import { contextFromText, housesDescription } from "../context/fixture-context.support.js";
import { fixturesOf } from "./fixtures.js";
import { operationInfos } from "./operation-info.js";

test("the facts of an operation have what it creates, deletes and lists, and its responses", async () => {
  const context = await contextFromText(housesDescription);
  const facts = operationInfos(context, context.api);
  expect(facts["createHouse"]).toEqual({
    method: "POST",
    path: "/houses",
    tag: "houses",
    location: "spec/openapi.yaml:1",
    parameters: [],
    mediaType: "application/json",
    responses: {
      "201": {
        requirements: [],
        mediaTypes: ["application/json"],
        schema: { $ref: "#/$defs/House" },
        headers: {},
      },
    },
    creates: { resource: "House", deletedBy: { call: "deleteHouse", path: { houseId: { response: "/id" } } } },
  });
  expect(facts["deleteHouse"]?.deletes).toBe("House");
  expect(facts["listHouses"]?.lists).toBe("House");
});

test("a resource is created by its creating operation", async () => {
  const context = await contextFromText(housesDescription);
  expect(fixturesOf(context)).toEqual({
    House: {
      requires: [],
      steps: [
        { call: "createHouse", setup: true, body: { $merge: [{ name: "text" }, { $get: "of#/with" }] }, as: "made" },
      ],
      outputs: { $get: "made#/body" },
    },
  });
});

const tagged = housesDescription
  .replace(
    "name: {type: string, minLength: 3}}",
    "name: {type: string}, tags: {type: array, items: {$ref: '#/components/schemas/TagName'}}}",
  )
  .replace(
    "components:\n",
    `components:\n  parameters:\n    Tag: {name: tag, in: path, required: true, schema: {type: string}, x-reference: {to: Tag, by: label}}\n`,
  )
  .replace(
    "components:\n",
    `  /tags/{tag}:
    delete:
      operationId: deleteTag
      tags: [houses]
      security: [{bearer: []}]
      parameters: [{$ref: '#/components/parameters/Tag'}]
      responses: {'204': {description: Gone.}}
components:
`,
  )
  .replace(
    "    House:\n",
    `    TagName: {type: string, x-reference: {to: Tag, by: label, onNotFound: create}}
    Tag: {type: object, x-resource: {owner: [account], delete: deleteTag}, properties: {label: {type: string}}}
    House:
`,
  );

test("objects that a body creates by naming them are listed, with the operation that deletes them", async () => {
  const context = await contextFromText(tagged);
  const facts = operationInfos(context, context.api);
  expect(facts["createHouse"]?.sideEffects).toEqual([
    { resource: "Tag", pointer: "/tags/*", deletedBy: { call: "deleteTag", parameter: "tag" } },
  ]);
  expect(facts["updatePet"]).not.toHaveProperty("sideEffects");
});

test("objects that are deleted by another name, or not at all, are not listed", async () => {
  for (const text of [
    tagged.replace("{to: Tag, by: label}}", "{to: Tag}}"),
    tagged.replace(", delete: deleteTag}", "}"),
    tagged.replace(", onNotFound: create}", "}"),
  ]) {
    const context = await contextFromText(text);
    expect(operationInfos(context, context.api)["createHouse"]).not.toHaveProperty("sideEffects");
  }
});

test("the rate limits of an operation are listed in seconds, and its other limits are not", async () => {
  const context = await contextFromText(
    housesDescription.replace(
      "      operationId: createHouse\n",
      `      operationId: createHouse
      x-limits:
        - {id: creates, kind: rate, max: 10, window: PT1M, per: $caller.user, error: too-many}
        - {id: together, kind: concurrency, max: 2, error: too-many}
`,
    ),
  );
  const facts = operationInfos(context, context.api);
  expect(facts["createHouse"]?.rates).toEqual([{ max: 10, seconds: 60 }]);
  expect(facts["listHouses"]).not.toHaveProperty("rates");
});

test("a rate limit that several operations have is listed with its id", async () => {
  const limit = `      x-limits: [{id: requests, kind: rate, max: 10, window: PT1M, per: $caller.user, error: too-many}]\n`;
  const names = ["createHouse", "listHouses"] as const;
  const text = names.reduce(
    (all, name) => all.replace(`      operationId: ${name}\n`, (line) => line + limit),
    housesDescription,
  );
  const context = await contextFromText(text);
  const facts = operationInfos(context, context.api);
  for (const name of names) expect(facts[name]?.rates).toEqual([{ id: "requests", max: 10, seconds: 60 }]);
});
