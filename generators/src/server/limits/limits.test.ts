import { DiagnosticsError } from "@plumbline/kit/model";
import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { artifact, textOfFile } from "../generate-server.support.js";
import { emitServerLimits } from "./limits.js";

test("limits of operations have a constant each, and are asked before them", async () => {
  const limits = `[
    {id: pet-creates, kind: rate, max: 10, window: PT30S, per: $caller.user, error: slow-down},
    {id: pet-jobs, kind: concurrency, max: 5, until: {settled: $response.body#/id}},
    {id: picture-size, kind: bytes, max: 9, window: PT24H, error: too-large}]`;
  expect(await textOf({ operation: `x-limits: ${limits}` }))
    .toBe(`import type { BytesLimit, ConcurrencyLimit, OperationLimits, RateLimit } from "@plumbline/server-runtime";

/** The limits that the server enforces. */
export interface Limits {
  /**
   * At most 10 requests within 30 seconds per user; one more fails with \`slow-down\`.
   *
   * From spec/openapi.yaml#/paths/~1pets/post/x-limits/0
   */
  readonly petCreates: RateLimit;
  /**
   * At most 5 at a time per user.
   *
   * From spec/openapi.yaml#/paths/~1pets/post/x-limits/1
   */
  readonly petJobs: ConcurrencyLimit;
  /**
   * At most 9 bytes within 24 hours; more fails with \`too-large\`.
   *
   * From spec/openapi.yaml#/paths/~1pets/post/x-limits/2
   */
  readonly pictureSize: BytesLimit & { readonly windowSeconds: number };
}

export const limits: Limits = {
  petCreates: { kind: "rate", id: "pet-creates", max: 10, windowSeconds: 30, error: "slow-down" },
  petJobs: { kind: "concurrency", id: "pet-jobs", max: 5 },
  pictureSize: { kind: "bytes", id: "picture-size", max: 9, windowSeconds: 86400, error: "too-large" },
};

/** The limits of each operation, by name. */
export const operationLimits: Readonly<Record<string, OperationLimits>> = {
  createPet: {
    rates: [{ limit: limits.petCreates, per: { root: "caller", name: "user", pointer: [] } }],
    concurrency: [{ limit: limits.petJobs }],
    bytes: limits.pictureSize,
  },
};`);
});

test("limits of schemas and properties have a constant as well, except those that validation enforces", async () => {
  const text = await textOf({
    schemas: `
    Pet:
      type: object
      x-limits: [{id: pet-history, kind: retention, window: P1D, by: [born, sold]}, {id: pet-length, kind: serialized-length, max: 9}]
      properties:
        name: {type: string, x-limits: [{id: pet-names, kind: unique, within: account}]}
        photos: {type: array, items: {type: string}, x-limits: [{id: photos-kept, kind: retention, max: 3, within: parent}, {id: photos-newest, kind: retention, max: 2, within: array}, {id: photos-differ, kind: unique, within: array}]}`,
  });
  expect(text.split("\n\n").slice(1)).toEqual([
    `/** The limits that the server enforces. */
export interface Limits {
  /**
   * Kept for 1 day after \`born\` and \`sold\`.
   *
   * From spec/openapi.yaml#/components/schemas/Pet/x-limits/0
   */
  readonly petHistory: RetentionLimit & { readonly windowSeconds: number };
  /**
   * \`name\` of a pet is unique within the account.
   *
   * From spec/openapi.yaml#/components/schemas/Pet/properties/name/x-limits/0
   */
  readonly petNames: UniqueLimit;
  /**
   * The latest 3 of each parent are kept.
   *
   * From spec/openapi.yaml#/components/schemas/Pet/properties/photos/x-limits/0
   */
  readonly photosKept: RetentionLimit & { readonly max: number };
  /**
   * The latest 2 of each list are kept.
   *
   * From spec/openapi.yaml#/components/schemas/Pet/properties/photos/x-limits/1
   */
  readonly photosNewest: RetentionLimit & { readonly max: number };
}`,
    `export const limits: Limits = {
  petHistory: { kind: "retention", id: "pet-history", windowSeconds: 86400, by: ["born", "sold"] },
  petNames: { kind: "unique", id: "pet-names", resource: "Pet", by: ["name"], within: "account" },
  photosKept: { kind: "retention", id: "photos-kept", max: 3, within: "parent" },
  photosNewest: { kind: "retention", id: "photos-newest", max: 2 },
};`,
    `/** The limits of each operation, by name. */
export const operationLimits: Readonly<Record<string, OperationLimits>> = {};`,
  ]);
});

describe("a unique key is asked for before an operation", () => {
  const pet =
    "Pet: {type: object, x-limits: [{id: pet-names, kind: unique, by: [name, kind], within: account, error: name-taken}], properties: {name: {}, kind: {}}}";
  const failing = "x-errors: [{id: name-taken, status: 400}]";
  const taking = (schema: string): string => `requestBody: {content: {application/json: {schema: ${schema}}}}`;
  const key = "{properties: {name: {}, kind: {}, age: {}}}";
  const isAsked = async (operation: string, { more = "", rest = "" } = {}): Promise<boolean> =>
    (await textOf({ operation, schemas: `\n    ${pet}\n    ${more}`, rest })).includes(
      "createPet: { unique: [limits.petNames] }",
    );

  test("that takes the key and can fail so", async () => {
    expect(await isAsked(`${taking(key)}, ${failing}`)).toBe(true);
    expect(await isAsked(`${taking("{properties: {name: {}, age: {}}}")}, ${failing}`)).toBe(false);
    expect(await isAsked(taking(key))).toBe(false);
    expect(await isAsked(`${taking("{required: [name, kind]}")}, ${failing}`)).toBe(false);
    expect(await isAsked(failing)).toBe(false);
  });

  test("that can fail so as all others can", async () => {
    expect(await isAsked(taking(key), { rest: failing })).toBe(true);
  });

  test("that takes what is within a field", async () => {
    const within = pet.replace("[name, kind]", "[owner/name]");
    const asked = async (body: string) =>
      textOf({ operation: `${taking(body)}, ${failing}`, schemas: `\n    ${within}` });
    expect(await asked("{properties: {owner: {properties: {name: {}}}}}")).toContain("createPet: { unique:");
    expect(await asked("{properties: {owner: {}, name: {}}}")).not.toContain("createPet: { unique:");
  });

  test("whose body has it in parts", async () => {
    const parts = "{allOf: [{$ref: '#/components/schemas/Named'}, {properties: {kind: {}}}]}";
    const operation = `${taking(parts)}, ${failing}`;
    expect(await isAsked(operation, { more: "Named: {properties: {name: {}}}" })).toBe(true);
    expect(await isAsked(operation, { more: "Named: {properties: {alias: {}}}" })).toBe(false);
    expect(await isAsked(operation, { more: "Named: {allOf: [{$ref: '#/components/schemas/Named'}]}" })).toBe(false);
  });
});

test("the same limit of several operations is one", async () => {
  const limit = "x-limits: [{id: writes, kind: rate, max: 1, window: PT1S}]";
  const text = await textOf({ operation: limit, put: limit });
  expect(text).toContain(
    'export const limits: Limits = { writes: { kind: "rate", id: "writes", max: 1, windowSeconds: 1 } };',
  );
  expect(text).toContain(`{
  createPet: { rates: [{ limit: limits.writes }] },
  putPet: { rates: [{ limit: limits.writes }] },
};`);
});

test("operations without a path have limits too", async () => {
  const photo = `
  pathItems:
    photo: {put: {operationId: putPhoto, x-limits: [{id: photo-size, kind: bytes, max: 9}], responses: {'200': {description: ok}}}}`;
  expect(await textOf({ schemas: ` {}${photo}` })).toContain("{ putPhoto: { bytes: limits.photoSize } };");
});

test.each([
  [
    "{id: a-1, kind: bytes, max: 1}, {id: a1, kind: bytes, max: 1}",
    'names/collision The limits "a-1" and "a1" are both called a1.',
  ],
  ["{id: 1-a, kind: bytes, max: 1}", 'names/unusable No name can be derived from the limit "1-a".'],
  ["{id: a, kind: unique, within: user, by: [b]}", 'names/unusable The limit "a" does not belong to a named schema.'],
])("%s has no good name", async (limits, diagnostic) => {
  expect(await emitDiagnostics(`x-limits: [${limits}]`)).toEqual([diagnostic]);
});

interface Description {
  /** Keys of the operation `createPet`. */
  readonly operation?: string;
  /** Keys of the operation `putPet`, if there is one. */
  readonly put?: string;
  readonly schemas?: string;
  readonly rest?: string;
}

/** Emits `limits.ts` of an API that can create a pet. */
async function textOf({ operation = "", put, schemas = " {}", rest = "" }: Description): Promise<string> {
  const replying = "responses: {'200': {description: ok}}";
  const post = `post: {operationId: createPet, ${replying}, ${operation}}`;
  const other = put === undefined ? "" : `, put: {operationId: putPet, ${replying}, ${put}}`;
  const api = await buildFixtureApi(
    withPaths(`/pets: {${post}${other}}`, `components:\n  schemas:${schemas}\n${rest}\n`),
  );
  return textOfFile(emitServerLimits(api, artifact));
}

async function emitDiagnostics(operation: string): Promise<readonly string[]> {
  try {
    return [await textOf({ operation })];
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return error.diagnostics.map(({ code, message }) => `${code} ${message}`);
  }
}
