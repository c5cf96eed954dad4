import { describe, expect, test } from "vitest";
import { buildFixtureApi, withPaths, withSchemas } from "../../openapi/testing.js";
import { formatFile } from "../format-file.js";
import { code, printSourceFile } from "../printer.js";
import { TypePrinter } from "./print.js";

/** Returns the types of these schemas, as in a generated file. */
async function types(schemas: string, version: "3.0.3" | "3.1.0" = "3.1.0"): Promise<string> {
  const api = await buildFixtureApi(withSchemas(schemas, version));
  const printer = new TypePrinter(api);
  const file = await formatFile({
    path: "types.ts",
    text: printSourceFile(api.schemas.map((schema) => printer.declaration(schema))),
  });
  return file.text.trim();
}

/** Returns the type of the schema `A` on one line, without its declaration. */
async function type(schema: string, more = ""): Promise<string> {
  const [first = ""] = (await types(`A: ${schema}\n${more}`)).split("\n\n");
  const line = first.replaceAll(/\s+/g, " ").replace(/^\/\*\*.*?\*\/ /, "");
  return line.replace(/^export (type A =|interface A) (\| )?/, "").replace(/;$/, "");
}

const cat = "Cat: {type: object, required: [kind], properties: {kind: {type: string}, lives: {type: integer}}}";
const dog = "Dog: {type: object, properties: {kind: {type: string}, tricks: {type: array, items: {type: string}}}}";

describe("scalars", () => {
  test.each([
    ["{type: string}", "string"],
    ["{type: integer}", "number"],
    ["{type: number}", "number"],
    ["{type: boolean}", "boolean"],
    ["{type: 'null'}", "null"],
    ["{type: [string, 'null']}", "string | null"],
    ["{type: [string, integer]}", "string | number"],
    ["{type: [integer, number]}", "number"],
    ["{}", "unknown"],
    ["true", "unknown"],
    ["false", "never"],
    ["{not: {}}", "unknown"],
    ["{type: string, format: binary}", "globalThis.Blob"],
    ["{contentMediaType: image/png, type: string}", "globalThis.Blob"],
    ["{contentMediaType: image/svg+xml, type: string}", "string"],
    ["{contentMediaType: application/jwt, type: string}", "string"],
    ["{contentMediaType: application/vnd.ms-excel, type: string}", "globalThis.Blob"],
    ["{contentMediaType: application/vnd.pets+json, type: string}", "string"],
    ["{contentMediaType: application/octet-stream, type: string}", "globalThis.Blob"],
    ["{type: string, contentMediaType: application/octet-stream, contentEncoding: base64}", "string"],
    ["{type: string, format: byte}", "string"],
  ])("%s is %s", async (schema, expected) => {
    expect(await type(schema)).toBe(expected);
  });
});

describe("values", () => {
  test.each([
    ["{enum: [a, 'b\"c', 1, -1, true, null]}", '"a" | \'b"c\' | 1 | -1 | true | null'],
    ["{type: string, enum: [a]}", '"a"'],
    ["{const: a}", '"a"'],
    ["{const: 0}", "0"],
    ["{const: false}", "false"],
    ["{const: null}", "null"],
    ["{const: ''}", '""'],
    ["{enum: []}", "never"],
    ["{enum: [[1, a], {b: c}]}", '[1, "a"] | { b: "c" }'],
    ["{enum: ['${x}`', '*/']}", '"${x}`" | "*/"'],
  ])("%s is %s", async (schema, expected) => {
    expect(await type(schema)).toBe(expected);
  });
});

describe("lists", () => {
  test.each([
    ["{type: array}", "unknown[]"],
    ["{type: array, items: {type: string}}", "string[]"],
    ["{items: {type: string}}", "string[]"],
    ["{type: array, items: {type: [string, 'null']}}", "(string | null)[]"],
    ["{type: array, items: {type: array, items: {type: string}}}", "string[][]"],
    ["{type: array, items: {oneOf: [{type: array, items: {type: string}}]}}", "string[][]"],
    ["{type: array, items: false}", "never[]"],
    ["{type: array, prefixItems: [{type: string}, {type: integer}], items: false, minItems: 2}", "[string, number]"],
    ["{type: array, prefixItems: [{type: string}, {type: integer}], minItems: 2, maxItems: 2}", "[string, number]"],
    ["{type: array, items: {type: array, prefixItems: [{type: string}], minItems: 1, maxItems: 1}}", "[string][]"],
    ["{type: array, prefixItems: [{type: string}, {type: integer}], items: false, minItems: 1}", "(string | number)[]"],
    ["{type: array, prefixItems: [{type: string}], items: {type: integer}}", "(string | number)[]"],
    ["{type: array, prefixItems: [{type: string}]}", "unknown[]"],
  ])("%s is %s", async (schema, expected) => {
    expect(await type(schema)).toBe(expected);
  });
});

describe("objects", () => {
  test.each([
    ["{type: object}", "Record<string, unknown>"],
    ["{type: object, maxProperties: 0}", "Record<string, never>"],
    ["{type: object, properties: {a: {type: string}, b: {}}, required: [b]}", "{ a?: string; b: unknown; }"],
    ["{properties: {a: {type: string}}}", "{ a?: string; }"],
    ["{type: object, required: [a]}", "{ a: unknown; }"],
    ["{type: object, properties: {a: false}}", "{ a?: never; }"],
    [
      "{type: object, properties: {a-b: {}, class: {}, __proto__: {}, '1': {}}}",
      '{ "1"?: unknown; "a-b"?: unknown; class?: unknown; ["__proto__"]?: unknown; }',
    ],
    ["{type: object, additionalProperties: {type: string}}", "{ [key: string]: string; }"],
    ["{type: object, additionalProperties: true}", "{ [key: string]: unknown; }"],
    ["{type: object, additionalProperties: false}", "Record<string, unknown>"],
    ["{type: object, properties: {a: {type: string}}, additionalProperties: false}", "{ a?: string; }"],
    [
      "{type: object, properties: {a: {type: string}}, additionalProperties: {type: integer}}",
      "{ a?: string; } & { [key: string]: unknown; }",
    ],
    [
      "{type: object, patternProperties: {^a: {type: string}}, additionalProperties: false}",
      "{ [key: string]: string; }",
    ],
    [
      "{type: object, patternProperties: {^a: {type: string}, ^b: {type: integer}}}",
      "{ [key: string]: string | number; }",
    ],
    ["{type: [object, 'null'], properties: {a: {type: string}}}", "{ a?: string; } | null"],
    [
      "{type: object, properties: {a: {}}, then: {properties: {a: {}, b: {type: string}}, required: [b]}}",
      "{ a?: unknown; b?: string; }",
    ],
    ["{type: object, properties: {a: {}}, then: {properties: {b: false}}}", "{ a?: unknown; }"],
    [
      "{type: object, then: {properties: {b: {type: string}}}, else: {properties: {b: {type: integer}}}}",
      "{ b?: string | number; }",
    ],
    [
      "{type: object, properties: {a: {}}, dependentSchemas: {a: {properties: {b: {type: string}}}}}",
      "{ a?: unknown; b?: string; }",
    ],
  ])("%s is %s", async (schema, expected) => {
    expect(await type(schema)).toBe(expected);
  });

  test("an object is an interface, anything else a type", async () => {
    expect(await types("A: {type: object, properties: {a: {$ref: '#/components/schemas/B'}}}\nB: {type: string}")).toBe(
      "export interface A {\n  a?: B;\n}\n\nexport type B = string;",
    );
  });

  test("an object may contain itself", async () => {
    expect(
      await type(
        "{type: object, properties: {a: {$ref: '#/components/schemas/A'}, b: {type: array, items: {$ref: '#/components/schemas/A'}}}}",
      ),
    ).toBe("{ a?: A; b?: A[]; }");
  });
});

describe("unions", () => {
  test.each([
    ["{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}", "Cat | Dog"],
    ["{type: object, oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}", "Cat | Dog"],
    ["{anyOf: [{$ref: '#/components/schemas/Cat'}, {type: 'null'}]}", "Cat | null"],
    ["{anyOf: [{type: string}, {type: string}]}", "string"],
    ["{oneOf: [{type: string}], anyOf: [{type: string}, {type: integer}]}", "(string | number) & string"],
    ["{type: object, properties: {a: {}}, anyOf: [{required: [a]}, {required: [b]}]}", "{ a?: unknown; }"],
    ["{type: object, required: [a], anyOf: [{$ref: '#/components/schemas/Cat'}]}", "{ a: unknown; } & Cat"],
    [
      "{type: object, oneOf: [{properties: {a: {type: string}}}, {properties: {b: {type: string}}}]}",
      "{ a?: string; } | { b?: string; }",
    ],
  ])("%s is %s", async (schema, expected) => {
    expect(await type(schema, `${cat}\n${dog}`)).toBe(expected);
  });

  test("with a discriminator has the tag of each branch", async () => {
    const union =
      "{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind, mapping: {felis: Cat, tom: Cat}}}";
    expect(await type(union, `${cat}\n${dog}`)).toBe('(Cat & { kind: "felis" | "tom"; }) | (Dog & { kind: "Dog"; })');
  });

  test("with a discriminator repeats no tag that a branch requires itself", async () => {
    const union =
      "{oneOf: [{$ref: '#/components/schemas/Cow'}, {$ref: '#/components/schemas/Hen'}], discriminator: {propertyName: kind, mapping: {cow: Cow, hen: Hen}}}";
    const cow = "Cow: {type: object, required: [kind], properties: {kind: {type: string, const: cow}}}";
    const hen = "Hen: {type: object, properties: {kind: {type: string, const: hen}}}";
    expect(await type(union, `${cow}\n${hen}`)).toBe('Cow | (Hen & { kind: "hen"; })');
  });
});

describe("allOf", () => {
  test.each([
    ["{allOf: [{$ref: '#/components/schemas/Cat'}]}", "Cat"],
    ["{type: object, allOf: [{$ref: '#/components/schemas/Cat'}]}", "Cat"],
    [
      "{allOf: [{$ref: '#/components/schemas/Cat'}], properties: {name: {type: string}}}",
      "{ kind: string; lives?: number; name?: string; }",
    ],
    [
      "{allOf: [{$ref: '#/components/schemas/Cat'}, {properties: {kind: {const: cat}}}]}",
      '{ kind: string & "cat"; lives?: number; }',
    ],
    ["{allOf: [{$ref: '#/components/schemas/Cat'}, {required: [lives]}]}", "{ kind: string; lives: number; }"],
    [
      "{allOf: [{$ref: '#/components/schemas/Cat'}], required: [lives, name]}",
      "{ kind: string; lives: number; name: unknown; }",
    ],
    [
      "{allOf: [{allOf: [{$ref: '#/components/schemas/Cat'}, {required: [lives]}]}, {$ref: '#/components/schemas/Dog'}]}",
      "{ kind: string; lives: number; tricks?: string[]; }",
    ],
    ["{allOf: [{$ref: '#/components/schemas/Cat'}, {description: A cat.}]}", "Cat"],
    [
      "{allOf: [{type: object, properties: {a: {type: array, items: {}}}}, {properties: {a: {type: array, items: {type: string}}}}]}",
      "{ a?: string[]; }",
    ],
    [
      "{allOf: [{type: object, properties: {a: {properties: {b: {}}}}}, {properties: {a: {properties: {c: {}}}}}]}",
      "{ a?: { b?: unknown; c?: unknown; }; }",
    ],
    [
      "{allOf: [{$ref: '#/components/schemas/Cat'}, {oneOf: [{$ref: '#/components/schemas/Dog'}, {type: 'null'}]}]}",
      "Cat & (Dog | null)",
    ],
    [
      "{allOf: [{type: object, properties: {a: {type: array, items: {type: object}}}}, {properties: {a: {type: array, items: {$ref: '#/components/schemas/Cat'}}}}]}",
      "{ a?: Cat[]; }",
    ],
    ["{allOf: [{type: object}, {$ref: '#/components/schemas/Cat'}]}", "{ kind: string; lives?: number; }"],
    [
      "{allOf: [{type: object}], oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}",
      "Cat | Dog",
    ],
    ["{allOf: [{type: object}], additionalProperties: {type: string}}", "{ [key: string]: string; }"],
    ["{allOf: [{type: object}, {type: object, description: All.}]}", "Record<string, unknown>"],
    ["{allOf: [{type: object}], anyOf: [{required: [a]}, {required: [b]}]}", "Record<string, unknown>"],
    ["{allOf: [{type: string}]}", "string"],
    ["{allOf: [{type: string}, {minLength: 1}]}", "string"],
    ["{allOf: [{required: [a]}]}", "unknown"],
    ["{allOf: []}", "unknown"],
  ])("%s is %s", async (schema, expected) => {
    expect(await type(schema, `${cat}\n${dog}`)).toBe(expected);
  });

  test.each([
    ["its enum is shorter", ", enum: [a, b, c]", ", enum: [b, c, d]", '"b" | "c"'],
    ["it has one", "", ", enum: [a]", '"a"'],
    ["it has none", ", enum: [a]", ", example: a", '"a"'],
  ])("narrows a text: %s", async (_, wide, narrow, expected) => {
    const object = (more: string) => `{properties: {a: {type: string${more}}}}`;
    expect(await type(`{allOf: [${object(wide)}, ${object(narrow)}]}`)).toBe(`{ a?: ${expected}; }`);
  });

  test("of what contains the same again is written out once", async () => {
    const tree =
      "Tree: {type: object, properties: {up: {allOf: [{$ref: '#/components/schemas/Tree'}], properties: {a: {}}}}}";
    expect(await type("{allOf: [{$ref: '#/components/schemas/Tree'}, {properties: {b: {}}}]}", tree)).toBe(
      "{ up?: { a?: unknown; } & Tree; b?: unknown; }",
    );
    expect(await types(tree)).toBe("export interface Tree {\n  up?: {\n    a?: unknown;\n  } & Tree;\n}");
  });

  test("of two that contain themselves comes to an end", async () => {
    const lists = ["One", "Two"].map(
      (name) => `${name}: {type: object, properties: {next: {$ref: '#/components/schemas/${name}'}}}`,
    );
    expect(
      await type("{allOf: [{$ref: '#/components/schemas/One'}, {$ref: '#/components/schemas/Two'}]}", lists.join("\n")),
    ).toBe("{ next?: One & Two; }");
  });

  test("of itself comes to an end", async () => {
    expect(await type("{allOf: [{$ref: '#/components/schemas/A'}], properties: {a: {type: string}}}")).toBe(
      "{ a?: string; } & A",
    );
  });
});

test("a reference with more beside it is both", async () => {
  expect(await type("{$ref: '#/components/schemas/Cat', type: object, properties: {a: {type: string}}}", cat)).toBe(
    "Cat & { a?: string; }",
  );
  expect(await type("{$ref: '#/components/schemas/Cat', maxProperties: 3, description: A cat.}", cat)).toBe("Cat");
});

test("3.0 says null its own way", async () => {
  expect(await types("A: {type: string, nullable: true, enum: [a]}\nB: {type: object, nullable: true}", "3.0.3")).toBe(
    'export type A = "a" | null;\n\nexport type B = Record<string, unknown> | null;',
  );
});

test("comments say what a value is, its bounds in words, and what it is when it is not given", async () => {
  expect(
    await types(`A:
  title: A thing
  type: object
  properties:
    a: {type: string, description: "The name. */ alert(1)", minLength: 3, maxLength: 64, pattern: '^[a-z]*/', default: ''}
    b: {type: array, items: {}, minItems: 1, maxItems: 1, default: [1]}
    c: {type: integer, minimum: 0, maximum: 9, format: int32}
    d: {type: number, exclusiveMinimum: 0, maximum: 1, deprecated: true}
    e: {type: string, maxLength: 1, description: "First.\\n\\nSecond."}
    f: {type: integer, minimum: 1, default: 5}
    g: {type: string, format: binary, description: A picture.}
    h: {const: a}
    i: {$ref: '#/components/schemas/B', description: Its b.}
    j: {type: number, exclusiveMaximum: 5}
B: {type: string, description: A b.}`),
  ).toBe(`/** A thing */
export interface A {
  /** The name. *\\/ alert(1). 3 to 64 characters. Pattern: ^[a-z]*\\/. Default: "". */
  a?: string;
  /** Exactly 1 item. Default: [1]. */
  b?: unknown[];
  /** 0 to 9. */
  c?: number;
  /**
   * More than 0, at most 1.
   * @deprecated
   */
  d?: number;
  /**
   * First.
   *
   * Second. At most 1 character.
   */
  e?: string;
  /** At least 1. Default: 5. */
  f?: number;
  /** A picture. */
  g?: globalThis.Blob;
  h?: "a";
  /** Its b. */
  i?: B;
  /** Less than 5. */
  j?: number;
}

/** A b. */
export type B = string;`);
});

test("a type in place imports the names that it uses, once each, however deep", async () => {
  const { operations, ...api } = await buildFixtureApi(
    withPaths(
      "/a: {get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {a: {type: array, items: {$ref: '#/components/schemas/Cat'}}, b: {oneOf: [{$ref: '#/components/schemas/Dog'}, {$ref: '#/components/schemas/Cat'}]}}, additionalProperties: {}}}}}}}}",
      `components:\n  schemas:\n    ${cat}\n    ${dog}\n`,
    ),
  );
  const schema = operations[0]?.responses[0]?.contents[0]?.schema;
  if (schema === undefined) throw new Error("there is no response");
  const piece = new TypePrinter({ operations, ...api }).type(schema, "../types.js");
  const file = await formatFile({
    path: "a.ts",
    text: printSourceFile([code`export type Response = ${piece};`]),
  });
  expect(file.text).toBe(`import type { Cat, Dog } from "../types.js";

export type Response = {
  a?: Cat[];
  b?: Dog | Cat;
} & {
  [key: string]: unknown;
};
`);
});
