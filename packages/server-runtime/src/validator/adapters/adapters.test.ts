import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AdapterServer } from "../../listen.support.js";
import { ajvInputOf, createAjvValidator } from "../ajv/index.js";
import { createAjv, petsSource } from "../ajv/pets-source.support.js";
import { adapters, adaptersOn, type Echo, type AdapterName } from "./adapters.support.js";
import { request, sendRaw } from "./raw-http.support.js";

const json = "Content-Type: application/json";
const rex = '{"name":"Rex"}';

interface Case {
  readonly name: string;
  readonly sends: readonly (string | Uint8Array)[];
  readonly gets: Expected;
  /** Where the platform responds first, and how. */
  readonly but?: Partial<Record<AdapterName, Expected & { readonly because: string }>>;
}

interface Expected {
  readonly status: number;
  readonly errors?: readonly { readonly field?: string; readonly reason: string }[];
  readonly echo?: Echo;
  readonly headers?: Readonly<Record<string, string>>;
  readonly because?: string;
}

const rejected = (status: number, reason: string, field?: string): Expected => ({
  status,
  errors: [field === undefined ? { reason } : { field, reason }],
});
const notFound = rejected(404, "Not found");
const accepted = (operation: string, input: unknown, body?: unknown): Expected => ({
  status: 200,
  echo: { operation, input, ...(body === undefined ? {} : { body }) },
});
const pet = (id: number) => accepted("getPet", { path: { petId: id } });
const list = accepted("listPets", { query: { page: 1 }, headers: {} });
const created = (body: unknown) => accepted("createPet", { body }, body);
const get = (target: string, ...headers: string[]) => [request(`GET ${target}`, headers)];
const post = (body: string | Uint8Array, ...headers: string[]) => [request("POST /v4/pets", headers, body)];
const chunked = (...chunks: string[]) => [
  request("POST /v4/pets", [json, "Transfer-Encoding: chunked"]),
  ...chunks.map((each) => `${Buffer.byteLength(each).toString(16)}\r\n${each}\r\n`),
  "0\r\n\r\n",
];

const wrongType = rejected(415, "Content-Type must be application/json or application/x-www-form-urlencoded");

const resolved = "the platform resolves dots before the handler runs";
const dots = (expected: Expected) => ({
  hono: { ...expected, because: resolved },
  fetch: { ...expected, because: resolved },
});

const paths: readonly Case[] = [
  { name: "a path", sends: get("/v4/pets/5"), gets: pet(5) },
  { name: "the other base path", sends: get("/v4beta/pets/5"), gets: pet(5) },
  { name: "an unknown path", sends: get("/v4/dogs"), gets: notFound },
  { name: "the base path alone", sends: get("/v4"), gets: notFound },
  { name: "an id that does not fit", sends: get("/v4/pets/abc"), gets: notFound },
  { name: "a hexadecimal id", sends: get("/v4/pets/0x10"), gets: notFound },
  { name: "an id beyond 2^53", sends: get("/v4/pets/9007199254740992"), gets: notFound },
  {
    name: "an undocumented method",
    sends: [request("PATCH /v4/pets/5")],
    gets: {
      ...rejected(405, "Method not allowed. Use GET, PUT, DELETE or HEAD"),
      headers: { allow: "GET, PUT, DELETE, HEAD" },
    },
  },
  {
    name: "OPTIONS",
    sends: [request("OPTIONS /v4/pets")],
    gets: {
      ...rejected(405, "Method not allowed. Use GET, POST or HEAD"),
      headers: { allow: "GET, POST, HEAD" },
    },
  },
  { name: "a trailing slash of a collection", sends: get("/v4/pets/"), gets: list },
  { name: "a trailing slash of an item", sends: get("/v4/pets/5/"), gets: notFound },
  { name: "two slashes at the end", sends: get("/v4/pets//"), gets: notFound },
  { name: "two slashes", sends: get("/v4//pets"), gets: notFound },
  { name: "two slashes before the base", sends: get("//v4/pets"), gets: notFound },
  { name: "another case", sends: get("/v4/Pets"), gets: notFound },
  { name: "another case of the base", sends: get("/V4/pets"), gets: notFound },
  { name: "an encoded letter", sends: get("/v4/%70ets"), gets: notFound },
  { name: "an encoded letter of the base", sends: get("/%764/pets"), gets: notFound },
  { name: "a doubly encoded letter of the base", sends: get("/%25764/pets"), gets: notFound },
  { name: "an encoded slash", sends: get("/v4%2Fpets"), gets: notFound },
  { name: "an encoded slash in an id", sends: get("/v4/pets/5%2F6"), gets: notFound },
  { name: "a doubly encoded slash", sends: get("/v4/images/private%252F5"), gets: notFound },
  { name: "a parameter of a segment", sends: get("/v4/pets;x/5"), gets: notFound },
  { name: "a parameter of the last segment", sends: get("/v4/pets/5;x=1"), gets: notFound },
  { name: "a parameter of the base", sends: get("/v4;x/pets"), gets: notFound },
  { name: "a dot", sends: get("/v4/./pets"), gets: notFound, but: dots(list) },
  { name: "a dot before the base", sends: get("/./v4/pets"), gets: notFound, but: dots(list) },
  { name: "two dots", sends: get("/v4/pets/../pets"), gets: notFound, but: dots(list) },
  { name: "encoded dots", sends: get("/v4/pets/%2e%2e/pets"), gets: notFound, but: dots(list) },
  { name: "doubly encoded dots", sends: get("/v4/images/%252e%252e"), gets: notFound },
  { name: "dots out of the base", sends: get("/v4/%2e%2e/v4/pets"), gets: notFound, but: dots(list) },
  {
    name: "malformed percent",
    sends: get("/v4/images/%zz"),
    gets: notFound,
    but: {
      fastify: { status: 400, because: "Fastify's router rejects it before any hook" },
    },
  },
  {
    name: "malformed UTF-8",
    sends: get("/v4/images/%ff"),
    gets: notFound,
    but: {
      fastify: { status: 400, because: "Fastify's router rejects it before any hook" },
    },
  },
  { name: "a null", sends: get("/v4/images/a%00"), gets: notFound },
  {
    name: "an id of two segments",
    sends: get("/v4/images/private/123"),
    gets: accepted("getImage", { path: { imageId: "private/123" } }),
  },
  {
    name: "an id of two segments, encoded",
    sends: get("/v4/images/private%2F123"),
    gets: accepted("getImage", { path: { imageId: "private/123" } }),
  },
  {
    name: "an id of one segment",
    sends: get("/v4/images/debian%2011"),
    gets: accepted("getImage", { path: { imageId: "debian 11" } }),
  },
  { name: "an id of three segments", sends: get("/v4/images/a/b/c"), gets: notFound },
  { name: "an id of three segments, encoded", sends: get("/v4/images/a%2Fb%2fc"), gets: notFound },
  { name: "an id with dots for a segment", sends: get("/v4/images/private%2F.."), gets: notFound },
  ...["a%2Fb", "a%2fb"].map((label): Case => ({
    name: `a label with an encoded slash, ${label}`,
    sends: get(`/v4/tags/${label}`),
    gets: accepted("getTag", { path: { label: "a/b" } }),
  })),
  {
    name: "a label that is an encoded slash at each end",
    sends: get("/v4/tags/%2Fa%2F"),
    gets: accepted("getTag", { path: { label: "/a/" } }),
  },
  { name: "a label with a slash", sends: get("/v4/tags/a/b"), gets: notFound },
  { name: "a label with a doubly encoded slash", sends: get("/v4/tags/a%252Fb"), gets: notFound },
  { name: "a label with dots between encoded slashes", sends: get("/v4/tags/a%2F..%2Fb"), gets: notFound },
  { name: "an absolute URL", sends: get("http://localhost/v4/pets/5"), gets: pet(5) },
  { name: "an absolute URL of another case", sends: get("http://localhost/V4/pets/5"), gets: notFound },
  { name: "a fragment", sends: get("/v4/pets/5#x"), gets: notFound },
  { name: "a path outside the base", sends: get("/health"), gets: { status: 200, echo: {} } },
  { name: "a path that begins like the base", sends: get("/v4x/pets"), gets: { status: 200, echo: {} } },
];

const queries: readonly Case[] = [
  { name: "no query", sends: get("/v4/pets"), gets: list },
  {
    name: "a query",
    sends: get("/v4/pets?page=2&tags=a+b+&tags=%2Bcd"),
    gets: accepted("listPets", { query: { page: 2, tags: ["a b ", "+cd"] }, headers: {} }),
  },
  {
    name: "several issues",
    sends: get("/v4/pets?page=0&tags=abc&tags=a", "X-Filter: {"),
    gets: {
      status: 400,
      errors: [
        { field: "page", reason: "must be 1 to 1000" },
        { field: "tags.1", reason: "must be 3 to 50 characters" },
        { field: "X-Filter", reason: "must be valid JSON" },
      ],
    },
  },
  {
    name: "a scalar twice",
    sends: get("/v4/pets?page=1&page=2"),
    gets: rejected(400, "must appear only once", "page"),
  },
  ...["0x10", "1e3", "1.0", "%201", "", "null", "Infinity", "01", "+1"].map((page): Case => ({
    name: `page=${page}`,
    sends: get(`/v4/pets?page=${page}`),
    gets: rejected(400, "must be an integer", "page"),
  })),
  {
    name: "an integer that a double cannot represent exactly",
    sends: get("/v4/pets?page=9007199254740992"),
    gets: rejected(400, "must be exactly representable, at most 9007199254740991", "page"),
  },
  {
    name: "malformed percent",
    sends: get("/v4/pets?a=%zz"),
    gets: rejected(400, "must be valid percent-encoded UTF-8"),
  },
  { name: "malformed UTF-8", sends: get("/v4/pets?%ff=1"), gets: rejected(400, "must be valid percent-encoded UTF-8") },
  {
    name: "names of prototypes",
    sends: get("/v4/pets?__proto__[page]=7&constructor=1&a[__proto__][b]=1&toString=1"),
    gets: list,
  },
  { name: "an index that would be sparse", sends: get("/v4/pets?tags[999999999]=abc"), gets: list },
  {
    name: "commas",
    sends: get(`/v4/pets?tags=${",".repeat(10_000)}`),
    gets: rejected(400, "must be 3 to 50 characters", "tags.0"),
  },
  {
    name: "too many parameters",
    sends: get(`/v4/pets?${"a&".repeat(1001)}`),
    gets: rejected(400, "must have at most 1000 entries"),
  },
  {
    name: "a header with a duplicate key",
    sends: get("/v4/pets", 'X-Filter: {"a":1,"a":2}'),
    gets: rejected(400, "must appear only once", "X-Filter"),
  },
  {
    name: "Accept of something else",
    sends: get("/v4/pets", "Accept: text/html"),
    gets: rejected(406, "Accept must allow application/json"),
  },
  {
    name: "Accept that excludes",
    sends: get("/v4/pets", "Accept: */*, application/json;q=0"),
    gets: rejected(406, "Accept must allow application/json"),
  },
  {
    name: "Accept of old programs",
    sends: get("/v4/pets", "Accept: text/html, image/gif, *; q=.2, */*; q=.2"),
    gets: list,
  },
  {
    name: "Accept of an operation whose responses have no body",
    sends: [request("POST /v4/pets/5/feed", ["Accept: text/html"])],
    gets: accepted("feedPet", { path: { petId: 5 } }),
  },
];

const types: readonly Case[] = [
  ...[
    "application/json; charset=utf-8",
    'Application/JSON;charset="UTF-8"',
    "application/json;",
    "application/json ;\tcharset=utf-8",
    "\tapplication/json",
  ].map((type): Case => ({
    name: `Content-Type: ${type}`,
    sends: post(rex, `Content-Type: ${type}`),
    gets: created({ name: "Rex" }),
  })),
  ...[
    "application/xml",
    "application/vnd.api+json",
    "text/plain",
    "application/json\ta",
    "application/json a; charset=utf-8",
    "application/json, text/plain",
    "application/json; charset=latin1",
    "application/json;charset=utf-8;charset=utf-8",
    "json",
    "application/",
    "*/*",
    "application/json; =",
    " ",
    "application/jsonx",
    "x application/json",
  ].map((type): Case => ({
    name: `Content-Type: ${type}`,
    sends: post(rex, `Content-Type: ${type}`),
    gets: /latin1/.test(type) ? rejected(415, "Content-Type must be application/json; charset=utf-8") : wrongType,
  })),
  { name: "two content types", sends: post(rex, json, "Content-Type: text/plain"), gets: wrongType },
  { name: "no content type", sends: post(rex), gets: wrongType },
  {
    name: "gzip",
    sends: post(rex, json, "Content-Encoding: gzip"),
    gets: rejected(415, "Content-Encoding is not supported"),
  },
  { name: "identity", sends: post(rex, json, "Content-Encoding: identity"), gets: created({ name: "Rex" }) },
];

const deep = (levels: number) => `{"name":"Rex","x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
const nested = (levels: number): unknown => (levels === 0 ? [] : [nested(levels - 1)]);
const sized = (length: number) => `{"name":"${"a".repeat(length - 11)}"}`;

const bodies: readonly Case[] = [
  { name: "a body", sends: post('{"name":"Rex","age":3}', json), gets: created({ name: "Rex", age: 3 }) },
  { name: "a body in chunks", sends: chunked('{"name"', ':"Rex"}'), gets: created({ name: "Rex" }) },
  {
    name: "all issues",
    sends: post('{"name":"R","age":1.5,"friends":[{"name":"Ida"},{}]}', json),
    gets: {
      status: 400,
      errors: [
        { field: "name", reason: "must be 3 to 20 characters" },
        { field: "age", reason: "must be an integer" },
        { field: "friends.1.name", reason: "is required" },
      ],
    },
  },
  {
    name: "an integer beyond 2^53",
    sends: post('{"name":"Rex","age":9007199254740993}', json),
    gets: rejected(400, "must be exactly representable, at most 9007199254740991", "age"),
  },
  {
    name: "at most 100 issues",
    sends: post(`{"name":"Rex","friends":[${Array(150).fill("{}").join()}]}`, json),
    gets: {
      status: 400,
      errors: Array.from({ length: 100 }, (_, index) => ({ field: `friends.${index}.name`, reason: "is required" })),
    },
  },
  {
    name: "no body where one is required",
    sends: [request("POST /v4/pets", ["Content-Length: 0", json])],
    gets: rejected(400, "is required"),
  },
  { name: "malformed JSON", sends: post("{", json), gets: rejected(400, "must be valid JSON") },
  { name: "JSON of words that are not JSON's", sends: post("NaN", json), gets: rejected(400, "must be valid JSON") },
  {
    name: "malformed UTF-8",
    sends: post(Buffer.from([0x22, 0xff, 0x22]), json),
    gets: rejected(400, "must be well-formed Unicode"),
  },
  { name: "a mark of byte order", sends: post(`\ufeff${rex}`, json), gets: rejected(400, "must be valid JSON") },
  {
    name: "half a surrogate pair",
    sends: post('{"name":"Rex\\ud800"}', json),
    gets: rejected(400, "must be well-formed Unicode", "name"),
  },
  { name: "64 levels", sends: post(deep(64), json), gets: created({ name: "Rex", x: nested(62) }) },
  { name: "65 levels", sends: post(deep(65), json), gets: rejected(400, "must not be nested deeper than 64 levels") },
  {
    name: "100,000 levels",
    sends: post("[".repeat(100_000) + "]".repeat(100_000), json),
    gets: rejected(400, "must not be nested deeper than 64 levels"),
  },
  {
    name: "a key twice",
    sends: post('{"name":"Rex","friends":[{"name":"Ida","n\\u0061me":"Bo"}]}', json),
    gets: rejected(400, "must appear only once", "friends.0.name"),
  },
  {
    name: "a body of the limit",
    sends: post(sized(1000), json),
    gets: rejected(400, "must be 3 to 20 characters", "name"),
  },
  {
    name: "a body over the limit",
    sends: post(sized(1_048_577), json),
    gets: { ...rejected(413, "Body must be at most 1048576 bytes"), headers: { connection: "close" } },
  },
  {
    name: "a body over the limit, in chunks",
    sends: chunked("x".repeat(1_048_000), "x".repeat(1000)),
    gets: { ...rejected(413, "Body must be at most 1048576 bytes"), headers: { connection: "close" } },
  },
  {
    name: "a length that promises more than the limit",
    sends: [request("POST /v4/pets", [json, "Content-Length: 99999999"])],
    gets: { ...rejected(413, "Body must be at most 1048576 bytes"), headers: { connection: "close" } },
  },
  {
    name: "a form",
    sends: post("name=Rex&age=3", "Content-Type: application/x-www-form-urlencoded"),
    gets: created({ name: "Rex", age: 3 }),
    but: {
      hono: {
        ...accepted("createPet", { body: { name: "Rex", age: 3 } }, "name=Rex&age=3"),
        because: "Hono's handler reads the text again",
      },
      fetch: {
        ...accepted("createPet", { body: { name: "Rex", age: 3 } }, "name=Rex&age=3"),
        because: "the handler reads the text again",
      },
    },
  },
  {
    name: "a form that nests",
    sends: post("name[a][b]=1&name=Rex&age=x", "Content-Type: application/x-www-form-urlencoded"),
    gets: rejected(400, "must be an integer", "age"),
  },
  {
    name: "a malformed form",
    sends: post("name=%zz", "Content-Type: application/x-www-form-urlencoded"),
    gets: rejected(400, "must be valid percent-encoded UTF-8"),
  },
];

const prototypes: readonly Case[] = [
  {
    name: "a key __proto__",
    sends: post('{"name":"Rex","__proto__":{"age":"x"}}', json),
    gets: created(JSON.parse('{"name":"Rex","__proto__":{"age":"x"}}')),
  },
  {
    name: "a key __proto__ instead of a name",
    sends: post('{"__proto__":{"name":"Rex"}}', json),
    gets: rejected(400, "is required", "name"),
  },
  {
    name: "a key constructor",
    sends: post('{"name":"Rex","constructor":{"prototype":{"age":"x"}}}', json),
    gets: created({ name: "Rex", constructor: { prototype: { age: "x" } } }),
  },
];

/** Requests of real clients. */
const liberal: readonly Case[] = [
  {
    name: "POST without a body, with the media type of a form",
    sends: [request("POST /v4/pets/5/feed", ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"])],
    gets: accepted("feedPet", { path: { petId: 5 } }),
  },
  {
    name: "POST without a body, with an invalid media type",
    sends: [request("POST /v4/pets/5/feed", ["Content-Type: application/x", "Content-Length: 0"])],
    gets: accepted("feedPet", { path: { petId: 5 } }),
  },
  {
    name: "POST of no chunks",
    sends: [request("POST /v4/pets/5/feed", ["Content-Type: text/x", "Transfer-Encoding: chunked"]), "0\r\n\r\n"],
    gets: accepted("feedPet", { path: { petId: 5 } }),
  },
  { name: "GET of JSON", sends: get("/v4/pets/5", json), gets: pet(5) },
  { name: "GET with a body", sends: [request("GET /v4/pets/5", [json], "{}")], gets: pet(5) },
  {
    name: "DELETE of JSON",
    sends: [request("DELETE /v4/pets/5", [json])],
    gets: accepted("deletePet", { path: { petId: 5 } }),
  },
  {
    name: "DELETE with a body",
    sends: [request("DELETE /v4/pets/5", [json], "{}")],
    gets: accepted("deletePet", { path: { petId: 5 } }),
  },
  {
    name: "DELETE with a body that is nothing",
    sends: [request("DELETE /v4/pets/5", ["Content-Type: text/x"], "x")],
    gets: accepted("deletePet", { path: { petId: 5 } }),
  },
  {
    name: "PUT without a body",
    sends: [request("PUT /v4/pets/5", [json, "Content-Length: 0"])],
    gets: accepted("updatePet", { path: { petId: 5 } }),
  },
];

const boundary = "Content-Type: multipart/form-data; boundary=b";
const putPhoto = (body: string, ...headers: string[]) => [request("PUT /v4/pets/5/photo", headers, body)];
const part = (disposition: string, body: string, type?: string) =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${type === undefined ? "" : `Content-Type: ${type}\r\n`}\r\n${body}\r\n`;
const malformed = rejected(400, "must be valid multipart/form-data");

const forms: readonly Case[] = [
  {
    name: "a file and a text",
    sends: putPhoto(`${part('name="caption"', "x")}${part('name="photo"; filename="a"', "y")}--b--\r\n`, boundary),
    gets: { status: 200 },
  },
  {
    name: "a text where a file should be",
    sends: putPhoto(`${part('name="photo"', "x")}--b--\r\n`, boundary),
    gets: rejected(400, "must be a file", "photo"),
  },
  {
    name: "texts and JSON as a browser sends a Blob",
    sends: putPhoto(
      `${part('name="caption"; filename="blob"', "x", "text/plain")}${part('name="owner"; filename="blob"', '{"id":1}', "application/json")}--b--\r\n`,
      boundary,
    ),
    gets: { status: 200 },
  },
  {
    name: "a file where a text should be",
    sends: putPhoto(`${part('name="caption"; filename="a"', "x", "image/png")}--b--\r\n`, boundary),
    gets: rejected(400, "must be a string", "caption"),
  },
  { name: "no boundary", sends: putPhoto("--b--\r\n", "Content-Type: multipart/form-data"), gets: malformed },
  { name: "another boundary", sends: putPhoto("--c--\r\n", boundary), gets: malformed },
  { name: "a form that breaks off", sends: putPhoto(part('name="caption"', "x"), boundary), gets: malformed },
  { name: "a part without a name", sends: putPhoto(`${part("x", "x")}--b--\r\n`, boundary), gets: malformed },
  {
    name: "a part without an end of its headers",
    sends: putPhoto("--b\r\nContent-Disposition: form-data", boundary),
    gets: malformed,
  },
  {
    name: "a part whose name is not terminated",
    sends: putPhoto(`${part('name="', "x")}--b--\r\n`, boundary),
    gets: malformed,
  },
  { name: "a range of types", sends: putPhoto("", "Content-Type: image/png"), gets: rejected(400, "is required") },
];

const groups = { paths, queries, types, bodies, prototypes, liberal, forms };

/** Both engines have one table. A case in which Ajv differs would have an entry of its own, and there is none. */
const engines = {
  compiled: adapters,
  Ajv: adaptersOn({ ...createAjvValidator(createAjv(), petsSource), inputOf: ajvInputOf }),
};

const started = Object.entries(engines).flatMap(([engine, each]) =>
  (Object.keys(each) as AdapterName[]).map((name) => ({ engine, name, start: each[name] })),
);

describe.each(started)("$engine checks on $name", ({ name, start }) => {
  let host: AdapterServer;
  beforeAll(async () => {
    host = await start({ basePath: ["/v4", "/v4beta"] });
  });
  afterAll(() => host.close());

  describe.each(Object.entries(groups))("%s", (_, cases) => {
    it.each(cases)("$name", async ({ sends, gets, but }) => {
      const { status, errors, echo, headers } = but?.[name] ?? gets;
      const response = await sendRaw(host.port, sends);
      const found = {
        status: response.status,
        ...(errors || echo ? { body: JSON.parse(response.body) as unknown } : {}),
      };
      expect(found).toEqual({ status, ...(errors ? { body: { errors } } : echo ? { body: echo } : {}) });
      expect(response.headers).toMatchObject(headers ?? {});
      if (errors !== undefined) expect(response.headers["content-type"]).toBe("application/json");
    });
  });
});
