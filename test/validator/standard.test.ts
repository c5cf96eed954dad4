import type { Instance } from "@cloud-compute/validator";
import * as standard from "@cloud-compute/validator/standard";
import { sValidator } from "@hono/standard-validator";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { initTRPC } from "@trpc/server";
import Ajv from "ajv";
import { Hono } from "hono";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createUserAjv } from "../support/ajv.js";

const { createTagInput, DomainSchema, InstanceSchema, listInstancesInput } = standard;

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
  }).createCaller({});

  it("accepts an input, and types it", async () => {
    expect(await caller.createTag({ body: { label: "web" } })).toBe("web");
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

  it("describes each input and named schema for both drafts", () => {
    const schemas = Object.values<StandardJSONSchemaV1>(standard);
    const draft07 = new Ajv.Ajv({ strict: false, validateFormats: false });
    const draft2020 = createUserAjv();
    expect(schemas.length).toBeGreaterThan(200);
    const rejected = new Set<string>();
    for (const schema of schemas) {
      const { jsonSchema } = schema["~standard"];
      expect(() => draft2020.compile(jsonSchema.input({ target: "draft-2020-12" }))).not.toThrow();
      try {
        draft07.compile(jsonSchema.input({ target: "draft-07" }));
      } catch (error) {
        rejected.add((error as Error).message);
      }
    }
    // Only the later draft can state how many items match.
    expect([...rejected]).toEqual(["Draft 07 has no keyword maxContains. Ask for draft-2020-12."]);
    expect(() => DomainSchema["~standard"].jsonSchema.input({ target: "openapi-3.0" })).toThrow("Unsupported target");
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
