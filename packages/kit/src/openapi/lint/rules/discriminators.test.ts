import { expect, test } from "vitest";
import type { Diagnostic } from "../../../model/index.js";
import { buildDescription, lintFixture, lintFixtureLines, type DescriptionParts } from "../lint-fixture.support.js";

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

test.each([
  [
    "an enum that the schema shares",
    "kind: {$ref: '#/components/schemas/Kind'}",
    "It is read as if the enum listed the value, too.",
  ],
  ["its own enum", "kind: {type: string, enum: [Cat]}", "The values of the enum select the schema instead."],
])("a mapped value that is not in %s is reported with its reading", async (_, kind, reading) => {
  const text = buildDescription({
    properties: `animal:
  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
  discriminator: {propertyName: kind, mapping: {Cat: Cat, dog: Dog, x: Cat}}`,
    schemas: `Kind: {type: string, enum: [Cat, dog]}
Cat: {type: object, required: [kind], properties: {${kind}}}
Dog: {type: object, required: [kind], properties: {kind: {$ref: '#/components/schemas/Kind'}}}`,
  });
  const unlisted = (diagnostics: readonly Diagnostic[]) =>
    diagnostics
      .filter(({ code }) => code === "discriminators/unlisted")
      .map(({ severity, message, fix, origin: { line, column } }) => [severity, `${line}:${column}`, message, fix]);
  const message = 'The schema does not allow the value "x".';
  const fix = "Add the value to the enum, or correct the mapping.";
  expect(unlisted(await lintFixture(text))).toEqual([["error", "27:77", message, fix]]);
  expect(unlisted(await lintFixture(text, "minimal"))).toEqual([["warning", "27:77", message, `${reading} ${fix}`]]);
});
