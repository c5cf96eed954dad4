import * as fc from "fast-check";
import { hostileTexts, oddKey, prose } from "./names.js";

export type Json = Record<string, unknown>;

/** A number that JSON can write and JavaScript cannot hold: the writer prints its digits. */
export const rawNumber = (digits: string): string => `raw-number:${digits}`;

const oddNumber: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  0,
  1,
  -1,
  0.1,
  -1.5,
  1e21,
  1e-7,
  2 ** 31,
  2 ** 53,
  rawNumber("9007199254740993"),
  rawNumber("18446744073709551615"),
  rawNumber("1.0"),
);

const oddText: fc.Arbitrary<string> = fc.constantFrom(
  "a",
  "b",
  "A",
  "1",
  "null",
  "true",
  "2020-01-01",
  ...hostileTexts,
);

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom<unknown>(null, true, false),
  fc.array(oddText, { maxLength: 2 }),
  fc.constantFrom<unknown>({}, { a: 1 }, { "": null }, [[]], [{}]),
);

const length = fc.constantFrom(0, 1, 2, 10, 255, 65_536, 2_147_483_647, 100_000_000);
const pattern = fc.constantFrom(
  "^a*$",
  "(?i)^abc$",
  String.raw`\A\w+\z`,
  "a++b",
  "[[:alpha:]]+",
  "[\\w-.]+",
  "^[^/]+$",
  "/^a$/i",
  "`${a}`",
  "*/",
  String.raw`\p{L}+`,
  String.raw`\d{3}-\d{4}`,
  "(",
  "",
  "^(?<name>a)\\k<name>$",
  "^(?!a).*$",
  String.raw`\-\_\@`,
  "^\\S+@\\S+$",
  "\n",
);
const textFormat = fc.constantFrom(
  "date-time",
  "date",
  "time",
  "uuid",
  "email",
  "uri",
  "byte",
  "binary",
  "password",
  "ipv4",
  "hostname",
  "decimal",
  "int64",
  "duration",
  "",
  "*/",
);
const numberFormat = fc.constantFrom("int32", "int64", "float", "double", "uint8", "decimal", "unix-time");

/** The keywords that any schema may have. */
const annotations = fc.record(
  {
    title: prose,
    description: prose,
    default: oddValue,
    example: oddValue,
    deprecated: fc.boolean(),
    nullable: fc.boolean(),
    readOnly: fc.boolean(),
    writeOnly: fc.boolean(),
    "x-odd": oddValue,
    "x-nullable": fc.boolean(),
    externalDocs: fc.constant({ url: "https://docs.example" }),
    xml: fc.constant({ name: "a", attribute: true }),
  },
  { requiredKeys: [] },
);

const bound = fc.oneof({ weight: 2, arbitrary: oddNumber }, { weight: 1, arbitrary: fc.boolean() });

const scalars: fc.Arbitrary<Json> = fc.oneof(
  fc
    .record(
      {
        minLength: length,
        maxLength: length,
        pattern,
        format: textFormat,
        enum: fc.array(oddText, { minLength: 1, maxLength: 4 }),
      },
      { requiredKeys: [] },
    )
    .map((keywords) => ({ type: "string", ...ordered(keywords, "minLength", "maxLength") })),
  fc
    .record(
      {
        type: fc.constantFrom("integer", "number"),
        minimum: oddNumber,
        exclusiveMinimum: bound,
        exclusiveMaximum: bound,
        multipleOf: fc.constantFrom(1, 0.01, 5, 1e-9),
        format: numberFormat,
        enum: fc.array(fc.oneof(oddNumber, fc.constant(null)), { minLength: 1, maxLength: 4 }),
      },
      { requiredKeys: ["type"] },
    )
    .map((keywords): Json => keywords),
  fc.constantFrom<Json>(
    {},
    { type: "boolean" },
    { type: "boolean", enum: [true] },
    { enum: ["a", 1, null, true, "a"] },
    { enum: [""] },
    { enum: [null] },
    { type: "string", enum: ["a", null], nullable: true },
    { type: ["string", "null"] },
    { type: ["integer", "string", "array", "object"] },
    { type: "null" },
    { const: "*/" },
    { const: null },
    { const: { a: [1] } },
    { type: "file" },
    { type: "object" },
    { type: "array" },
    { not: {} },
    { not: { type: "string" } },
    { format: "binary", type: "string" },
    { contentMediaType: "image/png", type: "string" },
    { contentEncoding: "base64", type: "string" },
    { if: { required: ["a"] }, then: { properties: { b: { type: "string", default: "b" } } }, else: {} },
    { type: "array", prefixItems: [{ type: "string" }, { type: "integer", default: 1 }], minItems: 2, maxItems: 2 },
    { type: "object", patternProperties: { "^a": { type: "string" }, "(?i)b": { type: "integer" } } },
    { type: "object", propertyNames: { pattern: "^a" }, minProperties: 1, maxProperties: 2_147_483_647 },
    { type: "object", dependentRequired: { a: ["b"] }, dependentSchemas: { a: { properties: { c: {} } } } },
    { type: "array", contains: { type: "string" }, minContains: 1, uniqueItems: true },
    { type: "object", unevaluatedProperties: false, properties: { a: {} } },
  ),
);

/**
 * A schema whose references are `#any/N`, or `#later/N` where it would be its own branch: `withReferences` replaces them by names. The
 * depth ends.
 */
export function schemaOf(depth: number, position: "any" | "later"): fc.Arbitrary<Json> {
  const reference = fc.nat({ max: 9 }).map((index): Json => ({ $ref: `#${position}/${index}` }));
  const inner =
    depth === 0
      ? scalars
      : fc.oneof({ weight: 4, arbitrary: scalars }, { weight: 3, arbitrary: composed(depth, position) });
  const described = fc.tuple(inner, annotations).map(([schema, extra]): Json => ({ ...schema, ...extra }));
  return fc.oneof(
    { weight: 3, arbitrary: described },
    { weight: 2, arbitrary: inner },
    { weight: 2, arbitrary: reference },
    {
      weight: 1,
      arbitrary: fc.tuple(reference, annotations).map(([schema, extra]): Json => ({ ...schema, ...extra })),
    },
  );
}

function composed(depth: number, position: "any" | "later"): fc.Arbitrary<Json> {
  const held = schemaOf(depth - 1, "any");
  const branch = schemaOf(depth - 1, position);
  const properties = fc.dictionary(oddKey, held, { maxKeys: 4, noNullPrototype: true });
  const object = fc
    .record(
      {
        properties,
        additionalProperties: fc.oneof(fc.boolean(), held),
        required: fc.array(oddKey, { maxLength: 2 }),
        minProperties: length,
      },
      { requiredKeys: ["properties"] },
    )
    .chain((keywords) => {
      const own = Object.keys(keywords.properties);
      return fc.subarray(own).map((required): Json => {
        const all = [...new Set([...required, ...(keywords.required ?? [])])];
        return { type: "object", ...keywords, ...(all.length > 0 ? { required: all } : {}) };
      });
    });
  const list = fc
    .record(
      { items: held, minItems: length, maxItems: length, uniqueItems: fc.boolean(), default: oddValue },
      { requiredKeys: ["items"] },
    )
    .map((keywords): Json => ({ type: "array", ...ordered(keywords, "minItems", "maxItems") }));
  const branches = fc.array(branch, { minLength: 1, maxLength: 3 });
  const mixed = fc
    .record({ allOf: branches, anyOf: branches, oneOf: branches, properties }, { requiredKeys: [] })
    .map((keywords): Json => keywords);
  const tagged = fc
    .tuple(
      fc.constantFrom("oneOf", "anyOf"),
      oddKey,
      fc.array(fc.tuple(oddText, properties), { minLength: 1, maxLength: 3 }),
    )
    .map(([keyword, tag, alternatives]): Json => ({
      [keyword]: alternatives.map(([value, others]) => ({
        type: "object",
        required: [tag],
        properties: { ...others, [tag]: { type: "string", enum: [value] } },
      })),
      discriminator: { propertyName: tag },
    }));
  const taggedReferences = fc
    .tuple(
      fc.constantFrom("oneOf", "anyOf"),
      oddKey,
      fc.uniqueArray(fc.nat({ max: 9 }), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
    )
    .map(([keyword, tag, indexes, mapped]): Json => ({
      [keyword]: indexes.map((index) => ({ $ref: `#${position}/${index}` })),
      discriminator: {
        propertyName: tag,
        ...(mapped
          ? { mapping: Object.fromEntries(indexes.map((index) => [`tag${index}`, `#${position}/${index}`])) }
          : {}),
      },
    }));
  return fc.oneof(
    { weight: 4, arbitrary: object },
    { weight: 2, arbitrary: list },
    mixed,
    fc.record({ allOf: branches }).map((keywords): Json => keywords),
    tagged,
    taggedReferences,
  );
}

/** Bounds that no value satisfies are another subject: these are exchanged. */
function ordered(keywords: object, lower: string, upper: string): Json {
  const given: Json = { ...keywords };
  const [from, to] = [given[lower], given[upper]];
  if (typeof from !== "number" || typeof to !== "number" || from <= to) return given;
  return { ...given, [lower]: to, [upper]: from };
}

/** Replaces the references in the schema of an index. `#later/N` leads to a later schema, or is a text where none is. */
export function withReferences(value: unknown, names: readonly string[], after: number): unknown {
  if (Array.isArray(value)) return value.map((each) => withReferences(each, names, after));
  if (typeof value === "string") return textOf(value, names, after);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withReferences(each, names, after)] as const);
  if (!Object.hasOwn(value, "$ref") || entries.every(([key, each]) => key !== "$ref" || each !== undefined))
    return Object.fromEntries(entries);
  return { ...Object.fromEntries(entries.filter(([key]) => key !== "$ref")), type: "string" };
}

function textOf(text: string, names: readonly string[], after: number): string | undefined {
  const match = /^#(any|later)\/(\d)$/.exec(text);
  if (match === null) return text;
  const from = match[1] === "any" ? 0 : after + 1;
  const name = names[from + (Number(match[2]) % Math.max(1, names.length - from))];
  return name === undefined ? undefined : `#/components/schemas/${escaped(name)}`;
}

export function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
