import { testOptions } from "@plumbline/kit/codegen/testing";
import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { generateValidator, statement } from "./generate-validator.support.js";
import validatorGenerator from "./index.js";

const shop = withPaths(
  `/pets:
  post:
    operationId: createPet
    tags: [Pets]
    requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
    responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
`,
  `components:
  schemas:
    Pet: {type: object, properties: {chip: {type: string, x-luhn: {digits: 10}}, account: {type: string, format: iban}}}
`,
);

const custom = { formats: ["iban"] };

describe("a validator with custom formats and keywords", () => {
  test("requires their functions", async () => {
    const files = await generateValidator(shop, custom, ["x-luhn"]);
    expect(files["src/gen/custom-checks.ts"]).toMatchInlineSnapshot(`
      "import {
        type CheckTarget,
        type CustomCheckNames,
        type FormatCheck,
        type KeywordCheck,
        bindTarget,
      } from "@plumbline/server-runtime/validator/custom";

      /** The functions that this validator requires. */
      export interface CustomChecks {
        /** Checks of formats, by name. */
        readonly formats: Readonly<Record<"iban", FormatCheck>>;
        /** Checks of keywords, by name. */
        readonly keywords: Readonly<Record<"x-luhn", KeywordCheck>>;
      }

      /** The names of these functions. */
      export const customCheckNames: CustomCheckNames = { formats: ["iban"], keywords: ["x-luhn"] };

      /**
       * Binds an operation or a Standard Schema to functions. Without them, it throws a TypeError where it needs one.
       *
       * @throws TypeError for a function that is missing, unknown or of another type
       */
      export function withChecks<Target extends CheckTarget>(target: Target, checks: CustomChecks): Target {
        return bindTarget(target, checks, customCheckNames);
      }
      "
    `);
    expect(files["src/gen/express.ts"]).toMatchInlineSnapshot(`
      "import { type CustomChecks, customCheckNames } from "./custom-checks.js";
      import type { OperationName } from "./names.js";
      import { operations } from "./operations-table.js";
      import type { ProvidedOption } from "@plumbline/server-runtime/validator";
      import { bindCustomChecks } from "@plumbline/server-runtime/validator/custom";
      import { type ExpressOptions, expressValidator } from "@plumbline/server-runtime/validator/express";

      export interface ExpressValidatorOptions extends Omit<ExpressOptions, ProvidedOption>, CustomChecks {
        /** The operations to validate. Other requests pass unchanged. Default: all operations. */
        readonly operations?: readonly OperationName[];
      }

      /**
       * Validates the requests of an Express app.
       *
       * @example
       * app.use(validator({ basePath: "/v4" }))
       */
      export function validator(options: ExpressValidatorOptions): ReturnType<typeof expressValidator> {
        const { formats, keywords, ...rest } = { ...options };
        const bound = bindCustomChecks({ formats, keywords }, customCheckNames);
        return expressValidator(bound.operations(operations), {
          ...rest,
          responseValidators: bound.responses(() => import("./responses.js").then((loaded) => loaded.responses)),
        });
      }

      export { customInputOf as inputOf } from "@plumbline/server-runtime/validator/custom";
      "
    `);
    expect(files["src/index.ts"]).toMatchInlineSnapshot(`
      "export * from "./gen/operations.js";
      export {
        type InputOf,
        type ValidationResult,
        type Operation,
        type ValidationIssue,
      } from "@plumbline/server-runtime/validator";
      export {
        customInputOf as inputOf,
        type FormatCheck,
        type KeywordCheck,
      } from "@plumbline/server-runtime/validator/custom";
      export { type CustomChecks, withChecks } from "./gen/custom-checks.js";
      "
    `);
  });

  test("requires only those that the description has", async () => {
    const onlyFormats = await generateValidator(shop, custom);
    expect(statement(onlyFormats, "express.ts", "export function validator")).toContain("const { formats, ...rest }");
    expect(onlyFormats["src/gen/checks.ts"]).not.toContain("checkCustomKeyword");
    const onlyKeywords = await generateValidator(shop, {}, ["x-luhn", "x-other"]);
    expect(statement(onlyKeywords, "custom-checks.ts", "export interface")).toContain('Record<"x-luhn", KeywordCheck>');
    expect(onlyKeywords["src/gen/checks.ts"]).not.toContain("hasCustomFormat");
  });

  test("checks them in requests, responses and Standard Schemas, and leaves them to Ajv", async () => {
    const files = await generateValidator(shop, { ...custom, ajv: true, standard: true }, ["x-luhn"]);
    expect(files["src/gen/checks.ts"]).toContain('checkCustomKeyword(chipValue, issues, "x-luhn", petChipXLuhn)');
    expect(files["src/gen/responses.ts"]).toContain("checkPet");
    expect(files["src/gen/standard.ts"]).toContain("checkPet");
    expect(statement(files, "ajv.ts", "const source")).toContain("operations: ignoreCustomChecks(operations)");
    expect(statement(files, "ajv.ts", "const source")).toContain("formats: []");
    expect(files["src/gen/schemas.ts"]).toContain('"x-luhn": { digits: 10 }');
  });

  test("rejects a format that no schema has", async () => {
    const config = { schemas: false, ajv: false, standard: false, formats: ["ibn"], dates: "string" } as const;
    expect(validatorGenerator.findOptionIssues?.(await buildFixtureApi(shop), config)).toEqual({
      formats: 'lists "ibn", which no schema of the description has',
    });
  });
});

test.each([
  [[], 'OpenAPI does not define the format "iban", so that'],
  [["iban"], undefined],
])("warns of a format that nothing checks, with %j listed", async (formats, message) => {
  const config = { schemas: false, ajv: false, standard: false, formats, dates: "string" } as const;
  const warnings =
    (await validatorGenerator.warnings?.(await buildFixtureApi(shop), { ...testOptions(), config })) ?? [];
  expect(warnings.map((each) => [each.code, each.message.slice(0, message?.length)])).toEqual(
    message === undefined ? [] : [["unsupported/format", message]],
  );
});

test("one warning has all formats that nothing checks, and none that OpenAPI defines", async () => {
  const fields = ["plate", "iban", "iban", "uuid", "int64", "password"];
  const properties = fields.map((format, index) => `f${index}: {type: string, format: ${format}}`);
  const api = await buildFixtureApi(shop.replace("properties: {", `properties: {${properties.join(", ")}, `));
  const config = { schemas: false, ajv: false, standard: false, formats: [], dates: "string" } as const;
  const warnings = await validatorGenerator.warnings?.(api, { ...testOptions(), config });
  expect(warnings).toMatchObject([
    {
      code: "unsupported/format",
      message: expect.stringContaining('the formats "iban", "plate"'),
      fix: expect.stringContaining("formats: [iban, plate]"),
    },
  ]);
});

test("a validator without them has none of it", async () => {
  const files = await generateValidator(shop);
  expect(files["src/gen/custom-checks.ts"]).toBeUndefined();
  const texts = Object.entries(files).filter(([path]) => path.endsWith(".ts"));
  expect(texts.filter(([, text]) => /custom/i.test(text)).map(([path]) => path)).toEqual([]);
});
