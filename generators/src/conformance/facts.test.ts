import { expect, test } from "vitest";
import { operationFacts } from "./facts.js";
import { recipesOf } from "./recipes.js";
import { contextFrom, houses } from "./testing.support.js";

test("the facts of an operation have what it creates, deletes and lists, and its responses", async () => {
  const context = await contextFrom(houses);
  const facts = operationFacts(context, context.api);
  expect(facts["createHouse"]).toEqual({
    method: "POST",
    path: "/houses",
    area: "houses",
    place: "spec/openapi.yaml:1",
    parameters: [],
    mediaType: "application/json",
    replies: {
      "201": {
        requirements: [],
        mediaTypes: ["application/json"],
        schema: { $ref: "#/$defs/House" },
        headers: {},
      },
    },
    makes: { resource: "House", remove: { call: "deleteHouse", path: { houseId: { reply: "/id" } } } },
  });
  expect(facts["deleteHouse"]?.removes).toBe("House");
  expect(facts["listHouses"]?.lists).toBe("House");
});

test("a resource is created by its creating operation", async () => {
  const context = await contextFrom(houses);
  expect(recipesOf(context)).toEqual({
    House: {
      needs: [],
      steps: [
        { call: "createHouse", given: true, body: { $merge: [{ name: "text" }, { $get: "of#/with" }] }, as: "made" },
      ],
      gives: { $get: "made#/body" },
    },
  });
});

const tagged = houses
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
    `    TagName: {type: string, x-reference: {to: Tag, by: label, missing: create}}
    Tag: {type: object, x-resource: {owner: [account], delete: deleteTag}, properties: {label: {type: string}}}
    House:
`,
  );

test("objects that a body creates by naming them are listed, with the operation that deletes them", async () => {
  const context = await contextFrom(tagged);
  const facts = operationFacts(context, context.api);
  expect(facts["createHouse"]?.names).toEqual([
    { resource: "Tag", at: "/tags/*", remove: { call: "deleteTag", parameter: "tag" } },
  ]);
  expect(facts["updatePet"]).not.toHaveProperty("names");
});

test("objects that are deleted by another name, or not at all, are not listed", async () => {
  for (const text of [
    tagged.replace("{to: Tag, by: label}}", "{to: Tag}}"),
    tagged.replace(", delete: deleteTag}", "}"),
    tagged.replace(", missing: create}", "}"),
  ]) {
    const context = await contextFrom(text);
    expect(operationFacts(context, context.api)["createHouse"]).not.toHaveProperty("names");
  }
});

test("the rate limits of an operation are listed in seconds, and its other limits are not", async () => {
  const context = await contextFrom(
    houses.replace(
      "      operationId: createHouse\n",
      `      operationId: createHouse
      x-limits:
        - {id: creates, kind: rate, max: 10, window: PT1M, per: $caller.user, error: too-many}
        - {id: together, kind: concurrency, max: 2, error: too-many}
`,
    ),
  );
  const facts = operationFacts(context, context.api);
  expect(facts["createHouse"]?.rates).toEqual([{ max: 10, seconds: 60 }]);
  expect(facts["listHouses"]).not.toHaveProperty("rates");
});
