import { expect, test } from "vitest";
import { buildDescription, lintFixtureLines, type DescriptionParts } from "../lint-fixture.support.js";

const mapped = (mapping: string): DescriptionParts => ({
  properties: `animal:
  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
  discriminator: {propertyName: kind, mapping: {x: ${mapping}}}`,
  schemas: ["Cat", "Dog"]
    .map((name) => `${name}: {type: object, required: [kind], properties: {kind: {type: string, maxLength: 9}}}`)
    .join("\n"),
});

test.each(["Cat", "'#/components/schemas/Dog'"])("%s is a schema", async (mapping) => {
  expect(await lintFixtureLines(buildDescription(mapped(mapping)))).toEqual([]);
});

test.each(["Cow", "'#/components/schemas/Cow'", "'animals.yaml#/Cow'", "'https://animals.example/cow.yaml'"])(
  "%s is none",
  async (mapping) => {
    const name = mapping.replaceAll("'", "");
    expect(await lintFixtureLines(buildDescription(mapped(mapping)))).toEqual([
      `27:57 openapi/no-unresolved-refs There is no schema "${name}".`,
    ]);
  },
);
