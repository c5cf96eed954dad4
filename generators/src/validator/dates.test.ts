import { testOptions } from "@plumbline/kit/codegen/testing";
import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { typeErrors } from "../client/generate-client.support.js";
import { readValidator } from "../server/validator.js";
import { generateValidator } from "./generate-validator.support.js";
import validatorGenerator from "./index.js";

const date = "{type: string, format: date-time}";
const visits = withPaths(
  `/visits:
  post:
    operationId: addVisit
    parameters: [{name: since, in: query, required: true, schema: ${date}}]
    requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Visit'}}}}
    responses: {'200': {description: ok}}
  put:
    operationId: putVisit
    requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {at: ${date}, photo: {type: string, format: binary}}}}, text/plain: {schema: ${date}}}}
    responses: {'200': {description: ok}}
`,
  `components:
  schemas:
    Visit: {type: object, required: [at], properties: {at: {type: string, format: date-time}, day: {type: string, format: date}, next: {$ref: '#/components/schemas/Visit'}, source: {oneOf: [{$ref: '#/components/schemas/Day'}, {$ref: '#/components/schemas/Plain'}]}, end: {type: string, format: date-time, default: '2030-01-01T00:00:00Z'}}}
    Day: {type: object, properties: {v: ${date}}}
    Plain: {type: object, properties: {v: {type: string}}}
`,
);

describe("a validator with dates", () => {
  test("has a Date where nothing else is possible", async () => {
    const files = await generateValidator(visits, { dates: "Date", schemas: true, ajv: true });
    const use = `import { addVisit, type InputOf } from "./index.js";
type Input = InputOf<typeof addVisit>;
export const since = ({ query }: Input): Date => query.since;
export const at = ({ body }: Input): Date | undefined => body.next?.at ?? body.at;
export const end = ({ body }: Input): Date => body.end;
export const day = ({ body }: Input): string | undefined => body.day;
export const v = ({ body }: Input): string | undefined => body.source?.v;
// @ts-expect-error a Date is no text
export const wrong = ({ body }: Input): string => body.at;
`;
    expect(typeErrors(files, use)).toEqual([]);
    expect(files["src/gen/operations/default.ts"]?.match(/convertedInput\(.*\)/g)).toEqual([
      "convertedInput(asDate)",
      "convertedInput(VisitValues)",
      "convertedInput({ fields: { at: asDate } })",
    ]);
    expect(files["src/gen/schemas.ts"]).toContain('at: { type: "string", format: "date-time" }');
    expect(files["README.md"]).toContain("## Dates");
  });

  test("needs the runtime of clients, and one without does not", async () => {
    const files = await generateValidator(visits);
    expect(Object.keys(files)).not.toContain("src/gen/values.ts");
    expect(Object.values(files).join("")).not.toMatch(/convert|client-runtime|asDate|## Dates/);
  });

  test("has no Standard Schemas", async () => {
    const config = { schemas: false, ajv: false, standard: true, formats: [], dates: "Date" } as const;
    expect(validatorGenerator.findOptionIssues?.(await buildFixtureApi(visits), config)).toEqual({
      dates: "converts nothing in Standard Schemas: remove it, or set `standard: false`",
    });
  });
});

describe("a server beside a validator with dates", () => {
  const dataWith = async (config: { readonly dates: "string" | "Date"; readonly formats: string[] }) => ({
    validator: await validatorGenerator.data?.(await buildFixtureApi(visits), {
      ...testOptions("@visits/validator"),
      isImportable: true,
      config: { schemas: false, ajv: false, standard: false, ...config },
    }),
  });

  test("carries a validator of its own, whose dates are texts", async () => {
    const packages = ["string", "Date"] as const;
    const read = packages.map(async (dates) => readValidator({ artifacts: await dataWith({ dates, formats: [] }) }));
    expect((await Promise.all(read)).map((each) => each.package)).toEqual(["@visits/validator", undefined]);
  });

  test("needs its custom formats", async () => {
    const artifacts = await dataWith({ dates: "Date", formats: ["date"] });
    expect(() => readValidator({ artifacts })).toThrow(
      "plumbline.yaml:1:1 The server imports custom formats and keywords from the validator beside it",
    );
  });
});
