import { rm } from "node:fs/promises";
import validatorGenerator from "@plumbline/generators/validator";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import type { inputOf as InputOf, Operation } from "@plumbline/server-runtime/validator";
import type { AjvValidator } from "@plumbline/server-runtime/validator/ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createUserAjv } from "../support/ajv.js";
import { placeScripts, validatedServers, type ValidatorAdapters } from "../support/generated-validator.js";
import { unremovedFolder } from "../support/places.js";

const dateTime = "{type: string, format: date-time}";

const description = `openapi: 3.1.0
info: {title: Visits, version: 1.0.0}
servers: [{url: https://visits.example}]
paths:
  /visits/{from}:
    post:
      operationId: addVisit
      parameters:
        - {name: from, in: path, required: true, schema: ${dateTime}}
        - {name: since, in: query, schema: {type: string, format: date-time, default: '2020-01-01T00:00:00Z'}}
        - {name: days, in: query, explode: false, schema: {type: array, items: ${dateTime}}}
        - {name: x-seen, in: header, schema: ${dateTime}}
        - {name: last, in: cookie, schema: ${dateTime}}
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/Visit'}}
          multipart/form-data: {schema: {type: object, properties: {at: ${dateTime}, photo: {type: string, format: binary}, visit: {$ref: '#/components/schemas/Visit'}}}}
          application/x-www-form-urlencoded: {schema: {type: object, properties: {at: {type: array, items: ${dateTime}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {at: ${dateTime}}}}}}}
components:
  schemas:
    Visit:
      allOf:
        - {$ref: '#/components/schemas/Base'}
        - {type: object, required: [at], properties: {at: ${dateTime}, end: {type: [string, 'null'], format: date-time, default: '2030-01-01T00:00:00Z'}}}
    Base:
      type: object
      properties:
        day: {type: string, format: date}
        next: {$ref: '#/components/schemas/Visit'}
        notes: {type: object, additionalProperties: ${dateTime}}
        source: {oneOf: [{$ref: '#/components/schemas/Day'}, {$ref: '#/components/schemas/Word'}], discriminator: {propertyName: kind}}
        either: {anyOf: [${dateTime}, {type: string, maxLength: 40}]}
        if: {type: object, if: {required: [b], properties: {b: {}}}, then: {properties: {'a~/b': ${dateTime}}}}
    Day: {type: object, required: [kind, v], properties: {kind: {const: Day}, v: ${dateTime}}}
    Word: {type: object, required: [kind, v], properties: {kind: {const: Word}, v: {type: string}}}
`;

interface Visit {
  readonly at: Date;
}

/** What the generated package exports. */
interface Generated extends ValidatorAdapters {
  readonly addVisit: Operation<{ readonly body: Visit }>;
  readonly inputOf: typeof InputOf;
  readonly ajvValidator: (ajv: ReturnType<typeof createUserAjv>) => AjvValidator;
}

let folder: string;
let generated: Generated;
beforeAll(async () => {
  folder = await unremovedFolder();
  const files = await testGenerator(validatorGenerator, { description, config: { dates: "Date", ajv: true } });
  const { load, adapters } = await placeScripts(folder, files);
  generated = { ...adapters, ...(await load("gen/ajv")), ...(await load("index")) } as unknown as Generated;
});
afterAll(() => rm(folder, { recursive: true }));

/** Responds with the input, in which each `Date` has a sign. */
const servers = validatedServers(
  () => generated,
  async (request) => ({
    input: marked(generated.inputOf(generated.addVisit, request)),
    own: marked(await bodyOf(request)),
  }),
);

/** What the framework itself has as the body: that of Hono's context, or of the request. */
async function bodyOf(request: object): Promise<unknown> {
  const { req = request } = request as { readonly req?: object };
  return "json" in req ? (req as Request).json().catch(() => null) : (request as { readonly body?: unknown }).body;
}

function marked(value: unknown): unknown {
  if (value instanceof Date) return `Date ${value.toISOString()}`;
  if (value instanceof Blob) return "a file";
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, marked(each)]));
}

const spaced = "2026-01-31 12:00:00Z";
const at = "2026-01-31T12:00:00Z";
const date = "Date 2026-01-31T12:00:00.000Z";
const end = "Date 2030-01-01T00:00:00.000Z";

const rejected = (field: string) => [
  400,
  { errors: [{ field, reason: "must be a date and time such as 2026-01-31T12:00:00Z" }] },
];

/** Bodies, and their values. */
const bodies: readonly (readonly [body: object, value: object])[] = [
  [{ at }, { at: date, end }],
  [{ at: "2026-01-31T14:00:00.1239+02:00" }, { at: "Date 2026-01-31T12:00:00.123Z", end }],
  [{ at: "2016-12-31t23:59:60z" }, { at: "Date 2016-12-31T23:59:59.000Z", end }],
  [{ at: "0000-01-01T00:00:00+23:59" }, { at: "Date -000001-12-31T00:01:00.000Z", end }],
  [
    { at, end: null, day: "2026-01-31" },
    { at: date, end: null, day: "2026-01-31" },
  ],
  [
    { at, next: { at, next: { at } } },
    { at: date, next: { at: date, next: { at: date, end }, end }, end },
  ],
  [
    { at, notes: { a: at, ["__proto__"]: at } },
    { at: date, notes: { a: date, ["__proto__"]: date }, end },
  ],
  [
    { at, source: { kind: "Day", v: at } },
    { at: date, source: { kind: "Day", v: date }, end },
  ],
  [
    { at, source: { kind: "Word", v: at } },
    { at: date, source: { kind: "Word", v: at }, end },
  ],
  [
    { at, either: at, other: at },
    { at: date, either: at, other: at, end },
  ],
];

describe.each(Object.entries(servers))("dates in %s", (name, start) => {
  it("are those of a body of JSON", async () => {
    const port = await start({});
    for (const [body, value] of bodies) {
      const own = name === "hono" || name === "fetch" ? body : value;
      expect(await send(port, body)).toEqual([
        200,
        { input: { path: { from: date }, query: { since: sinceDefault }, headers: {}, cookies: {}, body: value }, own },
      ]);
    }
  });

  it("are those of parameters", async () => {
    const port = await start({});
    const headers = { "x-seen": at, cookie: `last=${at}` };
    const [status, { input }] = await send(port, undefined, { query: `?since=${at}&days=${at},${at}`, headers });
    expect([status, input]).toEqual([
      200,
      {
        path: { from: date },
        query: { since: date, days: [date, date] },
        headers: { "x-seen": date },
        cookies: { last: date },
      },
    ]);
  });

  it("are those of forms", async () => {
    const port = await start({});
    const form = new FormData();
    form.append("at", at);
    form.append("photo", new Blob(["x"]), "a.png");
    form.append("visit", JSON.stringify({ at }));
    const bodyOfForm = async (sent: FormData | URLSearchParams) => (await send(port, sent))[1].input?.body;
    expect(await bodyOfForm(form)).toEqual({ at: date, photo: "a file", visit: { at: date, end } });
    expect(await bodyOfForm(new URLSearchParams([["at", at]]))).toEqual({ at: [date] });
  });

  it("are valid", async () => {
    const port = await start({});
    expect(await send(port, { at: "2026-02-30T12:00:00Z" })).toEqual(rejected("at"));
    expect(await send(port, { at: "2016-12-31T23:58:60Z" })).toEqual(rejected("at"));
    expect(await send(port, { at, next: { at: "now" } })).toEqual(rejected("next.at"));
    expect(await send(port, undefined, { query: "?since=now" })).toEqual(rejected("since"));
    // Only a condition says that this is a date, and its type does.
    expect(await send(port, { at, if: { "a~/b": at, b: 1 } })).toMatchObject([200, {}]);
    expect(await send(port, { at, if: { "a~/b": "now" } })).toEqual(rejected("if.a~/b"));
  });

  it("are texts in responses", async () => {
    const port = await validatedServers(
      () => generated,
      (request) => ({ at: generated.inputOf(generated.addVisit, request).body.at }),
    )[name as keyof typeof servers]({ validateResponses: "enforce" });
    expect(await send(port, { at })).toEqual([200, { at: "2026-01-31T12:00:00.000Z" }]);
  });
});

it("a text that only another validator accepts is a 400 with its field", async () => {
  const { express } = generated.ajvValidator(createUserAjv());
  const port = await validatedServers(
    () => ({ ...generated, express }),
    () => ({}),
  ).express({});
  expect(await send(port, { at, next: { at } })).toEqual([200, {}]);
  // `ajv-formats` accepts a space.
  expect(await send(port, { at: spaced })).toEqual(rejected("at"));
  expect(await send(port, { at, next: { at: spaced } })).toEqual(rejected("next.at"));
  expect(await send(port, { at, if: { "a~/b": spaced, b: 1 } })).toEqual(rejected("if.a~/b"));
  expect(await send(port, undefined, { query: `?since=${encodeURIComponent(spaced)}` })).toEqual(rejected("since"));
});

it("a call without a server converts a copy", () => {
  const body = { at, next: { at } };
  const results = [1, 2].map(() => generated.addVisit.body(body));
  for (const result of results) expect(result).toMatchObject({ ok: true, input: { at: new Date(at) } });
  expect(body).toEqual({ at, next: { at } });
});

const sinceDefault = "Date 2020-01-01T00:00:00.000Z";

interface Sent {
  readonly input?: { readonly body?: unknown };
}

async function send(
  port: number,
  body: object | undefined,
  { query = "", headers = {} }: { readonly query?: string; readonly headers?: Record<string, string> } = {},
): Promise<readonly [number, Sent]> {
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  const response = await fetch(`http://127.0.0.1:${port}/visits/${at}${query}`, {
    method: "POST",
    headers: { ...headers, ...(!isForm && body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  return [response.status, (await response.json()) as Sent];
}
