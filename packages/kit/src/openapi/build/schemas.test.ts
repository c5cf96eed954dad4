import { describe, expect, test } from "vitest";
import {
  buildFixtureApi,
  buildForeignFixture,
  withoutOrigins,
  buildDiagnostics,
  readFixtureSchemas,
  withSchemas,
} from "../testing.js";

/** Returns the schema named `A`. */
async function readSchema(schema: string, version: "3.0.3" | "3.1.0" = "3.1.0"): Promise<unknown> {
  return (await readFixtureSchemas(`A: ${schema}`, version))["A"];
}

describe("3.0", () => {
  const in30 = (schema: string): Promise<unknown> => readSchema(schema, "3.0.3");

  test("nullable adds null to type and values", async () => {
    expect(await in30("{type: string, nullable: true}")).toEqual({ types: ["string", "null"] });
    expect(await in30("{type: string, nullable: true, enum: [a]}")).toEqual({
      types: ["string", "null"],
      enum: ["a", null],
    });
    expect(await in30("{type: string, nullable: true, enum: [a, null]}")).toEqual({
      types: ["string", "null"],
      enum: ["a", null],
    });
    expect(await in30("{type: string, nullable: false}")).toEqual({ types: ["string"] });
  });

  test("nullable beside allOf adds null all the same", async () => {
    expect(await in30("{nullable: true, description: One., allOf: [{type: string}]}")).toEqual({
      types: [],
      description: "One.",
      anyOf: [{ types: [], allOf: [{ types: ["string"] }] }, { types: ["null"] }],
    });
  });

  test("nullable says nothing without a type", async () => {
    expect(await in30("{nullable: true}")).toEqual({ types: [] });
  });

  test("a boolean turns a bound into an exclusive one", async () => {
    expect(
      await in30("{type: integer, minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false}"),
    ).toEqual({
      types: ["integer"],
      exclusiveMinimum: 1,
      maximum: 9,
    });
  });

  test("what stands beside a reference says nothing but words", async () => {
    expect(
      await readFixtureSchemas(
        "A: {type: object, properties: {b: {$ref: '#/components/schemas/B', description: A b., maxLength: 3}}}\nB: {type: string}",
        "3.0.3",
      ),
    ).toEqual({
      A: { types: ["object"], properties: [property("b", { types: [], ref: "B", description: "A b." })] },
      B: { types: ["string"] },
    });
  });

  test("an example is one of the examples", async () => {
    expect(await in30("{type: string, example: a}")).toEqual({ types: ["string"], examples: ["a"] });
  });
});

describe("3.1", () => {
  test.each([
    ["anyOf: [{type: integer, maximum: 10}, {type: 'null'}]", { types: ["integer", "null"], maximum: 10 }],
    ["oneOf: [{type: 'null'}, {type: string, const: a}]", { types: ["string", "null"], enum: ["a", null] }],
    [
      "description: One., anyOf: [{type: string, description: Other., enum: [a]}, {type: 'null', title: None}]",
      { types: ["string", "null"], description: "One.", enum: ["a", null] },
    ],
  ])("null beside a type is one of the types: %s", async (schema, expected) => {
    expect(await readSchema(`{${schema}}`)).toEqual(expected);
  });

  test.each([
    "{anyOf: [{type: integer}, {type: 'null'}], maximum: 10}",
    "{anyOf: [{type: integer, not: {const: 1}}, {type: 'null'}]}",
    "{oneOf: [{type: [integer, 'null']}, {type: 'null'}]}",
    "{anyOf: [{type: integer}, {type: 'null'}, {type: string}]}",
    "{anyOf: [{maximum: 10}, {type: 'null'}]}",
    "{anyOf: [{type: integer}, {type: 'null'}], oneOf: [{maximum: 10}]}",
    "{anyOf: [{type: integer}, {type: 'null', not: {}}]}",
  ])("null beside a type stays a branch of %s", async (schema) => {
    expect(await readSchema(schema)).toMatchObject({ types: [] });
  });

  test("nullable means what it means in 3.0, beside a reference, too", async () => {
    expect(await readSchema("{type: string, nullable: true}")).toEqual({ types: ["string", "null"] });
    expect(await readSchema("{type: string, enum: [a], nullable: true}")).toEqual({
      types: ["string", "null"],
      enum: ["a", null],
    });
    const { A } = (await readFixtureSchemas(
      "A: {properties: {b: {$ref: '#/components/schemas/B', nullable: true}}}\nB: {type: string}",
    )) as Record<string, { readonly properties: readonly { readonly schema: unknown }[] }>;
    expect(A?.properties[0]?.schema).toEqual({ types: [], anyOf: [{ types: [], ref: "B" }, { types: ["null"] }] });
  });

  test("a pattern that JavaScript cannot evaluate is dropped, with all that would match too much without it", async () => {
    const bad = "{pattern: '(?i)a'}";
    const api = await buildFixtureApi(
      withSchemas(`A: {type: string, pattern: '(?i)a', maxLength: 3}
B: {not: ${bad}}
C: {if: ${bad}, then: {minLength: 2}}
D: {oneOf: [${bad}, {pattern: b}]}
E: {patternProperties: {'a++': {type: string}, b: {}}, additionalProperties: false}`),
    );
    expect(api.schemas.map(({ schema }) => withoutOrigins(schema))).toEqual([
      { types: ["string"], maxLength: 3 },
      { types: [] },
      { types: [] },
      { types: [], anyOf: [{ types: [] }, { types: [], pattern: "b" }] },
      { types: [], patternProperties: { b: { types: [] } } },
    ]);
    expect(api.uncheckedPatterns?.map(({ pattern, origin }) => [pattern, origin.pointer])).toEqual([
      ["(?i)a", "/components/schemas/A"],
      ["(?i)a", "/components/schemas/B/not"],
      ["(?i)a", "/components/schemas/C/if"],
      ["(?i)a", "/components/schemas/D/oneOf/0"],
      ["a++", "/components/schemas/E"],
    ]);
  });

  test("a pattern with escapes that the flag u does not allow is read without them", async () => {
    const schemas = await readFixtureSchemas(
      "A: {pattern: '^\\-[\\w-.]$'}\nB: {patternProperties: {'\\_': {}, '': {}}}",
    );
    expect(schemas).toEqual({
      A: { types: [], pattern: "^-[\\w\\-.]$" },
      B: { types: [], patternProperties: { _: { types: [] }, "": { types: [] } } },
    });
  });

  test("a schema that nothing defines matches everything under the minimal ruleset, and so does what refers to it", async () => {
    const lost = "{$ref: '#/components/schemas/Lost'}";
    const { api, warnings } = await buildForeignFixture(
      withSchemas(`A: {properties: {a: ${lost}}}
B: {not: {$ref: '#/components/schemas/A'}}
C: {oneOf: [{$ref: '#/components/schemas/A'}, {type: string}]}
D: {oneOf: [{type: integer}, ${lost}], discriminator: {propertyName: d, mapping: {e: E}}}
F: ${lost}`),
    );
    expect(api.schemas.map(({ name, schema }) => [name, withoutOrigins(schema)])).toEqual([
      ["A", { types: [], properties: [property("a", { types: [] })] }],
      ["B", { types: [] }],
      ["C", { types: [], anyOf: [{ types: [], ref: "A" }, { types: ["string"] }] }],
      [
        "D",
        {
          types: [],
          anyOf: [{ types: ["integer"] }, { types: [] }],
          discriminator: { propertyName: "d", mapping: [] },
        },
      ],
      ["F", { types: [] }],
    ]);
    expect(warnings).toEqual([]); // those of the linter
  });

  test("what stands beside a reference holds as well", async () => {
    expect(
      await readFixtureSchemas(
        "A: {type: object, properties: {b: {$ref: '#/components/schemas/B', maxLength: 3, x-visibility: {secret: true}}}}\nB: {type: string}",
      ),
    ).toEqual({
      A: {
        types: ["object"],
        properties: [property("b", { types: [], ref: "B", maxLength: 3, visibility: { secret: true } })],
      },
      B: { types: ["string"] },
    });
  });

  test("every keyword is kept", async () => {
    const schema = `
  type: [object, array, string, 'null']
  title: t
  description: d
  deprecated: true
  default: {a: [1]}
  examples: [1]
  format: f
  contentEncoding: base64
  contentMediaType: image/png
  pattern: p
  minLength: 1
  maxLength: 2
  minimum: 3
  maximum: 4
  exclusiveMinimum: 5
  exclusiveMaximum: 6
  multipleOf: 7
  items: {type: string}
  prefixItems: [{type: integer}]
  contains: true
  minContains: 8
  maxContains: 9
  minItems: 10
  maxItems: 11
  uniqueItems: true
  properties: {a: {const: null}}
  required: [a]
  additionalProperties: false
  patternProperties: {^x: {enum: [1]}}
  propertyNames: {pattern: q}
  minProperties: 12
  maxProperties: 13
  dependentRequired: {a: [b]}
  dependentSchemas: {a: true}
  allOf: [{type: string}]
  anyOf: [{type: string}]
  oneOf: [{type: string}]
  not: {type: string}
  if: {type: string}
  then: {type: string}
  else: {type: string}
  unevaluatedProperties: false
  unevaluatedItems: false`;
    const text = { types: ["string"] };
    const any = { types: [] };
    const nothing = { types: [], never: true };
    expect(await readSchema(schema)).toEqual({
      types: ["object", "array", "string", "null"],
      title: "t",
      description: "d",
      deprecated: true,
      default: { a: [1] },
      examples: [1],
      format: "f",
      contentEncoding: "base64",
      contentMediaType: "image/png",
      pattern: "p",
      minLength: 1,
      maxLength: 2,
      minimum: 3,
      maximum: 4,
      exclusiveMinimum: 5,
      exclusiveMaximum: 6,
      multipleOf: 7,
      items: text,
      prefixItems: [{ types: ["integer"] }],
      contains: any,
      minContains: 8,
      maxContains: 9,
      minItems: 10,
      maxItems: 11,
      uniqueItems: true,
      properties: [{ ...property("a", { types: [], const: null }), required: true }],
      required: ["a"],
      additionalProperties: nothing,
      patternProperties: { "^x": { types: [], enum: [1] } },
      propertyNames: { types: [], pattern: "q" },
      minProperties: 12,
      maxProperties: 13,
      dependentRequired: { a: ["b"] },
      dependentSchemas: { a: any },
      allOf: [text],
      anyOf: [text],
      oneOf: [text],
      not: text,
      if: text,
      then: text,
      else: text,
      unevaluatedProperties: nothing,
      unevaluatedItems: nothing,
    });
  });

  test("properties may be called as JavaScript would not expect", async () => {
    expect(
      await readSchema(
        "{type: object, properties: {__proto__: {type: string}, constructor: {type: string}}, required: [constructor]}",
      ),
    ).toEqual({
      types: ["object"],
      properties: [
        property("__proto__", { types: ["string"] }),
        { ...property("constructor", { types: ["string"] }), required: true },
      ],
      required: ["constructor"],
    });
  });
});

describe("references", () => {
  test("a schema may contain itself, or another that contains it", async () => {
    expect(
      await readFixtureSchemas(
        "A: {type: array, items: {$ref: '#/components/schemas/A'}}\nB: {not: {$ref: '#/components/schemas/C'}}\nC: {not: {$ref: '#/components/schemas/B'}}",
      ),
    ).toEqual({
      A: { types: ["array"], items: { types: [], ref: "A" } },
      B: { types: [], not: { types: [], ref: "C" } },
      C: { types: [], not: { types: [], ref: "B" } },
    });
  });

  test("what lies inside another schema is put where it is used, in every file", async () => {
    const texts = {
      "openapi.yaml": withSchemas(
        "A: {$ref: '#/components/schemas/B/properties/c'}\nB: {type: object, properties: {c: {type: string}}}\nD: {not: {$ref: 'other.yaml#/E/properties/f'}}",
      ),
      "other.yaml": "E: {type: object, properties: {f: {type: integer}}}",
    };
    expect((await buildFixtureApi(texts)).schemas.map((each) => withoutOrigins(each))).toEqual([
      { name: "A", schema: { types: ["string"] } },
      { name: "B", schema: { types: ["object"], properties: [property("c", { types: ["string"] })] } },
      { name: "D", schema: { types: [], not: { types: ["integer"] } } },
    ]);
  });

  test("what lies inside another schema and contains itself gets a name", async () => {
    expect(
      await readFixtureSchemas(
        "A: {type: object, properties: {b: {type: array, items: {$ref: '#/components/schemas/A/properties/b'}}}}",
      ),
    ).toEqual({
      A: {
        types: ["object"],
        properties: [property("b", { types: ["array"], items: { types: ["array"], items: { types: [], ref: "B" } } })],
      },
      B: { types: ["array"], items: { types: [], ref: "B" } },
    });
  });

  test("links that only pass a name on are followed, others are types of their own", async () => {
    const texts = {
      "openapi.yaml": withSchemas("Pet: {$ref: 'schemas.yaml#/Pet'}\nAnimal: {$ref: '#/components/schemas/Pet'}"),
      "schemas.yaml": "Pet: {type: string}",
    };
    expect(
      (await buildFixtureApi(texts)).schemas.map((each) => [
        each.name,
        withoutOrigins(each.schema),
        each.schema.origin.file,
      ]),
    ).toEqual([
      ["Pet", { types: ["string"] }, "schemas.yaml"],
      ["Animal", { types: [], ref: "Pet" }, "openapi.yaml"],
    ]);
  });

  test("that do not resolve are reported", async () => {
    expect(
      await buildDiagnostics(withSchemas("A: {type: object, properties: {b: {$ref: '#/components/schemas/B'}}}")),
    ).toEqual([
      'openapi.yaml:6:36 openapi/no-unresolved-refs The reference "#/components/schemas/B" names nothing: there is no "B".',
    ]);
  });
});

describe("discriminators", () => {
  const branches = "Cat: {type: object}\nDog: {type: object}";
  const mapping = async (discriminator: string, more = ""): Promise<unknown> => {
    const schemas = await readFixtureSchemas(
      `Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: ${discriminator}}\n${branches}\n${more}`,
    );
    return (schemas["Pet"] as { readonly discriminator: unknown }).discriminator;
  };

  test("without a mapping the names of the branches are the values", async () => {
    expect(await mapping("{propertyName: kind}")).toEqual({
      propertyName: "kind",
      mapping: [
        { value: "Cat", schema: "Cat" },
        { value: "Dog", schema: "Dog" },
      ],
    });
  });

  test("a mapping names schemas by reference or by name; what it leaves out goes by its name", async () => {
    expect(await mapping("{propertyName: kind, mapping: {felis: '#/components/schemas/Cat', tom: Cat}}")).toEqual({
      propertyName: "kind",
      mapping: [
        { value: "felis", schema: "Cat" },
        { value: "tom", schema: "Cat" },
        { value: "Dog", schema: "Dog" },
      ],
    });
  });

  test("a mapping may refer to a schema that is not a branch", async () => {
    expect(
      await mapping("{propertyName: kind, mapping: {cow: Cow, cat: Cat, dog: Dog}}", "Cow: {type: object}"),
    ).toEqual({
      propertyName: "kind",
      mapping: [
        { value: "cow", schema: "Cow" },
        { value: "cat", schema: "Cat" },
        { value: "dog", schema: "Dog" },
      ],
    });
  });
});

describe("values of a discriminator", () => {
  const union = async (discriminator: string, schemas: string): Promise<unknown> => {
    const read = await readFixtureSchemas(
      `Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: ${discriminator}}\n${schemas}`,
    );
    const { discriminator: found } = read["Pet"] as { readonly discriminator: { readonly mapping: readonly object[] } };
    return found.mapping.map((each) => Object.values(each).join());
  };
  const cat = "Cat: {type: object, properties: {kind: {enum: [cat, kitten]}}}";
  const kind = "Kind: {type: string, enum: [cat, dog]}";
  const withKind = (name: string) => `${name}: {type: object, properties: {kind: {$ref: '#/components/schemas/Kind'}}}`;

  test.each([
    [
      "enum and const",
      `${cat}\nDog: {type: object, properties: {kind: {const: dog}}}`,
      ["cat,Cat", "kitten,Cat", "dog,Dog"],
    ],
    ["the name of a schema without either", `${cat}\nDog: {type: object}`, ["cat,Cat", "kitten,Cat", "Dog,Dog"]],
    [
      "what all parts of a schema allow",
      `${kind}\n${withKind("All")}\n${["Cat", "Dog"].map((name) => `${name}: {allOf: [{$ref: '#/components/schemas/All'}, {properties: {kind: {enum: [${name.toLowerCase()}]}}}]}`).join("\n")}`,
      ["cat,Cat", "dog,Dog"],
    ],
    ["nothing, if several schemas allow a value", `${kind}\n${withKind("Cat")}\n${withKind("Dog")}`, []],
    ["nothing, if a value is not a string", `${cat}\nDog: {type: object, properties: {kind: {const: 1}}}`, []],
    [
      "the names, if several schemas allow all names",
      `Cat: {type: object, properties: {kind: {enum: [Cat, Dog]}}}\nDog: {type: object, properties: {kind: {enum: [Cat, Dog]}}}`,
      ["Cat,Cat", "Dog,Dog"],
    ],
  ])("are %s", async (_, schemas, expected) => {
    expect(await union("{propertyName: kind}", schemas)).toEqual(expected);
  });

  test("an entry of the mapping that the schema does not allow gives way to what it does", async () => {
    const schemas = `${cat}\nDog: {type: object}`;
    expect(await union("{propertyName: kind, mapping: {Cat: Cat, dog: Dog}}", schemas)).toEqual([
      "dog,Dog",
      "cat,Cat",
      "kitten,Cat",
    ]);
  });

  const start = "Cat: {type: object, properties: {kind: {enum: [start, stop]}}}";
  const turn = "Dog: {allOf: [{$ref: '#/components/schemas/Cat'}, {properties: {degrees: {type: integer}}}]}";

  test("are those of the mapping, which an inherited enum need not list", async () => {
    const mapping = "{propertyName: kind, mapping: {start: Cat, stop: Cat, turn: Dog}}";
    expect(await union(mapping, `${start}\n${turn}`)).toEqual(["start,Cat", "stop,Cat", "turn,Dog"]);
    const { Cat } = await readFixtureSchemas(
      `Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: ${mapping}}\n${start}\n${turn}`,
    );
    expect(Cat).toMatchObject({ properties: [{ schema: { enum: ["start", "stop", "turn"] } }] });
  });

  test("are each of one schema: those that the mapping gives to another one select nothing else", async () => {
    expect(await union("{propertyName: kind, mapping: {start: Cat}}", `${start}\n${turn}`)).toEqual(["start,Cat"]);
  });

  test("a branch requires the values that select it, unless its schema does", async () => {
    const { Pet } = await readFixtureSchemas(
      `Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind}}\nDog: {type: object, required: [kind], properties: {kind: {const: dog}}}\nCat: {type: object}`,
    );
    const tag = { ...property("kind", { types: ["string"], const: "Cat" }), required: true };
    expect(Pet).toMatchObject({
      oneOf: [{ ref: "Cat", properties: [tag], required: ["kind"] }, { ref: "Dog" }],
    });
    expect((Pet as { readonly oneOf: readonly object[] }).oneOf[1]).not.toHaveProperty("properties");
  });
});

describe("a parent with a discriminator", () => {
  const parent = (more: string) =>
    `Pet: {type: object, description: A pet, required: [kind], properties: {kind: {type: string${more}}, name: {type: string}}, discriminator: {propertyName: kind}}`;
  const cat =
    "Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {lives: {type: integer}}}]}";
  const lion = "Lion: {allOf: [{$ref: '#/components/schemas/Cat'}, {properties: {kind: {enum: [lion]}}}]}";

  test("is the union of the schemas that extend it, each with what it describes", async () => {
    const schemas = await readFixtureSchemas(`${parent("")}\n${cat}\n${lion}`);
    expect(schemas["Pet"]).toMatchObject({
      description: "A pet",
      types: [],
      oneOf: [{ ref: "Cat" }, { ref: "Lion" }],
      discriminator: {
        propertyName: "kind",
        mapping: [
          { value: "Cat", schema: "Cat" },
          { value: "lion", schema: "Lion" },
        ],
      },
    });
    expect(schemas["Pet"]).not.toHaveProperty("properties");
    expect(schemas["Cat"]).toMatchObject({
      allOf: [
        { types: ["object"], properties: [{ name: "kind" }, { name: "name" }] },
        { properties: [{ name: "lives" }] },
      ],
    });
    expect((schemas["Cat"] as { readonly allOf: readonly object[] }).allOf[0]).not.toHaveProperty("discriminator");
  });

  test("has the values that its mapping names", async () => {
    const mapping = "{propertyName: kind, mapping: {Lion: Lion, cat: Cat}}";
    const kinds = parent(", enum: [Lion]").replace("{propertyName: kind}", mapping);
    const { Pet, Cat } = await readFixtureSchemas(`${kinds}\n${cat}\n${lion.replace("[lion]", "[Lion]")}`);
    expect(Pet).toMatchObject({
      discriminator: {
        mapping: [
          { value: "Lion", schema: "Lion" },
          { value: "cat", schema: "Cat" },
        ],
      },
    });
    expect(Cat).toMatchObject({ allOf: [{ properties: [{ schema: { enum: ["Lion", "cat"] } }, {}] }, {}] });
  });

  test.each([
    ["nothing extends it", parent("")],
    ["some of its values select nothing", `${parent(", enum: [Cat, other]")}\n${cat}`],
    [
      "it is a child of itself in the mapping",
      `${parent("").replace("propertyName: kind", "propertyName: kind, mapping: {pet: Pet}")}\n${cat}`,
    ],
  ])("stays an object if %s", async (_, schemas) => {
    const read = await readFixtureSchemas(schemas);
    expect(read["Pet"]).toMatchObject({ types: ["object"], properties: [{ name: "kind" }, { name: "name" }] });
    expect(read["Pet"]).not.toHaveProperty("oneOf");
  });
});

test("the properties of a branch of allOf are the schema's own, states among them", async () => {
  const { stateMachines } = await buildFixtureApi(
    withSchemas(
      "A: {allOf: [{type: object, properties: {status: {enum: [on, off], x-state-machine: {initial: [], transitions: []}}}}]}",
    ),
  );
  expect(stateMachines.map(({ name, resource, field, states }) => ({ name, resource, field, states }))).toEqual([
    { name: "AStatus", resource: "A", field: "status", states: ["on", "off"] },
  ]);
});

function property(name: string, inner: object): object {
  return { name, required: false, readOnly: false, writeOnly: false, schema: inner };
}
