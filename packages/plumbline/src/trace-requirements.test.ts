import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { countTraces, isHole, traceRequirements } from "./trace-requirements.js";

const texts = {
  "openapi.yaml": withPaths(
    `/pets:
  get:
    operationId: listPets
    x-source: [pets.list]
    parameters: [{name: kind, in: query, schema: {type: string, x-source: [pets.kind]}}]
    responses: {'200': {description: ok, content: {application/json: {schema: {type: array, maxItems: 9, items: {$ref: '#/components/schemas/Pet'}, x-source: [pets.nine]}}}}}`,
    `components:
  schemas:
    Pet:
      type: object
      properties:
        name: {type: string, x-source: [pet.name, pet.one-name]}
        age: {type: integer, x-source: [pet.years]}
tags: [{name: a, x-source: [pets.tag]}]
x-assumptions:
  pet.one-name: {says: A pet has one name., because: It was so., settles: pet.names}
  pet.years: {says: In years., because: Custom.}
`,
  ),
  "requirements.yaml": `documents:
  only:
    title: The document
    sections:
      Pets:
        pets.list: {line: 1, says: Pets are listed.}
        pets.kind: {line: 2, says: By kind.}
        pets.nine: {line: 3, says: Nine at most.}
        pet.name: {line: 4, says: A pet has a name.}
        pets.tag: {line: 5, says: Pets are an area.}
        pet.food: {line: 6, says: A pet eats.}
        pet.names: {line: 7, open: Has it several names?}
        pet.owner: {line: 8, open: Who owns it?}
`,
};

test("traces every requirement to its positions and generated code", async () => {
  const found = traceRequirements(await buildFixtureApi(texts)).map((each) => [
    each.requirement.id,
    isHole(each) ? "hole" : "stated",
    each.settledBy,
    each.code,
  ]);
  expect(found).toEqual([
    ["pets.list", "stated", [], ["listPets()"]],
    ["pets.kind", "stated", [], ["listPets()"]],
    ["pets.nine", "stated", [], ["listPets()"]],
    ["pet.name", "stated", [], ["type Pet"]],
    ["pets.tag", "stated", [], []],
    ["pet.food", "hole", [], []],
    ["pet.names", "stated", ["A pet has one name."], ["type Pet"]],
    ["pet.owner", "hole", [], []],
  ]);
});

test("counts requirements in prose separately", async () => {
  const found = traceRequirements(await buildFixtureApi(texts));
  expect(found.filter(({ requirement }) => requirement.isProseOnly).map(({ requirement }) => requirement.id)).toEqual([
    "pets.tag",
  ]);
  expect(countTraces(found)).toEqual({ requirements: 8, stated: 6, carried: 4, proseOnly: 1, open: 2, holes: 2 });
});

test.each([
  ["a schema of prose", "{description: It eats., title: Food, x-source: [pets.list]}", true],
  ["a keyword", "{description: It eats., type: string, x-source: [pets.list]}", false],
  ["an extension field", "{description: It eats., x-filterable: true, x-source: [pets.list]}", false],
])("%s", async (_, schema, isProseOnly) => {
  const openapi = withPaths("", `components: {schemas: {Pet: ${schema}}}\n`).replace("paths:\n", "paths: {}");
  const { requirements } = await buildFixtureApi({ ...texts, "openapi.yaml": openapi });
  expect(requirements.find(({ id }) => id === "pets.list")?.isProseOnly).toBe(isProseOnly);
});

test("one node beside prose is sufficient, and a response states its status", async () => {
  const openapi = withPaths(
    "/pets: {get: {operationId: listPets, responses: {'204': {description: None., x-source: [pets.nine]}}}}",
    "tags: [{name: a, description: Pets., x-source: [pets.tag, pets.list]}]\ncomponents: {schemas: {Pet: {type: string, x-source: [pets.list]}}}\n",
  );
  const { requirements } = await buildFixtureApi({ ...texts, "openapi.yaml": openapi });
  expect(requirements.filter((each) => each.isProseOnly).map(({ id }) => id)).toEqual(["pets.tag"]);
});
