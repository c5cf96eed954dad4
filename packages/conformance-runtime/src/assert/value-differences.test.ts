import { describe, expect, it } from "vitest";
import type { Json, JsonSchema } from "../suite.js";
import { formatDifference } from "../values/format-difference.js";
import { SchemaValidators } from "./schemas.js";

const schemas = new SchemaValidators({
  strict: true,
  schemas: { Note: object({ id: { type: "integer" }, name: { type: "string" } }) },
});

describe("a difference is a short sentence", () => {
  it.each<[string, JsonSchema, Json, readonly string[]]>([
    [
      "of a constant",
      object({ status: { const: "running" } }),
      { status: "provisioning" },
      ['status: "provisioning", expected "running"'],
    ],
    ["of a list", object({ size: { enum: [1, 2] } }), { size: 3 }, ["size: 3, expected one of 1, 2"]],
    [
      "of a type",
      object({ size: { type: ["integer", "null"] } }),
      { size: "3" },
      ['size: "3", expected an integer or null'],
    ],
    [
      "of a length",
      object({ title: { maxLength: 3 } }),
      { title: "four" },
      ["title: 4 characters, expected at most 3 characters"],
    ],
    ["of a number", object({ size: { exclusiveMinimum: 3 } }), { size: 3 }, ["size: 3, expected more than 3"]],
    ["of a number of items", { minItems: 2 }, [1], ["body: 1 item, expected at least 2 items"]],
    [
      "of a format",
      object({ at: { format: "date-time" } }),
      { at: "noon" },
      ['at: "noon", expected a valid date-time'],
    ],
    ["of a pattern", object({ id: { pattern: "^a" } }), { id: "b" }, ['id: "b", expected a string that matches ^a']],
    ["of items that repeat", { uniqueItems: true }, [1, 1], ["body: two equal items, expected different items"]],
    ["of a field that is missing", object({}, ["id"]), {}, ["id is missing"]],
    ["of a field that must not be there", object({ x: false }), { x: 1 }, ["x: 1, expected none"]],
    ["of a field of a field", object({ a: object({ b: { const: 1 } }) }), { a: { b: 2 } }, ["a.b: 2, expected 1"]],
    ["of a field of an item", { items: object({ b: { const: 1 } }) }, [{ b: 1 }, { b: 2 }], ["1.b: 2, expected 1"]],
    [
      "of each field of an object",
      { const: { a: 1, b: 2, c: 3 } },
      { a: 1, b: 3, d: 4 },
      ["b: 3, expected 2", "c is missing", "d: 4, expected none"],
    ],
    [
      "of an item that is missing",
      { contains: object({ id: { const: 5 } }) },
      [{ id: 1 }],
      ["body: 1 item without one, expected an item with id 5"],
    ],
    ["of two alternatives", { anyOf: [{ const: 1 }, { const: 2 }] }, 3, ["body: 3, expected 1 or 2"]],
    [
      "of the closest alternative",
      { anyOf: [object({ a: object({ n: { type: "integer" } }) }), { type: "null" }] },
      { a: { n: "x" } },
      ['a.n: "x", expected an integer'],
    ],
  ])("%s", (_, schema, value, messages) => {
    expect(messagesOf(schema, value)).toEqual(messages);
  });

  it.each<[string, JsonSchema, Json, readonly string[]]>([
    ["a constant", object({ a: { not: { const: 1 } } }), { a: 1 }, ["a: 1, expected another value"]],
    ["a pattern", { not: { pattern: "b" } }, "abc", ['body: "abc", expected not a string that matches b']],
    ["a field", { not: object({}, ["secret"]) }, { secret: 5 }, ["secret: 5, expected none"]],
    [
      "a value of a field",
      { not: object({ a: object({ b: { const: 1 } }) }) },
      { a: { b: 1 } },
      ["a.b: 1, expected another value"],
    ],
    [
      "an item",
      object({ data: { not: { contains: object({ id: { const: 5 } }) } } }),
      { data: [{ id: 4 }, { id: 5 }] },
      ['data.1: {"id":5}, expected no item with id 5'],
    ],
    [
      "an item that differs",
      { not: { contains: { not: object({ id: { const: 5 } }) } } },
      [{ id: 5 }, { id: 4 }],
      ['1: {"id":4}, expected an object with id 5'],
    ],
    [
      "several fields",
      { not: object({ a: { const: 1 }, b: { const: 2 } }) },
      { a: 1, b: 2 },
      ['body: {"a":1,"b":2}, expected not an object with a 1 and b 2'],
    ],
  ])("of `not` with %s", (_, schema, value, messages) => {
    expect(messagesOf(schema, value)).toEqual(messages);
  });

  it("has long values in a few words", () => {
    const note = { id: 7, name: "x".repeat(100) };
    expect(messagesOf({ const: 1 }, note)).toEqual(["body: an object with id 7, expected 1"]);
    expect(
      messagesOf(
        { const: 1 },
        Array.from({ length: 40 }, () => 1000),
      ),
    ).toEqual(["body: 40 items, expected 1"]);
    expect(messagesOf({ const: 1 }, note.name)).toEqual([`body: "${"x".repeat(60)}…" (100 characters), expected 1`]);
  });

  it("has no secrets", () => {
    expect(messagesOf({ const: { root_pass: "a" } }, { root_pass: "hunter2" })).toEqual([
      'root_pass: "$SECRET", expected "$SECRET"',
    ]);
  });
});

it("a difference has the full values beside it", () => {
  const found = schemas.validateDocumented({ $ref: "#/$defs/Note" }, { id: 1, name: "n", "a/b": 1 });
  expect(found).toEqual([
    {
      difference: { at: "/a~1b", kind: "undocumented", expected: "no such field", received: "1" },
      expected: "only the documented fields: id, name",
      received: "1",
      requirements: [],
    },
  ]);
});

function messagesOf(schema: JsonSchema, value: Json): readonly string[] {
  return schemas.validate(schema, value).map(({ difference }) => formatDifference({ part: "body", ...difference }));
}

function object(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []): JsonSchema {
  return { type: "object", properties, required };
}
