import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { documentedErrorBodies } from "./error-bodies.js";

async function bodiesOf(responses: string, rest = ""): Promise<unknown> {
  const paths = `/x: {get: {operationId: a, responses: {'200': {description: ok}, ${responses}}}}`;
  return documentedErrorBodies(await buildFixtureApi(withPaths(paths, rest)));
}

async function templateOf(schema: string): Promise<unknown> {
  const bodies = await bodiesOf(`'400': {description: bad, content: {application/json: {schema: ${schema}}}}`);
  const { a } = bodies as { readonly a: Readonly<Record<string, { readonly template: unknown } | null>> };
  return a["400"] === null ? null : a["400"]?.template;
}

describe("the body of an error", () => {
  const reasons = { from: "reasons" };

  test.each([
    ["{type: string}", reasons],
    ["{}", reasons],
    [
      "{type: object, properties: {message: {type: string, maxLength: 80}}}",
      { object: { message: { from: "reasons", maxLength: 80 } } },
    ],
    [
      "{type: object, properties: {status: {type: integer}, detail: {type: string}, hint: {type: string}}}",
      { object: { status: { from: "status" }, detail: reasons } },
    ],
    [
      "{type: object, required: [ok, at, kind], properties: {ok: {type: boolean}, at: {type: string, format: date-time}, kind: {enum: [bad, worse]}, message: {type: string}}}",
      {
        object: {
          ok: { value: false },
          at: { value: "1970-01-01T00:00:00Z" },
          kind: { value: "bad" },
          message: reasons,
        },
      },
    ],
    [
      "{type: object, properties: {errors: {type: array, items: {type: object, required: [message], properties: {path: {type: string}, message: {type: string}}}}}}",
      {
        object: {
          errors: { each: { object: { message: { from: "reason" }, path: { from: "field", optional: true } } } },
        },
      },
    ],
    ["{type: object, properties: {title: {type: string}}}", { object: { title: reasons } }],
    [
      "{type: object, properties: {message: {type: string}, errors: {type: array, items: {type: object}}}}",
      {
        object: {
          message: reasons,
          errors: { each: { object: { field: { from: "field" }, reason: { from: "reason" } } } },
        },
      },
    ],
    [
      "{type: object, properties: {message: {type: string}, errors: {type: array, items: {type: object, additionalProperties: {type: integer}}}}}",
      { object: { message: reasons, errors: { each: { object: {} } } } },
    ],
    [
      "{type: object, properties: {error: {type: object, required: [code, message], properties: {code: {type: integer}, message: {type: string}}}}}",
      { object: { error: { object: { code: { from: "status" }, message: reasons } } } },
    ],
    [
      "{type: object, required: [detail], properties: {detail: {type: array, items: {type: object, required: [loc, msg, type], properties: {loc: {type: array, items: {type: string}}, msg: {type: string}, type: {type: string}}}}}}",
      {
        object: {
          detail: { each: { object: { loc: { from: "location" }, msg: { from: "reason" }, type: { from: "code" } } } },
        },
      },
    ],
    [
      "{allOf: [{type: object, required: [code], properties: {code: {const: E1}}}, {properties: {message: {type: string}}}]}",
      { object: { code: { value: "E1" }, message: reasons } },
    ],
    [
      "{oneOf: [{type: string, pattern: '^a'}, {type: object, properties: {message: {type: string}}}]}",
      { object: { message: reasons } },
    ],
    ["{type: object, required: [id], properties: {id: {type: string, pattern: '^[a-z]{9}$'}}}", null],
    ["{type: object, required: [id], properties: {id: {type: string, format: email}}}", null],
  ])("of %s is filled", async (schema, template) => {
    expect(await templateOf(schema)).toEqual(template);
  });

  test("is the server's own, if the description documents that", async () => {
    const own =
      "{type: object, properties: {errors: {type: array, items: {type: object, properties: {field: {type: string}, reason: {type: string}}}}}}";
    expect(await bodiesOf(`'400': {description: bad, content: {application/json: {schema: ${own}}}}`)).toBeUndefined();
  });

  test("of a response without JSON is not filled; a default beside others describes errors", async () => {
    expect(
      await bodiesOf(
        "'400': {description: bad}, default: {description: bad, content: {application/problem+json: {schema: {type: string}}}}",
      ),
    ).toEqual({
      a: { "400": null, default: { mediaType: "application/problem+json", template: reasons } },
    });
  });

  test("is the documented one also for errors of the vocabulary, unless no response documents any", async () => {
    const errors = "x-errors: [{id: invalid, status: 422}]\n";
    const title = "content: {application/json: {schema: {type: object, properties: {title: {type: string}}}}}";
    expect(await bodiesOf(`default: {description: bad, ${title}}`, errors)).toEqual({
      a: { default: { mediaType: "application/json", template: { object: { title: reasons } } } },
    });
    expect(await bodiesOf("'400': {description: bad}", errors)).toBeUndefined();
  });
});
