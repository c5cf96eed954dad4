import { expect, test } from "vitest";
import { buildFixtureApi, withoutOrigins, withSchemas } from "../testing.js";

async function read(schemas: string, keywords?: readonly string[]): Promise<unknown> {
  const api = await buildFixtureApi(withSchemas(schemas), {}, keywords);
  return withoutOrigins(api.schemas.map(({ schema }) => schema));
}

test("a schema keeps the values of listed keywords, as data", async () => {
  const value = "{digits: [1, {$ref: '#/components/schemas/None'}], __proto__: null}";
  expect(await read(`A: {type: string, x-luhn: ${value}, x-other: 1}`, ["x-luhn", "x-weekday"])).toEqual([
    {
      types: ["string"],
      keywords: { "x-luhn": JSON.parse('{"digits":[1,{"$ref":"#/components/schemas/None"}],"__proto__":null}') },
    },
  ]);
});

test("a keyword stands beside a reference, too, and null is a value", async () => {
  expect(await read("A: {$ref: '#/components/schemas/B', x-luhn: null}\nB: {}", ["x-luhn"])).toEqual([
    { types: [], ref: "B", keywords: { "x-luhn": null } },
    { types: [] },
  ]);
});

test("keywords that are not listed are ignored", async () => {
  expect(await read("A: {type: string, x-luhn: true}")).toEqual([{ types: ["string"] }]);
});
