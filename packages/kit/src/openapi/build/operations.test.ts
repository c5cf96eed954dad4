import { describe, expect, test } from "vitest";
import type { Operation } from "../../model/index.js";
import { buildFixtureApi, withoutOrigins, withPaths } from "../testing.js";

test("an operation without anything has the plainest of everything", async () => {
  expect(withoutOrigins(await only("get: {operationId: listPets, responses: {}}"))).toEqual({
    name: "listPets",
    method: "GET",
    path: "/pets",
    tag: "default",
    deprecated: false,
    servers: [],
    parameters: [],
    responses: [],
    security: [],
    grants: [],
    limits: [],
    effects: [],
    errors: [],
    sources: [],
  });
});

test("operations come in the order written, whatever their method", async () => {
  const { operations } = await buildFixtureApi(
    withPaths(
      "/b: {post: {responses: {}}, get: {responses: {}}, parameters: []}\n/a: {delete: {responses: {}}}\nx-c: {get: {}}",
    ),
  );
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /b", "GET /b", "DELETE /a"]);
});

test("words of the path hold where the operation has none, tags name the area", async () => {
  const operation = await only(
    "summary: All pets.\ndescription: Of the path.\nget: {tags: [animals, zoo], description: Its own., deprecated: true, responses: {}}",
  );
  const { summary, description, tag, deprecated } = operation;
  expect({ summary, description, tag, deprecated }).toEqual({
    summary: "All pets.",
    description: "Its own.",
    tag: "animals",
    deprecated: true,
  });
});

describe("parameters", () => {
  test("of the path hold for its operations, unless one of the same name and place replaces them", async () => {
    const operation = await only(`parameters:
  - {name: a, in: query, schema: {type: string}}
  - {name: b, in: query, schema: {type: string}}
get:
  parameters:
    - {name: c, in: query, schema: {type: string}}
    - {name: a, in: query, required: true, schema: {type: integer}}
    - {name: a, in: header, schema: {type: boolean}}
  responses: {}`);
    expect(
      operation.parameters.map(({ in: place, name, required, schema }) => [place, name, required, schema.types]),
    ).toEqual([
      ["query", "a", true, ["integer"]],
      ["query", "b", false, ["string"]],
      ["query", "c", false, ["string"]],
      ["header", "a", false, ["boolean"]],
    ]);
  });

  test("called Accept, Content-Type or Authorization are none, as OpenAPI has it", async () => {
    const named = (name: string): string => `{name: ${name}, in: header, schema: {}}`;
    const operation = await only(
      `get: {parameters: [${["accept", "Content-Type", "AUTHORIZATION", "X-A"].map(named).join(", ")}], responses: {}}`,
    );
    expect(operation.parameters.map((each) => each.name)).toEqual(["X-A"]);
  });

  test.each([
    ["in: path", { style: "simple", explode: false, required: true }],
    ["in: query", { style: "form", explode: true, required: false }],
    ["in: header", { style: "simple", explode: false, required: false }],
    ["in: cookie", { style: "form", explode: true, required: false }],
    ["in: query, explode: false", { style: "form", explode: false, required: false }],
    ["in: query, style: pipeDelimited", { style: "pipeDelimited", explode: false, required: false }],
    ["in: path, style: label, explode: true", { style: "label", explode: true, required: true }],
  ])("with %s are written so", async (written, expected) => {
    const [parameter] = (
      await only(
        `get: {parameters: [{name: a, ${written}, schema: {}}], responses: {}}`,
        "",
        written.startsWith("in: path") ? "/pets/{a}" : "/pets",
      )
    ).parameters;
    const { style, explode, required } = parameter ?? {};
    expect({ style, explode, required }).toEqual(expected);
  });

  test("may be a whole document, several segments long, or a reference", async () => {
    const { parameters } = await only(
      `get:
  parameters:
    - {name: filter, in: header, content: {application/json: {schema: {type: object}}}}
    - {name: id, in: path, x-input: {segments: 2}, x-reference: {to: Image}, schema: {}}
    - {name: q, in: query, description: Words., deprecated: true, allowReserved: true}
    - {name: label, in: path, x-input: {encodedSlash: true}, schema: {}}
  responses: {}`,
      "",
      "/pets/{id}/{label}",
    );
    expect(parameters.map((each) => withoutOrigins(each))).toEqual([
      {
        ...common,
        name: "filter",
        in: "header",
        style: "content",
        mediaType: "application/json",
        schema: { types: ["object"] },
      },
      {
        ...common,
        name: "id",
        in: "path",
        required: true,
        style: "simple",
        segments: 2,
        reference: { to: "Image" },
        schema: { types: [] },
      },
      {
        ...common,
        name: "q",
        in: "query",
        style: "form",
        explode: true,
        description: "Words.",
        deprecated: true,
        allowReserved: true,
        schema: { types: [] },
      },
      {
        ...common,
        name: "label",
        in: "path",
        required: true,
        style: "simple",
        encodedSlash: true,
        schema: { types: [] },
      },
    ]);
  });
});

describe("bodies", () => {
  test("keep each of their media types, without its parameters, with encodings and an example", async () => {
    const { requestBody } = await only(`post:
  requestBody:
    required: true
    description: A pet.
    content:
      Application/JSON; charset=utf-8: {schema: {type: string}, example: a}
      text/plain: {examples: {one: {value: b}}}
      multipart/form-data: {encoding: {file: {contentType: image/png, style: form, explode: false}}}
  responses: {}`);
    expect(withoutOrigins(requestBody)).toEqual({
      required: true,
      description: "A pet.",
      contents: [
        { mediaType: "application/json", schema: { types: ["string"] }, encoding: {}, example: "a" },
        { mediaType: "text/plain", schema: { types: [] }, encoding: {}, example: "b", examples: { one: "b" } },
        {
          mediaType: "multipart/form-data",
          schema: { types: [] },
          encoding: { file: { contentType: "image/png", style: "form", explode: false } },
        },
      ],
      input: { absent: "keep", nulls: "validated", readOnly: "ignore", unknown: "ignore", unchanged: "validate" },
      sources: [],
    });
  });

  test("are read as x-input says, of the body or else of the whole description", async () => {
    const rest =
      "x-input: {nulls: absent, unknown: reject, absent: clear}\ncomponents: {schemas: {Pet: {type: object}}}\n";
    const inputOf = async (merged: string) =>
      (
        await only(
          `post: {requestBody: {content: {}, x-input: {absent: keep, readOnly: reject, unchanged: accept, merged: ${merged}}}, responses: {}}`,
          rest,
        )
      ).requestBody?.input;
    const input = { absent: "keep", nulls: "absent", readOnly: "reject", unknown: "reject", unchanged: "accept" };
    expect(await inputOf("Pet")).toEqual({ ...input, merged: "Pet" });
    // The strict ruleset rejects it.
    expect(await inputOf("valueOf")).toEqual(input);
  });
});

describe("responses", () => {
  test("have a status, a range or every other, headers and contents", async () => {
    const { responses } = await only(
      `get:
  responses:
    '200': {description: ok, headers: {X-Total: {required: true, description: All., schema: {type: integer}}}, content: {application/json: {schema: {type: string}}}}
    4xx: {$ref: '#/components/responses/Failed', x-source: [b]}
    default: {description: else}
    x-note: {}`,
      "components: {responses: {Failed: {description: failed, x-source: [a]}}}",
    );
    expect(withoutOrigins(responses)).toEqual([
      {
        status: 200,
        description: "ok",
        headers: [
          { name: "X-Total", required: true, description: "All.", schema: { types: ["integer"] }, sources: [] },
        ],
        contents: [{ mediaType: "application/json", schema: { types: ["string"] }, encoding: {} }],
        sources: [],
      },
      {
        status: "4XX",
        description: "failed",
        headers: [],
        contents: [],
        sources: [{ requirement: "b" }, { requirement: "a" }],
      },
      { status: "default", description: "else", headers: [], contents: [], sources: [] },
    ]);
  });

  test.each(["99", "600", "20", "6XX", "2X", "ok", "2000"])("with the status %s are left out", async (status) => {
    expect(await only(`get:\n  responses:\n    '${status}': {description: a}`)).toMatchObject({ responses: [] });
  });

  test.each([
    ["204 NO_CONTENT", 204],
    ["404-not-found", 404],
    ["5xx", "5XX"],
  ])("with the status %s have the status %s, unless another one has it without words", async (status, read) => {
    const { responses } = await only(`get:\n  responses:\n    '${status}': {description: a}`);
    expect(responses.map((each) => each.status)).toEqual([read]);
    const both = await only(
      `get:\n  responses:\n    '${status}': {description: a}\n    '${String(read)}': {description: b}`,
    );
    expect(both.responses.map((each) => [each.status, each.description])).toEqual([[read, "b"]]);
  });
});

describe("a path that contradicts its parameters", () => {
  const pathOf = async (path: string, parameters: string): Promise<unknown> => {
    const api = await buildFixtureApi(
      withPaths(`'${path}':\n  get:\n    parameters: [${parameters}]\n    responses: {}`),
    );
    return api.operations.map((each) => [
      each.path,
      ...each.parameters.map(({ in: where, name, required, schema }) => [
        where,
        name,
        required,
        schema.types,
        schema.enum,
      ]),
    ]);
  };

  test("has a text for each parameter that nothing declares, and none that the template lacks", async () => {
    const integer = "schema: {type: integer}";
    expect(
      await pathOf("/a/{b}/{c}", `{name: b, in: path, required: true, ${integer}}, {name: d, in: path, ${integer}}`),
    ).toEqual([
      ["/a/{b}/{c}", ["path", "b", true, ["integer"], undefined], ["path", "c", true, ["string"], undefined]],
    ]);
  });

  test("has a parameter with one value for each part of its query", async () => {
    const declared = "{name: kind, in: query, required: true, schema: {type: integer}}";
    expect(await pathOf("/a?do=feed%20me&all&kind={kind}&who={who}", declared)).toEqual([
      [
        "/a",
        ["query", "kind", true, ["integer"], undefined],
        ["query", "do", true, ["string"], ["feed me"]],
        ["query", "all", true, ["string"], [""]],
        ["query", "who", true, ["string"], undefined],
      ],
    ]);
    expect(await pathOf("/a{?page,size}", "{name: page, in: query, schema: {type: integer}}")).toEqual([
      ["/a", ["query", "page", false, ["integer"], undefined]],
    ]);
  });
});

describe("security", () => {
  const schemes =
    "components: {securitySchemes: {key: {type: apiKey, in: query, name: k}, bearer: {type: http, scheme: Bearer}}}\n";

  test("is the operation's own, or the description's", async () => {
    const rest = `${schemes}security: [{key: [], bearer: [a, b]}, {}]\n`;
    expect((await only("get: {responses: {}}", rest)).security).toEqual([
      [
        { scheme: "key", scopes: [] },
        { scheme: "bearer", scopes: ["a", "b"] },
      ],
      [],
    ]);
    expect((await only("get: {security: [{key: []}], responses: {}}", rest)).security).toEqual([
      [{ scheme: "key", scopes: [] }],
    ]);
    expect((await only("get: {security: [], responses: {}}", rest)).security).toEqual([]);
  });

  test("names the tokens that two schemes describe once, and requires them where one of the two is named", async () => {
    const same = `components:
  securitySchemes:
    bearer:
      type: http
      scheme: bearer
      x-scopes: {areas: [a], levels: {b: []}, all: '*', separator: ',', credentials: [], errors: {}}
    oauth: {type: oauth2, flows: {}, x-scopes: {sameAs: bearer}}
    other: {type: oauth2, flows: {}, x-scopes: {sameAs: nothing}}
`;
    const securityOf = async (security: string) =>
      (await only(`get: {security: ${security}, responses: {}}`, same)).security;
    const alternative = [{ scheme: "bearer", scopes: ["a:b"] }];
    expect(await securityOf("[{oauth: ['a:b']}, {bearer: ['a:b']}, {}]")).toEqual([alternative, []]);
    expect(await securityOf("[{oauth: ['a:b']}]")).toEqual([alternative]);
    expect(await securityOf("[{other: ['a:b']}]")).toEqual([[{ scheme: "other", scopes: ["a:b"] }]]);
    const api = await buildFixtureApi(withPaths("/a: {get: {operationId: a, responses: {}}}", same));
    expect(api.securitySchemes.map(({ name }) => name)).toEqual(["bearer", "other"]);
    expect(api.scopeGrammar?.scheme).toBe("bearer");
  });

  test("schemes are of these kinds", async () => {
    const { securitySchemes: found } = await buildFixtureApi(
      withPaths(
        "/a: {}",
        `components:
  securitySchemes:
    a: {type: apiKey, in: cookie, name: session, description: A cookie.}
    b: {type: http, scheme: Basic}
    c: {type: http, scheme: BEARER}
    d: {type: http, scheme: digest}
    e: {type: oauth2}
    f: {type: openIdConnect}
    g: {type: mutualTLS}
    h: {$ref: '#/components/securitySchemes/b'}
`,
      ),
    );
    expect(withoutOrigins(found)).toEqual([
      { name: "a", kind: "apiKey", in: "cookie", key: "session", description: "A cookie." },
      { name: "b", kind: "basic" },
      { name: "c", kind: "bearer" },
      { name: "d", kind: "http", scheme: "digest" },
      { name: "e", kind: "oauth2" },
      { name: "f", kind: "openIdConnect" },
      { name: "g", kind: "mutualTLS" },
      { name: "h", kind: "basic" },
    ]);
  });
});

describe("pages", () => {
  const rest =
    "x-lists: {pages: {page: page, size: page_size, envelope: {items: data, page: page, pages: pages, total: results}}}\n";
  const taking = (...names: readonly string[]): string =>
    `get: {parameters: [${names.map((name) => `{name: ${name}, in: query, schema: {}}`).join(", ")}], responses: {}}`;

  test("are asked for where an operation takes both parameters", async () => {
    expect((await only(taking("page", "page_size"), rest)).pagination).toEqual({
      page: "page",
      size: "page_size",
      envelope: { items: "data", page: "page", pages: "pages", total: "results" },
    });
  });

  test("are not, where it takes one, or the description says nothing of pages", async () => {
    expect((await only(taking("page"), rest)).pagination).toBeUndefined();
    expect((await only(taking("page", "page_size"))).pagination).toBeUndefined();
  });

  test.each([
    "items: data, ",
    "pages: pages, ",
    ", total: results",
    "envelope: {items: data, page: page, pages: pages, total: results}",
  ])("are not, where the field lacks %j: clients could not find the next one", async (missing) => {
    expect((await only(taking("page", "page_size"), rest.replace(missing, ""))).pagination).toBeUndefined();
  });
});

test("servers are the operation's, else the path's, their variables filled", async () => {
  const server =
    "{url: 'https://{host}.example/{base}', variables: {host: {default: api}, base: {}}, description: It.}";
  expect((await only(`servers: [{url: /a}]\nget: {servers: [${server}], responses: {}}`)).servers).toEqual([
    { url: "https://api.example/", description: "It." },
  ]);
  expect((await only("servers: [{url: /a}]\nget: {responses: {}}")).servers).toEqual([{ url: "/a" }]);
});

test("operations under components.pathItems are linked ones", async () => {
  const { operations, operationsWithoutPath } = await buildFixtureApi(
    withPaths("/a: {}", "components: {pathItems: {data: {put: {operationId: putData, security: [], responses: {}}}}}"),
  );
  expect([operations, operationsWithoutPath.map(({ name, method, path }) => ({ name, method, path }))]).toEqual([
    [],
    [{ name: "putData", method: "PUT", path: "" }],
  ]);
});

const common = {
  required: false,
  deprecated: false,
  explode: false,
  allowReserved: false,
  segments: 1,
  encodedSlash: false,
  sources: [],
};

/** Returns the only operation of `/pets`. */
async function only(item: string, rest = "", path = "/pets"): Promise<Operation> {
  const [operation] = (await buildFixtureApi(withPaths(`${path}:\n${item.replaceAll(/^(?=.)/gm, "  ")}`, rest)))
    .operations;
  if (operation === undefined) throw new Error("there is no operation");
  return operation;
}

test("OpenAPI 3.2 has a method more", async () => {
  const text = withPaths(
    "/pets: {query: {operationId: searchPets, requestBody: {content: {application/json: {}}}, responses: {}}}",
  );
  const { operations } = await buildFixtureApi(text.replace("3.1.0", "3.2.0"));
  expect(operations.map(({ name, method }) => [name, method])).toEqual([["searchPets", "QUERY"]]);
});

test("OpenAPI 3.2 has the schema of items, other examples, and parameters that are left out", async () => {
  const content = "{application/jsonl: {itemSchema: {type: integer}, examples: {a: {dataValue: [1]}}}}";
  const text = withPaths(
    `/pets: {get: {operationId: listPets, parameters: [{name: a, in: querystring, content: {}}], responses: {'200': {content: ${content}}}}}`,
  );
  const { operations } = await buildFixtureApi(text.replace("3.1.0", "3.2.0"));
  const [media] = operations[0]?.responses[0]?.contents ?? [];
  expect([operations[0]?.parameters, media?.schema.types, media?.itemSchema?.types, media?.example]).toEqual([
    [],
    [],
    ["integer"],
    [1],
  ]);
});

test("of media types that differ in parameters only, the plain one is read", async () => {
  const media = (type: string): string => `{schema: {type: ${type}}}`;
  const content = `{application/json;stream=watch: ${media("string")}, application/json: ${media("integer")}, text/a;b=c: ${media("string")}, TEXT/a: {}}`;
  const { operations } = await buildFixtureApi(
    withPaths(`/a: {get: {operationId: a, responses: {'200': {description: ok, content: ${content}}}}}`),
  );
  expect(operations[0]?.responses[0]?.contents.map(({ mediaType, schema }) => [mediaType, ...schema.types])).toEqual([
    ["application/json", "integer"],
    ["text/a", "string"],
  ]);
});

describe("the language of a list", () => {
  const filter = (how: string) => `x-lists: {filter: ${how}}\n`;
  const get = (parameter: string): string => `get: {parameters: [${parameter}], responses: {}}`;
  const json = "{name: filter, in: query, content: {application/json: {schema: {}}}}";
  const deep = "{name: where, in: query, style: deepObject, schema: {type: object}}";
  const operators = { gt: "gt", gte: "gte", lt: "lt", lte: "lte", ne: "ne", contains: "contains" };

  test("has the spellings of its style where the description has none", async () => {
    expect((await only(get(json), filter("{style: json}"))).filter).toEqual({
      style: "json",
      parameter: { in: "query", name: "filter" },
      operators,
      all: "and",
      any: "or",
    });
  });

  test("has the operators that the description lists, and no others", async () => {
    const how = "{style: brackets, parameter: where, operators: {gte: min}, error: unfit}";
    expect((await only(get(deep), filter(how))).filter).toEqual({
      style: "brackets",
      parameter: { in: "query", name: "where" },
      operators: { gte: "min" },
      error: "unfit",
    });
  });

  test.each([
    ["of an unknown style", "{style: bracket}", json],
    ["of another parameter", "{style: json, parameter: X-Filter}", json],
    ["in brackets, of a parameter that is no object", "{style: brackets}", "{name: filter, in: query, schema: {}}"],
    ["of query parameters that no field has", "{style: query}", "{name: q, in: query, schema: {}}"],
  ])("is not there: %s", async (_, how, parameter) => {
    expect((await only(get(parameter), filter(how))).filter).toBeUndefined();
  });

  test("has an order where the operation has its parameter, or a JSON filter", async () => {
    const sort = "{name: sort, in: query, schema: {}}";
    expect((await only(get(sort), "x-lists: {order: {}}\n")).order).toEqual({
      kind: "parameter",
      parameter: "sort",
      descending: "-",
    });
    expect((await only(get(json), "x-lists: {order: {}}\n")).order).toBeUndefined();
    const inside = "x-lists: {filter: {style: json}, order: {by: $by, direction: $to}}\n";
    expect((await only(get(json), inside)).order).toEqual({ kind: "filter", by: "$by", direction: "$to" });
    expect((await only(get(sort), inside)).order).toBeUndefined();
  });

  test("differs in an operation that states it", async () => {
    const own = `get: {x-lists: {filter: {style: brackets, parameter: where}}, parameters: [${json}, ${deep}], responses: {}}`;
    expect((await only(own, filter("{style: json}"))).filter?.style).toBe("brackets");
  });
});
