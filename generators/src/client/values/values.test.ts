import { withPaths } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { functionBody, generateClient, typeErrors } from "../generate-client.support.js";

const date = "{type: string, format: date-time}";
const long = "{type: integer, format: int64}";

/** A description whose schema `A` is the body and the response of `send`. */
function withSchema(schema: string, more = ""): string {
  const content = "content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}";
  return withPaths(
    `/a: {post: {operationId: send, requestBody: {required: true, ${content}}, responses: {'200': {description: ok, ${content}}}}}`,
    `components:\n  schemas:\n    A: ${schema}\n${more}`,
  );
}

async function generated(schema: string, more = "", values: Parameters<typeof generateClient>[2] = {}) {
  const files = await generateClient(withSchema(schema, more), {}, { dates: "Date", integers: "bigint", ...values });
  const flat = (text: string | undefined): string =>
    (text ?? "")
      .replaceAll(/\/\*\*[^]*?\*\/|\s+/g, " ")
      .replaceAll(/ +/g, " ")
      .replaceAll("globalThis.", "");
  return {
    files,
    type: /export (?:type A = \|? ?|interface A )(.*?);?(?= export|$)/
      .exec(flat(functionBody(files, "types.ts")))?.[1]
      ?.trim()
      .replace(/;$/, ""),
    converter: /AValues: Converter = (.*?);(?= export|$)/.exec(flat(files["src/gen/values.ts"]).trim())?.[1],
  };
}

const named = `    Day: {type: object, required: [kind], properties: {kind: {const: day}, v: ${date}}}
    Word: {type: object, required: [kind], properties: {kind: {const: word}, v: {type: string}}}
    Plain: {type: object, properties: {v: {type: string}}}
    Timed: {type: object, properties: {v: ${date}}}
    Closed: {type: object, properties: {w: {type: string}}, additionalProperties: false}
    Strings: {type: object, additionalProperties: {type: string}}
`;
const to = (name: string) => `{$ref: '#/components/schemas/${name}'}`;

describe("types and converters agree", () => {
  test.each([
    [date, "Date", "asDate"],
    ["{type: [string, 'null'], format: date-time}", "Date | null", "asDate"],
    ["{type: string, format: date}", "string", undefined],
    ["{type: string, format: date-time, enum: ['2024-01-01T00:00:00Z']}", '"2024-01-01T00:00:00Z"', undefined],
    [long, "bigint", "asBigInt"],
    ["{type: integer, format: int64, minimum: 0}", "bigint", "asBigInt"],
    ["{type: integer, format: int64, minimum: 0, maximum: 9007199254740991}", "number", undefined],
    ["{type: integer, format: int64, minimum: 0, maximum: 9007199254740992}", "bigint", "asBigInt"],
    ["{type: [integer, number], format: int64}", "number", undefined],
    [`{type: array, items: ${date}}`, "Date[]", "{ items: asDate }"],
    [`{oneOf: [${date}, ${long}]}`, "Date | bigint", "{ all: [asDate, asBigInt] }"],
    [`{oneOf: [${date}, {type: string}]}`, "string", undefined],
    [`{oneOf: [${long}, {type: number}]}`, "number", undefined],
    [`{allOf: [${date}, {minLength: 1}]}`, "Date", "asDate"],
    [`{oneOf: [${to("Day")}, ${to("Word")}]}`, "Day | Word", '{ tag: "kind", variants: { day: () => DayValues } }'],
    [`{oneOf: [${to("Day")}, ${to("Plain")}]}`, "UnconvertedValue<Day> | Plain", undefined],
    [`{oneOf: [${to("Day")}, ${to("Timed")}]}`, "Day | Timed", "{ all: [() => DayValues, () => TimedValues] }"],
    [`{oneOf: [${to("Timed")}, ${to("Closed")}]}`, "Timed | Closed", "() => TimedValues"],
    [
      `{oneOf: [${to("Timed")}, {type: object, properties: {w: {}}}]}`,
      "Timed | { w?: unknown; }",
      "{ lenient: () => TimedValues }",
    ],
    [`{oneOf: [${to("Timed")}, ${to("Strings")}]}`, "UnconvertedValue<Timed> | Strings", undefined],
    [`{oneOf: [${to("Timed")}, {type: 'null'}]}`, "Timed | null", "() => TimedValues"],
    [`{oneOf: [{type: array, items: ${date}}, {type: array, items: {type: string}}]}`, "string[]", undefined],
    [
      `{allOf: [${to("Timed")}, {oneOf: [${to("Plain")}, {type: 'null'}]}]}`,
      "UnconvertedValue<Timed> & (Plain | null)",
      undefined,
    ],
    [
      `{type: object, patternProperties: {'^a': ${date}, '^b': {type: string}}}`,
      "{ [key: string]: string; }",
      undefined,
    ],
    [
      `{type: object, properties: {a: ${to("A")}, d: ${date}}}`,
      "{ a?: A; d?: Date; }",
      "{ fields: { a: () => AValues, d: asDate } }",
    ],
  ])("%s is %s", async (schema, type, converter) => {
    const made = await generated(schema, named);
    expect(made.type).toBe(type);
    expect(made.converter === "{ all: [] }" ? undefined : made.converter).toBe(converter);
  });

  test("with Temporal", async () => {
    const { type, converter, files } = await generated(
      `{type: object, properties: {d: {type: string, format: date}, t: ${date}}}`,
      "",
      { dates: "Temporal" },
    );
    expect(type).toBe("{ d?: TemporalPlainDate; t?: TemporalInstant; }");
    expect(converter).toBe("{ fields: { d: asPlainDate, t: asInstant } }");
    expect(typeErrors(files)).toEqual([]);
  });

  test("for strict compilers", async () => {
    const { files } = await generated(
      `{type: object, required: [id, at, u], properties: {id: ${long}, at: ${date}, u: {oneOf: [${to("Day")}, ${to("Plain")}]}, t: {oneOf: [${to("Day")}, ${to("Word")}]}}}`,
      named,
    );
    const use = `import { createClient, send, type A } from "./index.js";
const made = await send(createClient({ baseUrl: "a" }), { body: { id: 1n, at: new Date(), u: { kind: "day", v: "text" } } });
export const id: bigint = made.id;
export const at: Date = made.at;
export const u: string | undefined = made.u.v;
export const v: Date | string | undefined = made.t?.kind === "day" ? made.t.v?.toISOString() : made.t?.v;
// @ts-expect-error a number is no bigint
export const wrongId: A["id"] = 1;
// @ts-expect-error a text is no Date
export const wrongAt: A["at"] = "2024-01-01T00:00:00Z";
// @ts-expect-error nothing decides that this is a date
export const wrongUnion: A["u"] = { kind: "day", v: new Date() };
`;
    expect(typeErrors(files, use)).toEqual([]);
  });
});

test("without options, nothing changes", async () => {
  const schema = `{type: object, properties: {id: ${long}, at: ${date}}}`;
  const files = await generateClient(withSchema(schema));
  expect(Object.keys(files)).not.toContain("src/gen/values.ts");
  expect(files["src/gen/operations/default.ts"] ?? Object.values(files).join("")).not.toMatch(
    /convert|asDate|asBigInt/,
  );
  expect(functionBody(files, "types.ts")).toContain("at?: string;");
  expect(files["README.md"]).not.toContain("Dates and integers");
});

test("the README has examples that compile", async () => {
  const example = "example: {id: 5, at: '2024-01-01T00:00:00Z'}";
  const content = `content: {application/json: {schema: {$ref: '#/components/schemas/A'}, ${example}}}`;
  const files = await generateClient(
    withPaths(
      `/a: {post: {operationId: createA, requestBody: {required: true, ${content}}, responses: {'201': {description: ok, ${content}}}}}
/a/{id}: {get: {operationId: getA, parameters: [{name: id, in: path, required: true, schema: ${long}}], responses: {'200': {description: ok, ${content}}}}}`,
      `components: {schemas: {A: {type: object, properties: {id: ${long}, at: ${date}}}}}\n`,
    ),
    {},
    { dates: "Date", integers: "bigint" },
  );
  expect(files["README.md"]).toContain('body: { id: 5n, at: new Date("2024-01-01T00:00:00Z") }');
  expect(files["README.md"]).toContain("{ path: { id: 1n } }");
  expect(files["README.md"]).toContain("## Dates and integers");
});
