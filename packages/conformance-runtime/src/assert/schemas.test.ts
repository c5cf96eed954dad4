import { describe, expect, it } from "vitest";
import type { Json, JsonSchema } from "../suite.js";
import { formatDifference } from "../values/format-difference.js";
import { SchemaValidators } from "./schemas.js";
import type { ValueDifference } from "./value-differences.js";

const object = (properties: Record<string, JsonSchema>, more = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});
const ref = (name: string, more = {}): JsonSchema => ({ $ref: `#/$defs/${name}`, ...more });

const messageOf = (difference: ValueDifference): string => formatDifference({ part: "body", ...difference });

const schemas = new SchemaValidators({
  strict: true,
  schemas: {
    Base: object({ id: { type: "integer", "x-source": ["base.id"] } }, { required: ["id"] }),
    Built: { allOf: [ref("Base"), object({ name: { type: "string" } })], "x-source": ["built"] },
    Tree: object({ children: { type: "array", items: ref("Tree") }, leaf: { type: "boolean", "x-source": ["leaf"] } }),
    Free: { type: "object", properties: { a: {} }, additionalProperties: true },
    Any: { type: "object" },
  },
});

describe("in a strict suite", () => {
  it.each<[string, JsonSchema, Json, readonly string[]]>([
    ["its fields", ref("Base"), { id: 1 }, []],
    ["a field too many", ref("Base"), { id: 1, x: 1 }, ["x is not documented"]],
    ["fields of all its parts", ref("Built"), { id: 1, name: "n" }, []],
    ["one that no part has", ref("Built"), { id: 1, y: 1 }, ["y is not documented"]],
    [
      "one deep down",
      ref("Tree"),
      { children: [{ children: [{ z: 1 }] }] },
      ["children.0.children.0.z is not documented"],
    ],
    ["what may have any", ref("Free"), { a: 1, b: 2 }, []],
    ["what lists none", ref("Any"), { b: 2 }, []],
    ["alternatives", { oneOf: [ref("Base"), { type: "null" }] }, null, []],
    [
      "alternatives with too much",
      { oneOf: [ref("Base"), { type: "null" }] },
      { id: 1, x: 1 },
      ["x is not documented"],
    ],
    ["an array of them", { type: "array", items: ref("Base") }, [{ id: 1 }, { id: 2 }], []],
  ])("judges %s", (_, schema, value, messages) => {
    expect(schemas.validateDocumented(schema, value).map(({ difference }) => messageOf(difference))).toEqual(messages);
  });

  it("strictness applies to documented bodies, not to the schemas of a case", () => {
    expect(schemas.validate({ properties: { a: { const: 1 } } }, { a: 1, b: 2 })).toEqual([]);
    expect(schemas.matches(object({ a: { const: 1 } }), { a: 2 })).toBe(false);
  });
});

it("a suite that is not strict accepts undocumented fields", () => {
  const loose = new SchemaValidators({ strict: false, schemas: { Base: object({ id: { type: "integer" } }) } });
  expect(loose.validateDocumented(ref("Base"), { id: 1, more: 1 })).toEqual([]);
  expect(loose.validateDocumented(ref("Base"), { id: "1" })).toHaveLength(1);
});

describe("a difference is attributed to the nearest source", () => {
  it.each<[string, JsonSchema, Json, readonly string[]]>([
    ["of the schema itself", ref("Base"), { id: "x" }, ["base.id"]],
    ["of the field that is missing", ref("Base"), {}, ["base.id"]],
    ["of what refers to it", { $ref: "#/$defs/Any", "x-source": ["outer"] }, 5, ["outer"]],
    [
      "beyond a reference, when it has none",
      object({ list: { type: "object", "x-source": ["list"] } }),
      { list: 1 },
      ["list"],
    ],
    ["within items of items", ref("Tree"), { children: [{ children: [{ leaf: 1 }] }] }, ["leaf"]],
    ["of the object with a field too many", ref("Built"), { id: 1, y: 1 }, ["built"]],
    ["and none when there is none", ref("Tree"), { children: 1 }, []],
  ])("%s", (_, schema, value, sources) => {
    expect(schemas.validateDocumented(schema, value).map((each) => each.requirements)).toEqual([sources]);
  });
});

it("known formats are checked, unknown ones ignored, and patterns without `u` mode compile", () => {
  const evaluated = (schema: JsonSchema, value: Json): boolean => schemas.matches(schema, value);
  expect(evaluated({ format: "date-time" }, "2026-02-30T00:00:00Z")).toBe(false);
  expect(evaluated({ format: "ipv4" }, "192.0.2.1")).toBe(true);
  expect(evaluated({ format: "of-our-own" }, "x")).toBe(true);
  expect(evaluated({ pattern: "^[\\w-.]+\\@$" }, "a-b@")).toBe(true);
});

it.each<[JsonSchema, Json, boolean]>([
  [{ const: { a: [1] } }, { a: [1] }, true],
  [{ const: 1 }, "1", false],
  [{ enum: [1, null] }, null, true],
  [{ type: ["string", "null"] }, 5, false],
  [{ type: "integer" }, 5.5, false],
  [{ type: "integer" }, 5, true],
  [{ properties: { a: false } }, { b: 1 }, true],
  [{ properties: { a: false } }, { a: 1 }, false],
  [{ required: ["toString"] }, {}, false],
  [{ items: { type: "object" } }, [{}, 1], false],
  [{ contains: { properties: { id: { const: 2 } }, required: ["id"] } }, [{ id: 1 }, { id: 2 }], true],
  [{ contains: true }, [], false],
  [{ contains: { const: 1 }, minContains: 2 }, [1], false],
  [{ minItems: 2 }, [1], false],
  [{ maxItems: 0 }, [1], false],
  [{ minimum: 5 }, 4, false],
  [{ maximum: 5 }, 6, false],
  [{ allOf: [{ type: "string" }, { pattern: "^a" }] }, "b", false],
  [{ anyOf: [{ const: 1 }, { const: 2 }] }, 2, true],
  [{ not: { const: 1 } }, 1, false],
  [{ not: { contains: { const: 1 } } }, [2], true],
  [{ not: { minContains: 0, contains: { const: 1 } } }, [2], false],
  [{ not: { required: ["a"], format: "date" } }, { a: 1 }, false],
  [{ not: { format: "date" } }, "2026-02-28", false],
  [{ prefixItems: [{ const: 1 }], items: { const: 2 } }, [1, 2], true],
  [{ prefixItems: [{ const: 1 }, { const: 2 }] }, [1], true],
  [{ prefixItems: [{ const: 1 }] }, [2], false],
  [{ pattern: "^a" }, "ba", false],
  [{ maxLength: 1 }, "\u{1f600}", true],
  [{ minLength: 2 }, "\u{1f600}", false],
  [{ exclusiveMinimum: 1 }, 1, false],
  [{ maxProperties: 0 }, {}, true],
])("%j and %j: %s, compiled or not", (schema, value, holds) => {
  expect(schemas.matches(schema, value)).toBe(holds);
  expect(schemas.validate(schema, value).length === 0).toBe(holds);
});

it("shows no secrets", () => {
  const [reported] = schemas.validate(object({ root_pass: { maxLength: 3 } }), { root_pass: "hunter2" });
  expect(reported?.received).toBe('"$SECRET"');
});

it("no text of a server makes a pattern slow", () => {
  // Each text takes the matcher of JavaScript 2 to the power of its length, or more. With a backreference, at most 16 characters are matched.
  const long = "a".repeat(5000);
  expect(schemas.matches({ pattern: "^(a+)+$" }, `${long}!`)).toBe(false);
  expect(schemas.matches({ pattern: "^(a|aa)+\\1b$" }, `${"a".repeat(15)}c`)).toBe(false);
  expect(schemas.matches({ pattern: "^(a|aa)+\\1b$" }, `${long}c`)).toBe(true);
});
