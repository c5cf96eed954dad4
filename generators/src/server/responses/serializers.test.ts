import { formatFile, type ArtifactOptions } from "@plumbline/kit/codegen";
import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { emitSerializers } from "./serializers.js";

const artifact: ArtifactOptions = {
  package: "@pets/server",
  private: false,
  source: (origin) => `spec/${origin.file}#${origin.pointer}`,
  locate: (origin) => ({ ...origin, line: 1, column: 1 }),
};

async function serializersText(text: string): Promise<string> {
  const [file] = emitSerializers(await buildFixtureApi(text), artifact);
  return file === undefined ? "" : (await formatFile(file)).text;
}

/** Returns the serializers of schema `A`, the response of `getA`. More named schemas follow it. */
async function functionsOf(schemas: string): Promise<string> {
  const lines = schemas.split("\n").map((line) => `    ${line}`);
  const text = withPaths(
    "/a: {get: {operationId: getA, responses: {'200': {description: a, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}",
    `components:\n  schemas:\n${lines.join("\n")}\n`,
  );
  const [, ...statements] = (await serializersText(text)).split(/\n\n(?=\S)/);
  return statements
    .filter((each) => !/^import|^\/\*\*/.test(each))
    .join("\n\n")
    .trim();
}

/** Returns the serialized value of a field of `A`. */
async function fieldOf(schema: string, more = ""): Promise<string> {
  const found = await functionsOf(`A: {type: object, properties: {a: ${schema}}}${more}`);
  return (/^ {4}a:\s+([^]*?),\n {2}\};/m.exec(found)?.[1] ?? found).replaceAll(/\s+/g, " ");
}

test("a whole file", async () => {
  const text = withPaths(
    `/pets:
  get:
    operationId: listPets
    responses:
      '200':
        description: ok
        headers: {X-Total: {required: true, schema: {type: integer}}, Link: {schema: {type: string}}, X-Request-Id: {schema: {type: string}}}
        content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}, text/csv: {}}
      '204': {description: none, x-visibility: {when: {caller: {required: [nobody]}}}}
      default: {description: no, content: {application/json: {schema: {type: string}}}}
`,
    `components:
  schemas:
    Pet:
      type: object
      properties: {id: {type: integer, readOnly: true}, pass: {type: string, writeOnly: true}, born: {type: string, format: date-time}}
`,
  );
  expect(await serializersText(text)).toBe(`import {
  type ResponseHeaders,
  type ResponseVisibility,
  type SerializationContext,
  type Serializers,
  passthrough,
  serializeDateTime,
  serializeItems,
  serializeScalar,
  toRecord,
} from "@plumbline/server-runtime";
import { type Issues, addIssueAt, hasOwn, isObject } from "@plumbline/server-runtime/validator";

function checkCallerOfListPets204(value: unknown, issues: Issues): void {
  if (isObject(value) && !hasOwn(value, "nobody")) addIssueAt(issues, "nobody", "required");
}

function serializeListPets200(value: unknown, context: SerializationContext): unknown {
  return serializeItems(value, context, serializePet);
}

function serializePet(value: unknown, context: SerializationContext): unknown {
  const fields = toRecord(value);
  if (fields === undefined) return serializeScalar(value);
  return {
    id: serializeScalar(fields["id"]),
    born: serializeDateTime(fields["born"]),
  };
}

/** Serializers of responses, by operation, status and media type. */
export const serializers: Serializers = {
  listPets: {
    "200": { "application/json": serializeListPets200, "text/csv": passthrough },
    "204": {},
    default: { "application/json": serializeScalar },
  },
};

/** Checks of the callers who may receive a response, by operation and status. */
export const responseVisibility: ResponseVisibility = { listPets: { "204": checkCallerOfListPets204 } };

/** The headers that handlers set, by operation and status. */
export const responseHeaders: ResponseHeaders = {
  listPets: { "200": [{ name: "X-Total", required: true }, { name: "Link" }] },
};
`);
});

describe("a field", () => {
  test.each([
    ["{type: string}", 'serializeScalar(fields["a"])'],
    ["{type: [integer, 'null']}", 'serializeScalar(fields["a"])'],
    ["{enum: [a, null]}", 'serializeScalar(fields["a"])'],
    ["{type: string, format: date-time}", 'serializeDateTime(fields["a"])'],
    ["{type: string, format: date}", 'serializeDate(fields["a"])'],
    ["{oneOf: [{type: string, format: date-time}, {type: 'null'}]}", 'serializeDateTime(fields["a"])'],
    ["{}", 'fields["a"]'],
    ["{type: object}", 'fields["a"]'],
    ["{type: object, additionalProperties: true}", 'fields["a"]'],
    ["{type: array}", 'fields["a"]'],
    ["{type: array, items: {}}", 'fields["a"]'],
    ["{anyOf: [{type: string}, {}]}", 'fields["a"]'],
    ["{type: array, items: {type: string}}", 'serializeItems(fields["a"], context, serializeScalar)'],
    ["{type: array, items: {type: object}}", 'serializeItems(fields["a"], context, passthrough)'],
    [
      "{type: array, prefixItems: [{type: string}, {}]}",
      'serializeTuple(fields["a"], context, [serializeScalar, passthrough])',
    ],
    [
      "{type: array, prefixItems: [{}], items: {type: string, format: date}}",
      'serializeTuple(fields["a"], context, [passthrough], serializeDate)',
    ],
    ["{$ref: '#/components/schemas/A'}", 'serializeA(fields["a"], context)'],
    ["{description: Another., allOf: [{$ref: '#/components/schemas/A'}]}", 'serializeA(fields["a"], context)'],
    ["{oneOf: [{$ref: '#/components/schemas/A'}, {type: 'null'}]}", 'serializeA(fields["a"], context)'],
    ["{type: array, items: {$ref: '#/components/schemas/A'}}", 'serializeItems(fields["a"], context, serializeA)'],
  ])("%s", async (schema, shown) => {
    expect(await fieldOf(schema)).toBe(shown);
  });

  test("of a name that every object has is read of its own only", async () => {
    const fields = "constructor: {type: string}, __proto__: {type: string}, toString: {type: string}";
    expect(await functionsOf(`A: {type: object, properties: {${fields}}}`)).toContain(`  return {
    constructor: serializeScalar(ownField(fields, "constructor")),
    ["__proto__"]: serializeScalar(ownField(fields, "__proto__")),
    toString: serializeScalar(ownField(fields, "toString")),
  };`);
  });
});

describe("who is shown a field", () => {
  const caller = "caller: {required: [age]}";
  const check = "isVisibleTo(context, checkCallerOfAA)";
  const a = 'serializeScalar(fields["a"])';
  test.each([
    ["{secret: true}", a],
    ["{in: [getA]}", `context.operation === "getA" ? ${a} : undefined`],
    ["{in: [getA], otherwise: absent}", `context.operation === "getA" ? ${a} : undefined`],
    ["{in: [getA], otherwise: null}", `context.operation === "getA" ? ${a} : null`],
    ["{in: [getA], otherwise: {truncate: 4}}", `context.operation === "getA" ? ${a} : truncate(${a}, 4)`],
    ["{in: []}", `false ? ${a} : undefined`],
    [`{when: {${caller}}}`, `${check} ? ${a} : undefined`],
    [
      `{in: [getA, makeA], when: {${caller}}}`,
      `(context.operation === "getA" || context.operation === "makeA") && ${check} ? ${a} : undefined`,
    ],
  ])("%s", async (visible, shown) => {
    expect(await fieldOf(`{type: string, x-visibility: ${visible}}`)).toBe(shown);
  });

  test("is also what its schema says, wherever that is named", async () => {
    const secret = "\nB: {type: string, x-visibility: {in: [makeA]}}";
    const shown = 'context.operation === "makeA" ? serializeScalar(fields["a"]) : undefined';
    expect(await fieldOf("{$ref: '#/components/schemas/B'}", secret)).toBe(shown);
    const list = await functionsOf(`A: {type: array, items: {$ref: '#/components/schemas/B'}}${secret}`);
    expect(list).toContain("return serializeItems(value, context, serializeAItemSeen);");
    expect(list).toContain('return context.operation === "makeA" ? serializeScalar(value) : undefined;');
  });

  test("cannot depend on more than the caller", async () => {
    const visible = (when: string) => fieldOf(`{type: string, x-visibility: {when: ${when}}}`);
    await expect(visible("{caller: {}, target: {}}")).rejects.toThrow(
      "openapi.yaml:1:1 Visibility may only depend on the caller, and here depends on target.",
    );
    await expect(visible("{body: {}}")).rejects.toThrow(
      "openapi.yaml:1:1 Visibility may only depend on the caller, and here depends on body.",
    );
  });
});

describe("an object", () => {
  const object = async (schemas: string): Promise<string> => {
    const found = await functionsOf(schemas);
    return (/return (\{[^]*?\});?\n\}/.exec(found)?.[1] ?? found).replaceAll(/\s+/g, " ");
  };

  test.each([
    ["A: {type: object, properties: {}}", "{}"],
    ["A: {type: object, maxProperties: 0}", "{}"],
    ["A: {type: object, properties: {pass: {type: string, writeOnly: true}}}", "{}"],
    ["A: {type: object, properties: {a: false, b: {}}}", '{ b: fields["b"], }'],
    ["A: {type: object, required: [b], properties: {a: {}}}", '{ a: fields["a"], b: fields["b"], }'],
    [
      "A: {allOf: [{properties: {a: {}, b: {type: array, items: {}}}}, {properties: {b: {type: array, items: {type: string}}}}], properties: {c: {}}}",
      '{ a: fields["a"], b: serializeItems(fields["b"], context, serializeScalar), c: fields["c"], }',
    ],
    [
      "A: {if: {required: [a]}, then: {properties: {b: {const: 1}}}, else: {properties: {c: {const: 1}}}, dependentSchemas: {a: {properties: {d: {const: 1}}}}, properties: {a: {}}}",
      '{ a: fields["a"], b: serializeScalar(fields["b"]), c: serializeScalar(fields["c"]), d: serializeScalar(fields["d"]), }',
    ],
    [
      "A: {properties: {a: {}}, additionalProperties: {type: string}}",
      '{ a: fields["a"], ...serializeAdditional(fields, context, { named: namesOfA, rest: serializeScalar }), }',
    ],
    [
      "A: {properties: {a: {}}, patternProperties: {'^x-': {}}, additionalProperties: false}",
      '{ a: fields["a"], ...serializeAdditional(fields, context, { named: namesOfA, matching: [[fieldsOfAPattern, passthrough]] }), }',
    ],
    [
      "A: {properties: {a: {}}, unevaluatedProperties: {type: string}}",
      '{ a: fields["a"], ...serializeAdditional(fields, context, { named: namesOfA, rest: serializeScalar }), }',
    ],
  ])("%s", async (schemas, shown) => {
    expect(await object(schemas)).toBe(shown);
  });

  test("and a list may stand at one place", async () => {
    expect(await functionsOf("A: {type: [object, array, string], properties: {a: {}}, items: {type: string}}")).toBe(
      `function serializeA(value: unknown, context: SerializationContext): unknown {
  const fields = toRecord(value);
  if (fields === undefined) return serializeItems(value, context, serializeScalar);
  return {
    a: fields["a"],
  };
}`,
    );
    expect(await functionsOf("A: {type: [object, array], items: {type: string}}")).toBe(
      `function serializeA(value: unknown, context: SerializationContext): unknown {
  return toRecord(value) === undefined ? serializeItems(value, context, serializeScalar) : value;
}`,
    );
  });

  test("may contain itself, also where more is said of it", async () => {
    const node = "Node: {properties: {below: {type: array, items: {$ref: '#/components/schemas/Node'}}}}";
    const more = "{properties: {below: {items: {$ref: '#/components/schemas/A'}}, a: {}}}";
    expect(await functionsOf(`A: {allOf: [{$ref: '#/components/schemas/Node'}, ${more}]}\n${node}`)).toBe(
      `function serializeA(value: unknown, context: SerializationContext): unknown {
  const fields = toRecord(value);
  if (fields === undefined) return serializeScalar(value);
  return {
    below: serializeItems(fields["below"], context, serializeABelowItem),
    a: fields["a"],
  };
}

function serializeABelowItem(value: unknown, context: SerializationContext): unknown {
  const fields = toRecord(value);
  if (fields === undefined) return serializeScalar(value);
  return {
    below: serializeItems(fields["below"], context, serializeABelowItem),
    a: fields["a"],
  };
}`,
    );
  });
});

describe("a union", () => {
  const cat = "Cat: {type: object, required: [kind], properties: {kind: {const: cat}, lives: {type: integer}}}";
  const dog = "Dog: {type: object, required: [kind], properties: {kind: {enum: [dog, wolf]}, tricks: {type: integer}}}";
  const both = "[{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]";

  const first = (text: string): string => text.split("\n\n")[0] ?? "";
  const head = `function serializeA(value: unknown, context: SerializationContext): unknown {
  const fields = toRecord(value);
  if (fields === undefined) return serializeScalar(value);
`;

  test("that a field selects, and that is a text, is serialized without the caller", async () => {
    const schemas = `A: {oneOf: ${both}, discriminator: {propertyName: species, mapping: {c: Cat, d: Dog}}}\nCat: {type: string}\n${dog}`;
    expect(first(await functionsOf(schemas))).toContain('case "c":\n      return serializeScalar(fields);');
  });

  test("is shown by its discriminator", async () => {
    const schemas = `A: {oneOf: ${both}, discriminator: {propertyName: species, mapping: {c: Cat, k: Cat, d: Dog}}}\n${cat}\n${dog}`;
    expect(first(await functionsOf(schemas))).toBe(`${head}  switch (fields["species"]) {
    case "c":
      return serializeCat(fields, context);
    case "k":
      return serializeCat(fields, context);
    case "d":
      return serializeDog(fields, context);
  }
  return {
    species: serializeScalar(fields["species"]),
  };
}`);
  });

  test("is shown by a field that has other values in each branch", async () => {
    expect(first(await functionsOf(`A: {anyOf: ${both}}\n${cat}\n${dog}`))).toBe(`${head}  switch (fields["kind"]) {
    case "cat":
      return serializeCat(fields, context);
    case "dog":
      return serializeDog(fields, context);
    case "wolf":
      return serializeDog(fields, context);
  }
  return {
    kind: serializeScalar(fields["kind"]),
  };
}`);
  });

  test("is shown with what stands beside it", async () => {
    const found = await functionsOf(`A: {properties: {id: {}}, oneOf: ${both}}\n${cat}\n${dog}`);
    expect(found).toContain('    case "cat":\n      return serializeACat(fields, context);');
    expect(found).toContain(`function serializeACat(value: unknown, context: SerializationContext): unknown {
  const fields = toRecord(value);
  if (fields === undefined) return serializeScalar(value);
  return {
    id: fields["id"],
    kind: serializeScalar(fields["kind"]),
    lives: serializeScalar(fields["lives"]),
  };
}`);
  });

  test.each([
    ["has no value of its own in a branch", dog.replace("[dog, wolf]", "[dog, cat]")],
    ["need not be there", dog.replace("required: [kind], ", "")],
    ["may have any value", dog.replace("enum: [dog, wolf]", "type: string")],
  ])("is shown with the fields of every branch where a field %s", async (_, other) => {
    expect(first(await functionsOf(`A: {oneOf: ${both}}\n${cat}\n${other}`))).toBe(`${head}  return {
    kind: serializeScalar(fields["kind"]),
    lives: serializeScalar(fields["lives"]),
    tricks: serializeScalar(fields["tricks"]),
  };
}`);
  });
});

describe("items of a stream", () => {
  test.each([
    [
      "application/jsonl: {itemSchema: {type: object, properties: {id: {}}}}",
      '"application/jsonl": serializeGetA200Item',
    ],
    ["application/jsonl: {}", '"application/jsonl": passthrough'],
    ["text/event-stream: {}", '"text/event-stream": passthrough'],
    ["image/png: {itemSchema: {type: object, properties: {id: {}}}}", '"image/png": passthrough'],
    [
      "text/event-stream: {itemSchema: {type: object, properties: {data: {type: string}}}}",
      '"text/event-stream": serializeGetA200Item',
    ],
    [
      "text/event-stream: {itemSchema: {type: object, properties: {data: {type: string, contentMediaType: application/json, contentSchema: {type: integer}}}}}",
      '"text/event-stream": jsonData(serializeGetA200Item)',
    ],
  ])("%s", async (content, table) => {
    const text = withPaths(
      `/a: {get: {operationId: getA, responses: {'200': {description: a, content: {${content}}}}}}`,
    );
    expect((await serializersText(text)).replaceAll(/\s+/g, " ")).toContain(`getA: { "200": { ${table} } }`);
  });
});
