import { readdir } from "node:fs/promises";
import path from "node:path";
import { SchemaDefinitions } from "@plumbline/kit/codegen/validation";
import { sampleSchema } from "@plumbline/kit/codegen/values";
import { type Api, DiagnosticsError, type Json, type Schema, visitSubschemas } from "@plumbline/kit/model";
import { buildApi, loadDescription } from "@plumbline/kit/openapi";
import { buildFixtureApi } from "@plumbline/kit/openapi/testing";
import formats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ourDescription } from "../support/model.js";
import { repository } from "../support/places.js";
import { propertyRuns } from "../support/property-testing.js";
import { readCases } from "../support/suite.js";

type Keywords = Readonly<Record<string, unknown>>;

it("samples of random schemas are valid, or known to be invalid", async () => {
  const outcomes = { valid: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(anySchema, async (given) => {
      for (const { isValid, errors, schema, value } of await sampleAll([given])) {
        if (isValid) expect([schema, value, errors]).toEqual([schema, value, ""]);
        outcomes[isValid ? "valid" : "unknown"] += 1;
      }
    }),
    propertyRuns(100, 20_000),
  );
  // Keywords that are drawn together often leave no value.
  expect(outcomes.valid / (outcomes.valid + outcomes.unknown)).toBeGreaterThan(0.5);
});

it("a valid sample is found for every schema of JSON Schema's suite that has a valid instance", async () => {
  const cases = (await readCases()).filter(
    ({ name, schema, valid }) =>
      valid.length > 0 &&
      !/\$(id|ref|anchor|dynamicRef|schema)"/.test(JSON.stringify(schema)) &&
      !name.startsWith("optional"),
  );
  expect(cases.length).toBeGreaterThan(250);
  const samples = await sampleAll(cases.map(({ schema }) => schema));
  const wrong = samples.flatMap(({ errors, isValid, value }, index) =>
    errors === "" && isValid ? [] : [[cases[index]?.name, value, isValid, errors]],
  );
  expect(wrong).toEqual([]);
});

it("samples of the example descriptions are valid, except for the known ones", async () => {
  const files = await readdir(path.join(repository, "test", "descriptions"), { recursive: true });
  // The hostile ones are about readers: Ajv compiles some of them not at all, or without end.
  const described = files
    .filter((file) => /\.(yaml|json)$/.test(file) && !/^(negative|hostile)|long-lists/.test(file))
    .toSorted();
  const invalid: string[] = [];
  let count = 0;
  for (const file of [
    ...described.map((each) => path.join(repository, "test", "descriptions", each)),
    ourDescription,
  ]) {
    const api = await readApi(file);
    if (api === undefined) continue;
    const schemas = [...schemasOf(api)].filter(({ never }) => !never);
    const errorsOf = compileAll(api, schemas);
    count += schemas.length;
    for (const [index, schema] of schemas.entries()) {
      const { value, isValid } = sampleSchema(api, schema);
      const errors = errorsOf(index, value);
      const place = `${path.basename(file)}#${schema.origin.pointer}`;
      if (!isValid) invalid.push(place);
      else if (errors !== "") invalid.push(`${place} ${JSON.stringify(value)} ${errors}`);
    }
  }
  expect(count).toBeGreaterThan(1000);
  expect(invalid).toEqual(withoutSamples);
});

/** Schemas with texts and lists of billions, two branches that accept the same objects, and a branch that is no schema. */
const withoutSamples = [
  "bounds-in-billions.yaml#/components/schemas/Pet/properties/repeated",
  "bounds-in-billions.yaml#/components/schemas/Toy",
  "bounds-in-billions.yaml#/components/schemas/Toy/properties/text",
  "bounds-in-billions.yaml#/components/schemas/Toy/properties/list",
  "bounds-in-billions.yaml#/paths/~1toys/post/requestBody/content/application~1json/schema",
  "children-that-select-their-parent.yaml#/components/schemas/Group",
  "omissions.yaml#/components/schemas/Pet/properties/other",
];

interface Sampled {
  readonly schema: unknown;
  readonly value: Json;
  readonly isValid: boolean;
  readonly errors: string;
}

/** The samples of schemas, and what Ajv says about them. */
async function sampleAll(schemas: readonly unknown[]): Promise<readonly Sampled[]> {
  const named = Object.fromEntries(schemas.map((schema, index) => [`Schema${index}`, schema] as const));
  const components = { schemas: { ...named, Tree: treeSchema } };
  const text = JSON.stringify({ openapi: "3.1.0", info: { title: "Samples", version: "1" }, paths: {}, components });
  const api = await buildFixtureApi(text);
  const ajv = createAjv();
  ajv.addSchema({ components }, "samples");
  return api.schemas
    .filter(({ name }) => name !== "Tree")
    .map(({ name, schema }) => {
      const { value, isValid } = sampleSchema(api, schema);
      return {
        schema: named[name],
        value,
        isValid,
        errors: errorsOfAjv(ajv, `samples#/components/schemas/${name}`, value),
      };
    });
}

function errorsOfAjv(ajv: Ajv2020, ref: string, value: Json): string {
  const validate = ajv.compile({ $ref: ref });
  try {
    validate(value);
  } catch (error) {
    // What Ajv compiles for `prefixItems` below `anyOf` may name a variable that it does not declare.
    if (error instanceof ReferenceError) return "";
    throw error;
  }
  return validate.errors ? ajv.errorsText(validate.errors) : "";
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    ownProperties: true,
    validateSchema: false,
    multipleOfPrecision: 9,
    logger: false,
  });
  formats.default(ajv);
  // Of an address it wants a domain with a dot, which RFC 5321 does not.
  return ajv.addFormat("email", /^[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+$/);
}

const treeSchema = {
  type: "object",
  required: ["size", "children"],
  properties: { size: { type: "integer" }, children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } },
};

const count = fc.nat({ max: 4 });
const number = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0.5, 1.25, -3.75, 1e6, 5000));
const step = fc.constantFrom(0.01, 0.25, 0.5, 1, 2, 3, 7);
const name = fc.constantFrom("a", "b", "c", "kind", "constructor");
const scalar = fc.oneof(
  fc.constantFrom<unknown>("a", "b", "", 0, 1, 2.5, true, false, null),
  fc.constant([1]),
  fc.constant({ a: 1 }),
);
const format = fc.constantFrom(
  ..."date date-time time duration email hostname ipv4 ipv6 uri uri-reference uuid byte json-pointer regex int32 int64 x".split(
    " ",
  ),
);
const pattern = fc.constantFrom(
  "^[A-Z]{3}-\\d{2,4}$",
  "^a",
  "b$",
  "[0-9]",
  "^(x|y)+$",
  "^.{2,6}$",
  "^$",
  "^\\S+$",
  "é",
);

function some(keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Keywords> {
  return fc.record(keywords, { requiredKeys: [] });
}

const bounded = some({
  minimum: number,
  maximum: number.map((each) => each + 15),
  exclusiveMinimum: number.map((each) => each - 10),
  exclusiveMaximum: number.map((each) => each + 20),
  multipleOf: step,
  format: fc.constantFrom("int32", "int64"),
});
const texts = some({ minLength: count, maxLength: count.map((each) => each + 4), pattern, format });

// Without `unevaluatedProperties`: within `if`, Ajv compiles it to code that fails.
const { anySchema } = fc.letrec<{ anySchema: unknown; objects: Keywords; arrays: Keywords; combined: Keywords }>(
  (tie) => ({
    anySchema: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc
        .tuple(fc.constantFrom<unknown>("number", "integer", ["integer", "null"]), bounded)
        .map(([type, more]) => ({ type, ...more })),
      texts.map((more) => ({ type: "string", ...more })),
      fc.constantFrom<unknown>(true, {}, { type: "null" }, { type: "boolean" }, { $ref: "#/components/schemas/Tree" }),
      fc
        .uniqueArray(scalar, { minLength: 1, maxLength: 4, selector: (each) => JSON.stringify(each) })
        .map((values) => ({ enum: values })),
      scalar.map((value) => ({ const: value })),
      tie("objects"),
      tie("arrays"),
      tie("combined"),
    ),
    objects: fc
      .tuple(
        fc.dictionary(name, tie("anySchema"), { maxKeys: 3, noNullPrototype: true }),
        some({
          required: fc.uniqueArray(name, { maxLength: 3 }),
          minProperties: count,
          maxProperties: count.map((each) => each + 2),
          additionalProperties: fc.oneof(fc.constant(false), tie("anySchema")),
          patternProperties: fc.dictionary(fc.constantFrom("^x-", "^[a-c]$"), tie("anySchema"), {
            maxKeys: 2,
            noNullPrototype: true,
          }),
          propertyNames: fc.constantFrom<unknown>({ maxLength: 8 }, { pattern: "^[a-z]" }),
          dependentRequired: fc.dictionary(fc.constantFrom("a", "b"), fc.uniqueArray(name, { maxLength: 2 }), {
            noNullPrototype: true,
          }),
          dependentSchemas: fc.dictionary(fc.constantFrom("a", "b"), tie("anySchema"), {
            maxKeys: 1,
            noNullPrototype: true,
          }),
        }),
      )
      .map(([properties, more]) => ({ type: "object", properties, ...more })),
    arrays: some({
      items: fc.oneof(fc.constant(false), tie("anySchema")),
      prefixItems: fc.array(tie("anySchema"), { minLength: 1, maxLength: 2 }),
      minItems: count,
      maxItems: count.map((each) => each + 2),
      uniqueItems: fc.boolean(),
      contains: tie("anySchema"),
      minContains: count,
      maxContains: count.map((each) => each + 1),
    }).map((more) => ({ type: "array", ...more })),
    combined: fc
      .tuple(
        fc.constantFrom("allOf", "anyOf", "oneOf"),
        fc.array(tie("anySchema"), { minLength: 1, maxLength: 3 }),
        some({ not: tie("anySchema"), if: tie("anySchema"), then: tie("anySchema"), else: tie("anySchema") }),
      )
      .map(([keyword, schemas, more]) => ({ [keyword]: schemas, ...more })),
  }),
);

/** The model of a description. Undefined for one that is rejected. */
async function readApi(file: string): Promise<Api | undefined> {
  try {
    return buildApi(await loadDescription(file), { names: {}, ruleset: "minimal", requirements: undefined });
  } catch (error) {
    if (error instanceof DiagnosticsError) return undefined;
    throw error;
  }
}

/** Every schema of a description that is not nested in another, and every schema within these. */
function schemasOf(api: Api): ReadonlySet<Schema> {
  const operations = [...api.operations, ...api.operationsWithoutPath];
  const contents = operations.flatMap(({ requestBody, responses }) => [
    ...(requestBody?.contents ?? []),
    ...responses.flatMap((response) => response.contents),
  ]);
  const roots = [
    ...api.schemas.map(({ schema }) => schema),
    ...contents.map(({ schema }) => schema),
    ...operations.flatMap(({ parameters }) => parameters.map(({ schema }) => schema)),
  ];
  const all = new Set<Schema>();
  const visit = (schema: Schema): void => {
    if (all.has(schema)) return;
    all.add(schema);
    visitSubschemas(schema, visit);
  };
  for (const root of roots) visit(root);
  return all;
}

/** What Ajv says of a value, by the index of its schema. All schemas are in one document, so that it compiles each named one once. */
function compileAll(api: Api, schemas: readonly Schema[]): (index: number, value: Json) => string {
  const definitions = new SchemaDefinitions(api);
  const roots = schemas.map((schema) => definitions.root(schema).keywords);
  const ajv = createAjv();
  ajv.addSchema({ $defs: Object.fromEntries(definitions.all), roots }, "all");
  return (index, value) => errorsOfAjv(ajv, `all#/roots/${index}`, value);
}
