import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { bundleClient, generateFiles, loadClient } from "../support/generated-client.js";
import { startLoopback, type Loopback } from "../support/loopback.js";

const json = (schema: string) => `content: {application/json: {schema: ${schema}}}`;
const ref = (name: string) => `{$ref: '#/components/schemas/${name}'}`;

const description = `openapi: 3.1.0
info: {title: Events, version: 1.0.0}
servers: [{url: https://events.example}]
security: []
x-lists: {pages: {page: page, size: size, envelope: {items: items, page: page, pages: pages, total: total}}}
paths:
  /events:
    get:
      operationId: listEvents
      tags: [events]
      parameters:
        - {name: page, in: query, schema: {type: integer, format: int64}}
        - {name: size, in: query, schema: {type: integer, format: int64}}
        - {name: since, in: query, schema: {type: string, format: date-time}}
        - {name: ids, in: query, schema: {type: array, items: {type: integer, format: int64}}}
        - {name: range, in: query, content: {application/json: {schema: {type: object, properties: {from: {type: string, format: date-time}, id: {type: integer, format: int64}}}}}}
        - {name: X-Until, in: header, schema: {type: string, format: date-time}}
        - {name: deep, in: query, style: deepObject, explode: true, schema: {type: object, properties: {at: {type: string, format: date-time}}}}
      responses:
        '200': {description: A page., ${json(ref("Page"))}}
    post:
      operationId: createEvent
      tags: [events]
      requestBody: {required: true, ${json(ref("Event"))}}
      responses:
        '201': {description: It., ${json(ref("Event"))}}
        '202': {description: Its id., ${json("{type: integer, format: int64}")}}
        '409': {description: There., ${json("{type: object, required: [at, id], properties: {at: {type: string, format: date-time}, id: {type: integer, format: int64}}}")}}
        default: {description: No., ${json("{type: object, properties: {at: {type: string}}}")}}
  /events/{id}/{at}:
    get:
      operationId: getEvent
      tags: [events]
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, format: int64}}
        - {name: at, in: path, required: true, schema: {type: string, format: date-time}}
      responses: {'200': {description: It., ${json(ref("Event"))}}, '404': {description: No.}}
  /form:
    post:
      operationId: sendForm
      tags: [events]
      requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: ${ref("Form")}}, multipart/form-data: {schema: ${ref("Form")}}}}
      responses: {'204': {description: Done.}}
  /stream:
    get:
      operationId: streamEvents
      tags: [events]
      responses: {'200': {description: All., content: {application/jsonl: {itemSchema: ${ref("Event")}}}}}
components:
  schemas:
    Page:
      type: object
      required: [items, pages]
      properties: {items: {type: array, items: ${ref("Event")}}, page: {type: integer, format: int64}, pages: {type: integer, format: int64}, total: {type: integer, format: int64}}
    Form: {type: object, properties: {at: {type: string, format: date-time}, id: {type: integer, format: int64}, event: ${ref("Event")}}}
    Event:
      type: object
      required: [id, at]
      properties:
        id: {type: integer, format: int64}
        at: {type: string, format: date-time}
        day: {type: string, format: date}
        small: {type: integer, format: int64, minimum: 0, maximum: 100}
        ended: {type: [string, 'null'], format: date-time}
        text: {type: string}
        times: {type: object, additionalProperties: {type: string, format: date-time}}
        pair: {type: array, prefixItems: [{type: string, format: date-time}, {type: integer, format: int64}], minItems: 2, maxItems: 2, items: false}
        children: {type: array, items: ${ref("Event")}}
        base: {allOf: [${ref("Base")}, {properties: {until: {type: string, format: date-time}}}]}
        source: {oneOf: [${ref("Clock")}, ${ref("Note")}], discriminator: {propertyName: kind, mapping: {clock: '#/components/schemas/Clock', note: '#/components/schemas/Note'}}}
        mark: {oneOf: [${ref("Clock")}, ${ref("Note")}]}
        either: {anyOf: [{type: object, properties: {when: {type: string, format: date-time}}}, {type: object, properties: {when: {type: string}}}]}
        unclear: {anyOf: [${ref("Open")}, {type: object, properties: {text: {type: string}}}]}
        a/b~c: {type: string, format: date-time}
    Base: {type: object, properties: {from: {type: string, format: date-time}}}
    Open: {type: object, properties: {opened: {type: string, format: date-time}}}
    Clock: {type: object, required: [kind, value], properties: {kind: {const: clock}, value: {type: string, format: date-time}}}
    Note: {type: object, required: [kind, value], properties: {kind: {const: note}, value: {type: string}}}
`;

type Call = (client: unknown, request?: unknown, options?: unknown) => Promise<unknown>;
interface Events {
  readonly createClient: (options: { readonly baseUrl: string }) => unknown;
  readonly listEvents: Call;
  readonly createEvent: Call;
  readonly getEvent: Call;
  readonly sendForm: Call;
  readonly streamEvents: (client: unknown, request: unknown) => Promise<AsyncIterable<unknown>>;
  readonly paginateList: (list: Call, client: unknown, request: unknown) => AsyncIterable<unknown>;
  readonly withResponse: (pending: Promise<unknown>) => Promise<{ readonly data: unknown }>;
}

interface Started {
  readonly api: Events;
  readonly client: unknown;
  readonly server: Loopback;
}

let loaded: Promise<Events> | undefined;

async function start(): Promise<Started> {
  loaded ??= loadClient<Events>(description, { dates: "Date", integers: "bigint" });
  const api = await loaded;
  const server = await startLoopback();
  onTestFinished(server.close);
  return { api, client: api.createClient({ baseUrl: server.url }), server };
}

const respond = (body: string, status = 200) => ({ status, headers: { "content-type": "application/json" }, body });
const failure = async (pending: Promise<unknown>): Promise<Record<string, unknown>> =>
  pending.then(
    (value) => ({ value }),
    (error: Record<string, unknown>) => error,
  );

async function itemsOf(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

const at = new Date("2024-02-29T12:00:00.123Z");
const big = 9_223_372_036_854_775_807n;

const event = {
  id: big,
  at,
  day: "2024-02-29",
  small: 5,
  ended: null,
  text: "2024-02-29T12:00:00Z",
  times: { a: at },
  pair: [at, -big - 1n],
  children: [{ id: 1n, at }],
  base: { from: at, until: at },
  source: { kind: "clock", value: at },
  mark: { kind: "note", value: "2024-02-29T12:00:00Z" },
  either: { when: "2024-02-29T12:00:00Z" },
  unclear: { opened: at },
  "a/b~c": at,
};
const iso = "2024-02-29T12:00:00.123Z";
const text = `{"id":9223372036854775807,"at":"${iso}","day":"2024-02-29","small":5,"ended":null,"text":"2024-02-29T12:00:00Z","times":{"a":"${iso}"},"pair":["${iso}",-9223372036854775808],"children":[{"id":1,"at":"${iso}"}],"base":{"from":"${iso}","until":"${iso}"},"source":{"kind":"clock","value":"${iso}"},"mark":{"kind":"note","value":"2024-02-29T12:00:00Z"},"either":{"when":"2024-02-29T12:00:00Z"},"unclear":{"opened":"${iso}"},"a/b~c":"${iso}"}`;

describe("values of a client with dates and bigint", () => {
  it("are converted in bodies, in both directions", async () => {
    const { api, client, server } = await start();
    server.answer(respond(text, 201));
    expect(await api.createEvent(client, { body: event })).toEqual(event);
    expect(server.last().body).toBe(text);
    expect(server.last().headers["accept"]).toBe("application/json, */*;q=0.5");
    const { data } = await api.withResponse(api.createEvent(client, { body: event }));
    expect(data).toEqual(event);
    server.answer(respond("9007199254740993", 202));
    expect(await api.createEvent(client, { body: event })).toBe(9_007_199_254_740_993n);
  });

  it("are converted in parameters", async () => {
    const { api, client, server } = await start();
    server.answer(respond('{"items":[],"pages":1}'));
    const query = { page: 1, since: at, ids: [big, 1n], range: { from: at, id: big }, deep: { at } };
    await api.listEvents(client, { query, headers: { "X-Until": at } });
    const url = new URL(server.last().line.split(" ")[1] ?? "", server.url);
    expect([...url.searchParams]).toEqual([
      ["page", "1"],
      ["since", iso],
      ["ids", String(big)],
      ["ids", "1"],
      ["range", `{"from":"${iso}","id":${big}}`],
      ["deep[at]", iso],
    ]);
    expect(server.last().headers["x-until"]).toBe(iso);
    server.answer(respond(text));
    await api.getEvent(client, { path: { id: big, at } });
    expect(server.last().line).toBe(`GET /events/${big}/${encodeURIComponent(iso)}`);
  });

  it("are converted in forms", async () => {
    const { api, client, server } = await start();
    server.answer({ status: 204 });
    await api.sendForm(client, { body: { at, id: big, event: { id: big, at } } });
    expect([...new URLSearchParams(server.last().body)]).toEqual([
      ["at", iso],
      ["id", String(big)],
      ["event", `{"id":${big},"at":"${iso}"}`],
    ]);
    await api.sendForm(client, { contentType: "multipart/form-data", body: { at, id: big, event: { id: big, at } } });
    expect(server.last().body).toContain(
      `name="event"\r\nContent-Type: application/json\r\n\r\n{"id":${big},"at":"${iso}"}\r\n`,
    );
  });

  it("are converted in streams and pages", async () => {
    const { api, client, server } = await start();
    server.answer({ status: 200, headers: { "content-type": "application/jsonl" }, body: `${text}\n${text}\n` });
    expect(await itemsOf(await api.streamEvents(client, {}))).toEqual([event, event]);
    server.answer(respond(`{"items":[${text}],"page":1,"pages":1,"total":9007199254740993}`));
    expect(await itemsOf(api.paginateList(api.listEvents, client, {}))).toEqual([event]);
    expect(await api.listEvents(client, {})).toEqual({
      items: [event],
      page: 1,
      pages: 1,
      total: 9_007_199_254_740_993n,
    });
  });

  it("are converted in errors, which stay what they are if that fails", async () => {
    const { api, client, server } = await start();
    server.answer(respond(`{"at":"${iso}","id":9007199254740993}`, 409));
    const pending = api.createEvent(client, { body: event });
    expect(await failure(pending)).toMatchObject({
      code: "http",
      status: 409,
      body: { at, id: 9_007_199_254_740_993n },
    });
    expect((pending as { response?: Response }).response?.status).toBe(409);
    server.answer(respond('{"at":"soon","id":1}', 409));
    expect(await failure(api.createEvent(client, { body: event }))).toMatchObject({
      code: "http",
      body: { at: "soon", id: 1n },
    });
    server.answer(respond(`{"at":"${iso}"}`, 500));
    expect(await failure(api.createEvent(client, { body: event }))).toMatchObject({ status: 500, body: { at: iso } });
  });

  it.each([
    ['{"id":1,"at":"2023-02-29T00:00:00Z"}', "/at is not a date-time of RFC 3339"],
    ['{"id":1,"at":"2024-01-01"}', "/at is not a date-time of RFC 3339"],
    [`{"id":1,"at":"${iso}","a/b~c":"x"}`, "/a~1b~0c is not a date-time of RFC 3339"],
    [`{"id":1.5,"at":"${iso}"}`, "/id is not an integer"],
    [`{"id":9223372036854775808,"at":"${iso}"}`, "/id is an integer beyond 64 bits"],
    [`{"id":1,"at":"${iso}","children":[{"id":1e400,"at":"${iso}"}]}`, "/children/0/id is an integer beyond 64 bits"],
    [`{"id":1,"at":"${iso}","source":{"kind":"clock","value":"x"}}`, "/source/value is not a date-time of RFC 3339"],
    ["{", "not JSON"],
  ])("%s is an error", async (body, message) => {
    const { api, client, server } = await start();
    server.answer(respond(body, 201));
    const error = await failure(api.createEvent(client, { body: event }));
    expect(error).toMatchObject({ code: "decode", status: 201 });
    expect(String(error["message"])).toContain(message);
  });

  it("nested deeper than the stack allows are an error", async () => {
    const { api, client, server } = await start();
    server.answer(respond(`${'{"children":['.repeat(20_000)}${"]}".repeat(20_000)}`, 201));
    const error = await failure(api.createEvent(client, { body: event }));
    expect(error).toMatchObject({ code: "decode", status: 201 });
    expect(String(error["message"])).toContain("nests too deeply");
  });

  it.each([
    [{ id: 1n, at: new Date(Number.NaN) }, "body at /at is an invalid Date"],
    [{ id: 1n, at: new Date("+010000-01-01T00:00:00Z") }, "body at /at is an invalid Date"],
    [{ id: 2n ** 63n, at }, "body at /id is an integer beyond 64 bits"],
    [{ id: 1.5, at }, "body at /id is a number that is not an exact integer"],
    [{ id: 1n, at: "now" }, "body at /at is not a date-time"],
  ])("%o is not sent", async (body, message) => {
    const { api, client } = await start();
    const error = await failure(api.createEvent(client, { body }));
    expect(error).toMatchObject({ code: "request", status: 0 });
    expect(String(error["message"])).toContain(message);
  });

  it("say in types what they are", async () => {
    const { files } = await generateFiles(description, { dates: "Date", integers: "bigint" });
    const types = files["src/gen/types.ts"] ?? "";
    const lines = types.split("\n").filter((line) => /^  [\w"/~?]+.*;$/.test(line));
    expect(lines).toEqual(
      expect.arrayContaining([
        "  id: bigint;",
        "  at: globalThis.Date;",
        "  day?: string;",
        "  small?: number;",
        "  pages: number;",
      ]),
    );
    expect(types).toContain("unclear?:");
  });

  it("cost what they need, and nothing without the options", async () => {
    const use =
      'import { createClient, getEvent } from "./src/index.js"; console.log(getEvent(createClient({}), { path: { id: 1, at: "" } } as never));';
    const bytes = async (config: Parameters<typeof generateFiles>[1]): Promise<number> =>
      gzipSync(await bundleClient((await generateFiles(description, config)).folder, use, true), { level: 9 }).length;
    const plain = await bytes({});
    const dates = (await bytes({ dates: "Date" })) - plain;
    const both = (await bytes({ dates: "Date", integers: "bigint" })) - plain;
    expect(dates).toBeGreaterThan(1000);
    expect(dates).toBeLessThanOrEqual(1720);
    expect(both - dates).toBeGreaterThan(300);
    expect(both - dates).toBeLessThanOrEqual(550);
  });
});

describe("random values of random schemas", () => {
  it("arrive as they were sent", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(typed, { minLength: 1, maxLength: 6 }), async (fields) => {
        const properties = fields.map(({ schema }, index) => `f${index}: ${schema}`).join(", ");
        const random = `openapi: 3.1.0
info: {title: R, version: 1.0.0}
security: []
paths:
  /echo: {post: {operationId: echo, requestBody: {required: true, ${json(ref("R"))}}, responses: {'200': {description: Same., ${json(ref("R"))}}}}}
components: {schemas: {R: {type: object, properties: {${properties}, again: ${ref("R")}}}}}
`;
        const api = await loadClient<{ createClient: Events["createClient"]; echo: Call }>(random, {
          dates: "Date",
          integers: "bigint",
        });
        const server = await startLoopback();
        const own = Object.fromEntries(fields.map(({ value }, index) => [`f${index}`, value]));
        const body = { ...own, again: { ...own, again: own } };
        const client = api.createClient({ baseUrl: server.url });
        try {
          await api.echo(client, { body }).catch(() => {});
          server.answer(respond(server.last().body));
          expect(await api.echo(client, { body })).toEqual(body);
        } finally {
          await server.close();
        }
      }),
      { numRuns: 25 },
    );
  });
});

interface Typed {
  readonly schema: string;
  readonly value: unknown;
}

const scalar: fc.Arbitrary<Typed> = fc.oneof(
  fc
    .date({ min: new Date("0000-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
    .map((value) => ({ schema: "{type: string, format: date-time}", value })),
  fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .map((value) => ({ schema: "{type: integer, format: int64}", value })),
  fc.string().map((value) => ({ schema: "{type: string}", value })),
  fc.integer().map((value) => ({ schema: "{type: integer}", value })),
  fc.constant({ schema: "{type: [string, 'null'], format: date-time}", value: null }),
  fc
    .date({ min: new Date(0), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true })
    .map((date) => ({ schema: "{type: string}", value: date.toISOString() })),
);

/** Schemas of one level inside of each other, with a value of each. */
const typed: fc.Arbitrary<Typed> = fc.letrec<{ typed: Typed }>((tie) => ({
  typed: fc.oneof(
    { maxDepth: 3 },
    scalar,
    tie("typed").map(({ schema, value }) => ({ schema: `{type: array, items: ${schema}}`, value: [value, value] })),
    tie("typed").map(({ schema, value }) => ({
      schema: `{type: object, additionalProperties: ${schema}}`,
      value: { a: value, "b/~": value },
    })),
    tie("typed").map(({ schema, value }) => ({
      schema: `{type: object, properties: {x: ${schema}, y: {type: string}}}`,
      value: { x: value, y: "y" },
    })),
    tie("typed").map(({ schema, value }) => ({
      schema: `{allOf: [{type: object, properties: {x: ${schema}}}, {type: object, properties: {z: {type: number}}}]}`,
      value: { x: value, z: 0.5 },
    })),
    tie("typed").map(({ schema, value }) => ({
      schema: `{oneOf: [{type: object, required: [t], properties: {t: {const: a}, v: ${schema}}}, {type: object, required: [t], properties: {t: {const: b}, v: {}}}]}`,
      value: { t: "a", v: value },
    })),
    tie("typed").map(({ schema, value }) => ({
      schema: `{anyOf: [{type: object, required: [w], properties: {w: ${schema}}}, {type: 'null'}]}`,
      value: { w: value },
    })),
  ),
})).typed;
