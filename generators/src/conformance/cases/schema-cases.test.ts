import type { Case } from "@plumbline/conformance-runtime";
import { expect, test } from "vitest";
import { contextFromText } from "../context/fixture-context.support.js";
import { schemaCases } from "./schema-cases.js";

/** A description of pets with this request body. */
function petsDescription(schema: string, input = ""): string {
  return `openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets:
    post:
      operationId: createPet
      tags: [pets]
      requestBody: {required: true, ${input}content: {application/json: {schema: ${schema}}}}
      responses:
        '201': {description: Made., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        '400': {description: Refused., content: {application/json: {schema: {$ref: '#/components/schemas/Errors'}}}}
  /pets/{petId}:
    parameters: [{name: petId, in: path, required: true, schema: {type: integer}, x-reference: {to: Pet}}]
    get:
      operationId: getPet
      tags: [pets]
      responses: {'200': {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
    put:
      operationId: updatePet
      tags: [pets]
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {name: {type: string, x-source: [pet.name]}, age: {type: integer}}}}}}
      responses:
        '200': {description: Changed., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        '400': {description: Refused., content: {application/json: {schema: {$ref: '#/components/schemas/Errors'}}}}
    delete:
      operationId: deletePet
      tags: [pets]
      responses: {'204': {description: Gone.}}
components:
  schemas:
    Pet:
      type: object
      x-resource: {owner: [account], read: getPet, delete: deletePet}
      properties: {id: {type: integer, readOnly: true}, name: {type: string}, age: {type: integer}}
    Errors: {type: object, properties: {errors: {type: array, items: {type: object, properties: {field: {type: string}, reason: {type: string}}}}}}
`;
}

async function casesOf(schema: string, input?: string): Promise<readonly Case[]> {
  return schemaCases(await contextFromText(petsDescription(schema, input)));
}

/** The distinguishing parts of each case. */
function summarize(cases: readonly Case[], begin: string): readonly (readonly unknown[])[] {
  return cases
    .filter(({ id }) => id.startsWith(begin))
    .map(({ id, steps }) => {
      const [step] = steps;
      if (step === undefined || !("call" in step)) return [id];
      return [id.slice(begin.length), step.body, step.expect?.status ?? "accepted", step.expect?.error?.field];
    });
}

test("a length is tested at both bounds, in characters", async () => {
  const cases = await casesOf("{type: object, properties: {name: {type: string, minLength: 2, maxLength: 20}}}");
  expect(
    summarize(
      cases.filter(({ kind }) => kind === "bounds"),
      "pets/createPet/name/",
    ),
  ).toMatchObject([
    ["length-2", { name: expect.stringMatching(/^..$/) }, "accepted", undefined],
    ["shorter-than-2", { name: expect.stringMatching(/^.$/) }, 400, "name"],
    ["empty", { name: "" }, 400, "name"],
    ["length-20", { name: expect.anything() }, "accepted", undefined],
    ["longer-than-20", { name: expect.anything() }, 400, "name"],
    ["length-20-astral", { name: { $repeat: ["😀", 20] } }, "accepted", undefined],
    ["longer-than-20-astral", { name: { $repeat: ["😀", 21] } }, 400, "name"],
  ]);
});

test("a number is tested at both bounds, and a step past each", async () => {
  const whole = "{type: integer, minimum: 3, maximum: 8}";
  const any = "{type: number, exclusiveMinimum: 0, exclusiveMaximum: 2}";
  const cases = await casesOf(`{type: object, properties: {age: ${whole}, size: ${any}}}`);
  const bounds = cases.filter(({ kind }) => kind === "bounds");
  expect(summarize(bounds, "pets/createPet/")).toEqual([
    ["age/at-minimum-3", { age: 3 }, "accepted", undefined],
    ["age/less-than-3", { age: 2 }, 400, "age"],
    ["age/at-maximum-8", { age: 8 }, "accepted", undefined],
    ["age/more-than-8", { age: 9 }, 400, "age"],
    ["size/at-exclusive-minimum-0", { size: 0 }, 400, "size"],
    ["size/above-0", { size: 0.5 }, "accepted", undefined],
    ["size/at-exclusive-maximum-2", { size: 2 }, 400, "size"],
    ["size/below-2", { size: 1.5 }, "accepted", undefined],
  ]);
});

test("an accepted value is in the response and in a later read", async () => {
  const cases = await casesOf("{type: object, properties: {age: {type: integer, minimum: 3}}}");
  const shown = { type: "object", required: ["age"], properties: { age: { const: 3 } } };
  expect(cases.find(({ id }) => id === "pets/createPet/age/at-minimum-3")).toMatchObject({
    kind: "bounds",
    operation: "createPet",
    steps: [
      { call: "createPet", body: { age: 3 }, as: "answer", expect: { body: shown } },
      { call: "getPet", path: { petId: { $get: "answer#/body/id" } }, expect: { body: shown } },
    ],
  });
});

test("a number is tested at its bounds, and beyond the exact integers", async () => {
  const cases = await casesOf("{type: object, properties: {age: {type: integer, minimum: 1}}}");
  expect(
    summarize(
      cases.filter(({ kind }) => kind === "bounds"),
      "pets/createPet/age/",
    ),
  ).toEqual([
    ["at-minimum-1", { age: 1 }, "accepted", undefined],
    ["less-than-1", { age: 0 }, 400, "age"],
    ["not-exact", undefined, 400, "age"],
  ]);
});

test("each other type is rejected", async () => {
  const cases = await casesOf("{type: object, properties: {age: {type: integer}}}");
  expect(
    summarize(
      cases.filter(({ kind }) => kind === "types"),
      "pets/createPet/age/",
    ),
  ).toEqual([
    ["text", { age: "1" }, 400, "age"],
    ["fraction", { age: 1.5 }, 400, "age"],
    ["boolean", { age: true }, 400, "age"],
    ["list", { age: [1] }, 400, "age"],
    ["object", { age: {} }, 400, "age"],
  ]);
});

test("enum values are accepted; others, and those in other letter case, are rejected", async () => {
  const cases = await casesOf("{type: object, properties: {name: {type: string, enum: [cat, dog]}}}");
  expect(
    summarize(
      cases.filter(({ kind }) => kind === "enums"),
      "pets/createPet/name/",
    ),
  ).toEqual([
    ["value-cat", { name: "cat" }, "accepted", undefined],
    ["value-dog", { name: "dog" }, "accepted", undefined],
    ["another-value", { name: "catx" }, 400, "name"],
    ["other-letters", { name: "CAT" }, 400, "name"],
    ["blank-after", { name: "cat " }, 400, "name"],
  ]);
});

test("a required field cannot be missing or null", async () => {
  const cases = await casesOf("{type: object, required: [name], properties: {name: {type: string}}}");
  const own = cases.filter(({ kind }) => kind === "required" || kind === "nulls");
  expect(summarize(own, "pets/createPet/name/")).toEqual([
    ["null", { name: null }, 400, "name"],
    ["left-out", {}, 400, "name"],
  ]);
});

test("a condition of a branch is tested in this branch", async () => {
  const cases = await casesOf(
    "{type: object, required: [kind], properties: {kind: {type: string, enum: [cat, dog]}, lives: {type: integer}, name: {type: string}}, oneOf: [{title: Cat, properties: {kind: {const: cat}}, if: {properties: {lives: {const: 9}}, required: [lives]}, then: {properties: {name: false}}}, {title: Dog, properties: {kind: {const: dog}}}]}",
  );
  expect(summarize(cases, "pets/createPet/Cat/lives-9/")).toEqual([
    ["accepted", { kind: "cat", lives: 9 }, "accepted", undefined],
    ["with-name", { kind: "cat", lives: 9, name: "text" }, 400, "name"],
  ]);
});

test("each branch of `oneOf` is tested, without its required fields and with fields of others", async () => {
  const cases = await casesOf(
    "{type: object, required: [kind], properties: {kind: {type: string, enum: [cat, dog]}, lives: {type: integer}}, oneOf: [{title: Cat, required: [lives], properties: {kind: {const: cat}}}, {title: Dog, properties: {kind: {const: dog}, lives: false}}]}",
  );
  expect(
    summarize(
      cases.filter(({ kind }) => kind === "conditions"),
      "pets/createPet/",
    ),
  ).toEqual([
    ["Cat/accepted", { kind: "cat", lives: 1 }, "accepted", undefined],
    ["Cat/without-lives", { kind: "cat" }, 400, "lives"],
    ["Dog/accepted", { kind: "dog" }, "accepted", undefined],
    ["Dog/with-lives", { kind: "dog", lives: 1 }, 400, "lives"],
  ]);
});

test("an item with one of several formats is tested with texts of none", async () => {
  const cases = await casesOf(
    "{type: object, properties: {hosts: {type: array, items: {anyOf: [{type: string, format: ipv4}, {type: string, format: ipv6}]}}}}",
  );
  const own = summarize(cases, "pets/createPet/hosts.0/");
  expect(own).toContainEqual(["number", { hosts: [12345] }, 400, undefined]);
  expect(own.map((each) => each[0])).toContain("ipv4-three-parts");
});

test("fields that exclude each other are sent together", async () => {
  const cases = await casesOf(
    "{type: object, properties: {age: {type: integer}, born: {type: string}}, dependentSchemas: {age: {properties: {born: false}}}}",
  );
  expect(
    summarize(
      cases.filter(({ kind }) => kind === "conditions"),
      "pets/createPet/",
    ),
  ).toEqual([["age-with-born", { born: "text", age: 1 }, 400, "born"]]);
});

test("a list that is too short has no other violation", async () => {
  const cases = await casesOf(
    "{type: object, properties: {names: {type: array, minItems: 3, uniqueItems: true, items: {type: object, required: [no], properties: {no: {type: integer}}}, examples: [[{no: 1}, {no: 2}, {no: 3}]]}}}",
  );
  expect(summarize(cases, "pets/createPet/names/")).toContainEqual([
    "fewer-than-3",
    { names: [{ no: 1 }, { no: 2 }] },
    400,
    "names",
  ]);
});

test("an update of one field keeps the others", async () => {
  const cases = await casesOf("{type: object, properties: {name: {type: string}}}");
  expect(cases.find(({ id }) => id === "pets/updatePet/age/alone")?.steps).toMatchObject([
    { make: "Pet", as: "pet", fresh: true },
    // The kept field differs from its initial value: otherwise a reset would not show.
    { call: "updatePet", body: { name: "text" }, setup: true },
    { call: "getPet", as: "before" },
    { call: "updatePet", body: { age: 3 } },
    {
      call: "getPet",
      expect: {
        body: {
          allOf: [
            { properties: { name: { const: { $get: "before#/body/name" } } } },
            { properties: { age: { const: 3 } } },
          ],
        },
      },
    },
  ]);
});

test("case ids are unique, and each case has its requirements", async () => {
  const cases = await casesOf(
    "{type: object, required: [name], properties: {name: {type: string, pattern: '^[a-z]+$', maxLength: 30}, tags: {type: array, maxItems: 2, items: {type: string, minLength: 1}}}}",
  );
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  expect(
    cases
      .filter(({ operation }) => operation === "updatePet")
      .some(({ requirements }) => requirements.includes("pet.name")),
  ).toBe(true);
  expect(cases.map(({ id }) => id)).toContain("pets/createPet/name/newline-after");
  expect(cases.map(({ id }) => id)).toContain("pets/createPet/tags/more-than-2");
});

test("two invalid fields are both reported, only if the settings assign a requirement", async () => {
  const texts = petsDescription(
    "{type: object, properties: {name: {type: string}, age: {type: integer}, tags: {type: array}}}",
  );
  const id = "pets/createPet/several-problems";
  expect(schemaCases(await contextFromText(texts)).map((each) => each.id)).not.toContain(id);

  const found = schemaCases(await contextFromText(texts, { also: { "error.each": [id] } })).find(
    (each) => each.id === id,
  );
  expect(found).toMatchObject({ requirements: ["error.each"], kind: "errors" });
  const [step] = found?.steps ?? [];
  expect(step).toMatchObject({ call: "createPet", body: { name: true, age: true }, expect: { status: 400 } });
  const entry = (field: string) => ({ contains: { properties: { field: { const: field } }, required: ["field"] } });
  expect(step).toHaveProperty("expect.body.properties.errors.allOf", [entry("name"), entry("age")]);
});

test("one invalid field has no case of two", async () => {
  const id = "pets/createPet/several-problems";
  const context = await contextFromText(
    petsDescription("{type: object, properties: {name: {type: string}, any: {}}}"),
    {
      also: { "error.each": [id] },
    },
  );
  expect(schemaCases(context).map((each) => each.id)).not.toContain(id);
});

test("an open body of a replacing operation replaces the stored one", async () => {
  const open = petsDescription("{type: object}").replace(
    /(operationId: updatePet[^]*?requestBody: \{required: true, )content: .*\n/,
    "$1x-input: {absent: clear}, content: {application/json: {schema: {type: object}}}}\n",
  );
  const found = schemaCases(await contextFromText(open)).find(({ id }) => id === "pets/updatePet/replaced");
  expect(found?.steps.slice(-3)).toMatchObject([
    { call: "updatePet", body: { plumbline_first: "text" } },
    { call: "updatePet", body: { plumbline_second: "text" } },
    { call: "getPet", expect: { body: { not: { required: ["plumbline_first"] } } } },
  ]);

  const closed = open.replace(
    "schema: {type: object}}}}\n      responses:\n        '200'",
    "schema: {type: object, additionalProperties: false}}}}\n      responses:\n        '200'",
  );
  expect(closed).not.toBe(open);
  expect(schemaCases(await contextFromText(closed)).map(({ id }) => id)).not.toContain("pets/updatePet/replaced");
  const kept = open.replace("absent: clear", "absent: keep");
  expect(schemaCases(await contextFromText(kept)).map(({ id }) => id)).not.toContain("pets/updatePet/replaced");
});

test("a choice with null, or with values of other types, has the cases of its schemas", async () => {
  const of = async (schema: string): Promise<readonly string[]> => {
    const cases = await casesOf(`{type: object, properties: {age: ${schema}}}`);
    return cases.map(({ id }) => id).filter((id) => id.startsWith("pets/createPet/age/"));
  };
  const nullable = await of("{type: [integer, 'null'], minimum: 1, maximum: 9}");
  expect(nullable).toContain("pets/createPet/age/more-than-9");
  expect(await of("{anyOf: [{type: integer, minimum: 1, maximum: 9}, {type: 'null'}]}")).toEqual(nullable);
  expect(await of("{oneOf: [{type: 'null'}, {type: integer, minimum: 1, maximum: 9}]}")).toEqual(nullable);
  const choice = await of("{anyOf: [{type: integer, maximum: 9}, {type: string, maxLength: 3}]}");
  expect(choice).toEqual(
    expect.arrayContaining(["more-than-9", "longer-than-3"].map((each) => `pets/createPet/age/${each}`)),
  );
  const overlapping = await of("{anyOf: [{type: integer, maximum: 9}, {type: integer, minimum: 20}]}");
  expect(overlapping.filter((id) => /than/.test(id))).toEqual([]);
});

test("an optional value of a named enum has its values and another one", async () => {
  const description = petsDescription(
    "{type: object, properties: {kind: {anyOf: [{$ref: '#/components/schemas/Kind'}, {type: 'null'}]}}}",
  );
  const context = await contextFromText(`${description}    Kind: {type: string, enum: [cat, dog]}\n`);
  expect(schemaCases(context).map(({ id }) => id)).toEqual(
    expect.arrayContaining(
      ["value-cat", "value-dog", "another-value", "null", "number"].map((each) => `pets/createPet/kind/${each}`),
    ),
  );
});
