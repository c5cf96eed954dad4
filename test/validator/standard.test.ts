import type { Instance, InstanceCreate } from "@cloud-compute/validator";
import * as standard from "@cloud-compute/validator/standard";
import { sValidator } from "@hono/standard-validator";
import { type JsonSchema, standardSchema } from "@plumbline/server-runtime/validator/standard";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { initTRPC } from "@trpc/server";
import Ajv from "ajv";
import { Hono } from "hono";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createUserAjv } from "../support/ajv.js";
import { type Case, readCases } from "../support/suite.js";

const { createInstanceInput, createTagInput, InstanceSchema, listInstancesInput } = standard;

describe("Hono's standard validator", () => {
  const app = new Hono()
    .post("/tags", sValidator("json", createTagInput.body), (context) => context.json(context.req.valid("json")))
    .get("/instances", sValidator("query", listInstancesInput.query), (context) =>
      context.json(context.req.valid("query")),
    );
  const post = (body: unknown) =>
    app.request("/tags", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  it("accepts a body, and types it", async () => {
    const response = await post({ label: "web" });
    expect([response.status, await response.json()]).toEqual([200, { label: "web" }]);
  });

  it("rejects a body with paths and reasons", async () => {
    const response = await post({ label: 1 });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: [{ message: "must be a string", path: ["label"] }] });
  });

  it("decodes a query, with its defaults", async () => {
    const response = await app.request("/instances?page=2");
    expect([response.status, await response.json()]).toEqual([200, { page: 2, page_size: 100 }]);
    expect((await app.request("/instances?page=0")).status).toBe(400);
  });
});

describe("tRPC", () => {
  const { router, procedure } = initTRPC.create();
  const caller = router({
    createTag: procedure.input(createTagInput).mutation(({ input }) => input.body.label),
    listInstances: procedure.input(listInstancesInput.query).query(({ input }) => input.page),
  }).createCaller({});

  it("accepts an input, and types it", async () => {
    expect(await caller.createTag({ body: { label: "web" } })).toBe("web");
  });

  it("accepts an input without what has a default", async () => {
    expect(await caller.listInstances({})).toBe(1);
  });

  it("rejects an input", async () => {
    await expect(caller.createTag({ body: {} as never })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(caller.createTag({ body: {} as never })).rejects.toThrow("is required");
  });
});

describe("a Standard Schema", () => {
  it("is of the specification's types", () => {
    expectTypeOf(InstanceSchema).toExtend<StandardSchemaV1<Instance>>();
    expectTypeOf(InstanceSchema).toExtend<StandardJSONSchemaV1<Instance>>();
    expectTypeOf<StandardSchemaV1.InferOutput<typeof createTagInput.body>>().toExtend<{ readonly label: string }>();
  });

  it("has the types of an input before and after its defaults", () => {
    type Sent = StandardSchemaV1.InferInput<typeof listInstancesInput>;
    type Received = StandardSchemaV1.InferOutput<typeof listInstancesInput>;
    expectTypeOf<Sent["query"]>().toEqualTypeOf<{ readonly page?: number; readonly page_size?: number } | undefined>();
    expectTypeOf<Received["query"]>().toEqualTypeOf<{ readonly page: number; readonly page_size: number }>();
    expectTypeOf<StandardSchemaV1.InferInput<typeof createInstanceInput.body>>().toEqualTypeOf<InstanceCreate>();
    expectTypeOf<StandardSchemaV1.InferInput<typeof InstanceSchema>>().toEqualTypeOf<Instance>();
  });

  it.each(["draft-2020-12", "draft-07", "openapi-3.0"] as const)(
    "describes each input and named schema for %s",
    (target) => {
      const { withOptions: _, ...exported } = standard;
      const schemas = Object.values<StandardJSONSchemaV1>(exported);
      expect(schemas.length).toBeGreaterThan(200);
      const described = schemas.flatMap(({ "~standard": { jsonSchema } }) => [
        jsonSchema.input({ target }),
        jsonSchema.output({ target }),
      ]);
      for (const text of new Set(described.map((schema) => JSON.stringify(schema)))) {
        const schema = JSON.parse(text) as object;
        expect(() => compilers[target](schema)).not.toThrow();
        expect(schema).not.toHaveProperty("$ref");
      }
    },
  );

  it.each(["draft-07", "openapi-3.0"] as const)(
    "rejects in %s nothing that the suite of JSON Schema accepts",
    async (target) => {
      const cases = (await readCases()).filter(refersToDefinitions);
      expect(cases.length).toBeGreaterThan(200);
      const rejected: string[] = [];
      for (const { name, schema, valid } of cases) {
        const { jsonSchema } = standardSchema(() => undefined, schema as JsonSchema)["~standard"];
        const isValid = compilers[target](jsonSchema.input({ target }));
        for (const value of valid) if (!isValid(value)) rejected.push(`${name}: ${JSON.stringify(value)}`);
      }
      expect(rejected).toEqual([]);
    },
  );

  it("accepts after validation what it describes as output", () => {
    const inputs: readonly [schema: StandardJSONSchemaV1 & StandardSchemaV1, sent: object][] = [
      [listInstancesInput, {}],
      [listInstancesInput.query, {}],
      [createInstanceInput.body, { region: "us-east", type: "g6-nanode-1" }],
    ];
    for (const [{ "~standard": props }, sent] of inputs) {
      const compile = (side: "input" | "output") =>
        draft2020.compile(props.jsonSchema[side]({ target: "draft-2020-12" }));
      const validated = props.validate(sent) as { readonly value: unknown };
      const [isSent, isReceived] = [compile("input"), compile("output")];
      expect([isSent(sent), isReceived(sent), isReceived(validated.value)]).toEqual([true, false, true]);
    }
  });

  it("rejects unknown fields and has own messages, with options", () => {
    const options: standard.StandardOptions = {
      unknown: "reject",
      reason: ({ in: location, field, code }) => (code === "unknown" ? `${location}: no ${field}` : undefined),
    };
    const sent = { label: "ab", colour: "red" };
    const issues = [
      { message: "must be 3 to 50 characters", path: ["label"] },
      { message: "body: no colour", path: ["colour"] },
    ];
    const strict = standard.withOptions(createTagInput, options);
    expectTypeOf(strict).toEqualTypeOf(createTagInput);
    expect(strict.body["~standard"].validate(sent)).toEqual({ issues });
    expect(strict["~standard"].validate({ body: sent })).toEqual({
      issues: issues.map(({ path, ...issue }) => ({ ...issue, path: ["body", ...path] })),
    });
    expect(createTagInput.body["~standard"].validate(sent, { libraryOptions: { unknown: "strip" } })).toEqual({
      issues: issues.slice(0, 1),
    });
  });

  it("reports all issues of an input", () => {
    const { validate } = createTagInput["~standard"];
    expect(validate({ body: { label: "" } })).toEqual({
      issues: [{ message: "must be 3 to 50 characters", path: ["body", "label"] }],
    });
    expect(validate({})).toEqual({ issues: [{ message: "is required", path: ["body"] }] });
    expect(validate(1)).toEqual({ issues: [{ message: "must be an object", path: [] }] });
  });
});

const draft2020 = createUserAjv();
const draft07 = new Ajv.Ajv({ strict: false, validateFormats: false, ownProperties: true });

/** OpenAPI 3.0 has the bounds of draft 04, which Ajv has not. */
const compilers = {
  "draft-2020-12": (schema: object) => draft2020.compile(schema),
  "draft-07": (schema: object) => draft07.compile(schema),
  "openapi-3.0": (schema: object) => draft07.compile(withNumericBounds(schema)),
};

function withNumericBounds(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, value: Readonly<Record<string, unknown>> | null) => {
    if (value?.["exclusiveMinimum"] !== true && value?.["exclusiveMaximum"] !== true) return value;
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = value;
    return {
      ...rest,
      [exclusiveMinimum === true ? "exclusiveMinimum" : "minimum"]: minimum,
      [exclusiveMaximum === true ? "exclusiveMaximum" : "maximum"]: maximum,
    };
  }) as object;
}

/** References of generated schemas are to named schemas. Of the optional cases, Ajv fails some. */
function refersToDefinitions({ name, schema }: Case): boolean {
  if (name.startsWith("optional/") || typeof schema !== "object") return false;
  const text = JSON.stringify(schema);
  return !/"\$(?:id|anchor|dynamic\w+|schema)":/.test(text) && !/"\$ref":"(?!#\/\$defs\/\w+")/.test(text);
}
