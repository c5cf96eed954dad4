import { expect, test } from "vitest";
import { operationFacts } from "./facts.js";
import { recipesOf } from "./recipes.js";
import { contextFrom, houses } from "./testing.support.js";

test("the facts of an operation tell what it makes, takes away and lists, and what it answers", async () => {
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

test("a resource comes to be by the operation that makes it", async () => {
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
