import { expect, test } from "vitest";
import { contextFromText, housesDescription } from "../context/fixture-context.support.js";
import { jsonSchemaOf } from "./json-schema.js";

test("the JSON Schema of a response has no write-only fields, and names its requirements", async () => {
  const { schemas } = await contextFromText(housesDescription);
  const house = schemas.get("House");
  expect(house && jsonSchemaOf(house)).toEqual({
    type: "object",
    properties: {
      id: { type: "integer", "x-source": ["house.id"] },
      name: { type: "string", "x-source": ["house.name"] },
    },
    required: ["id", "name"],
  });
  const pet = schemas.get("Pet");
  expect(pet && jsonSchemaOf(pet)).toEqual({
    type: "object",
    properties: { name: { type: "string" }, age: { type: ["integer", "null"], minimum: 0 } },
  });
});
