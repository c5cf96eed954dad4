import path from "node:path";
import { buildFixtureApi, withFixtureFolder } from "@plumbline/openapi/testing";
import { describe, expect, it } from "vitest";
import { migrateFromTool, type ToolStep } from "../../index.js";

const described = (server: string, security: string): string => `openapi: 3.1.0
info: {title: Kites, version: '1'}
servers: [{url: 'https://kites.example${server}'}]
security: ${security}
tags: [{name: kites}]
paths:
  /kites:
    get:
      operationId: listKites
      tags: [kites]
      summary: List
      parameters: [{name: limit, in: query, schema: {type: integer}}]
      responses: {'200': {description: All, content: {application/json: {schema: {type: array}}}}}
  /kites/{id}:
    get:
      operationId: getKite
      tags: [kites]
      summary: Get
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: It, content: {application/json: {schema: {type: object}}}}}
components:
  securitySchemes:
    token: {type: http, scheme: bearer}
`;

interface Migrated {
  readonly texts: Readonly<Record<string, string>>;
  readonly toDecide: readonly string[];
  readonly notUnderstood: readonly string[];
}

async function migrate(texts: Readonly<Record<string, string>>, description = described("", "[]")): Promise<Migrated> {
  return withFixtureFolder(texts, async (folder) => {
    const api = await buildFixtureApi(description);
    const result = migrateFromTool("openapi-backend", { api, code: [folder], target: "@kites/server" });
    const show = ({ file, line, message }: ToolStep): string => `${path.basename(file)}:${line} ${message}`;
    return {
      texts: Object.fromEntries(result.files.map(({ file, text }) => [path.basename(file), text])),
      toDecide: result.toDecide.map(show),
      notUnderstood: result.notUnderstood.map(show),
    };
  });
}

const head = 'import OpenAPIBackend from "openapi-backend";\n';
const newHead = 'import { createServer } from "@kites/server";\n';

describe("the migration from openapi-backend", { timeout: 60_000 }, () => {
  it.each([
    ["(c, req, res) => res.json(req.ip)", "it reads the request of Express"],
    ["(c, req, res) => res.json(c.operation.summary)", "it uses `c.operation`"],
    ["(c, req, res) => res.json(c.request.query.size)", "`listKites` does not describe `c.request.query.size`"],
    ["({ request }, req, res) => res.json(request.query)", "it takes its parameters apart"],
    ["(c, req, res) => all().then((all) => res.json(all))", "it does not only end with `response.status(…).json(…)`"],
    ["(c, req, res) => res.set({ a: 1 }).json([])", "it does not only end with `response.status(…).json(…)`"],
    ["(c, req, res) => { res.json([]); log(c); }", "it does not only end with `response.status(…).json(…)`"],
    ["() => []", "it does not only end with `response.status(…).json(…)`"],
    ["handlers.list", "its function is not in this code"],
  ])("leaves the handler %s as it is, and says why", async (handler, reason) => {
    const { texts, toDecide } = await migrate({
      "app.ts": `${head}const api = new OpenAPIBackend({ definition, handlers: { listKites: ${handler} } });\n`,
    });
    const message = `\`listKites\` has to return { status, body } from ({ path, query, body }): ${reason}.`;
    expect(texts["app.ts"]).toBe(`${newHead}const api = createServer(
  {
    // TODO(migrate): ${message}
    listKites: ${handler},
  },
  {
    missingHandlers: "not-implemented",
  },
);
`);
    expect(toDecide).toEqual([`app.ts:2 ${message}`]);
  });

  it("writes what it says about code of several lines on one", async () => {
    const handler = "(c, req, res) => res.json(c\n  .operation\n  .tags)";
    const { texts } = await migrate({
      "app.ts": `${head}const api = new OpenAPIBackend({ definition, handlers: { listKites: ${handler} } });\n`,
    });
    expect(texts["app.ts"]?.split("\n").filter((line) => line.includes("TODO"))).toHaveLength(1);
    expect(texts["app.ts"]).toContain("it uses `c   .operation`.\n");
  });

  it("returns responses where functions end with them, and keeps the rest", async () => {
    const { texts, toDecide } = await migrate({
      "app.ts": `${head}import * as handlers from "./handlers.js";

// the one of all kites
export const api = new OpenAPIBackend({ definition: "kites.yaml", handlers, apiRoot: "/api" });
void api.init();
`,
      "handlers.ts": `import type { Context, Handler } from "openapi-backend";
import type { Request, Response } from "express";

export const listKites: Handler = (c, _req: Request, res: Response) => void res.json(all.slice(0, Number(c.request.query.limit)));

/** One. */
export async function getKite(c: Context, _req: Request, res: Response): Promise<void> {
  const kite = all[Number(c.request.params.id)];
  if (kite) {
    res.status(200).json(kite); // found
  } else res.status(404).send();
}

export function helper(): void {}
`,
    });
    expect(texts["app.ts"]).toBe(`import * as handlers from "./handlers.js";
${newHead}
// the one of all kites
export const api = createServer(
  {
    listKites: handlers.listKites,
    getKite: handlers.getKite,
  },
  {
    basePath: "/api",
  },
);
`);
    expect(texts["handlers.ts"]).toBe(`import type { Handlers } from "@kites/server";

export const listKites: Handlers["listKites"] = (c) => ({ status: 200, body: all.slice(0, c.query.limit) });

/** One. */
export async function getKite(c: Parameters<Handlers["getKite"]>[0]): Promise<Awaited<ReturnType<Handlers["getKite"]>>> {
  const kite = all[c.path.id];
  if (kite) {
    return { status: 200, body: kite }; // found
  } else return { status: 404 };
}

export function helper(): void {}
`);
    expect(toDecide).toEqual([]);
  });

  it("keeps handlers of credentials and rejections that it cannot turn, where they do not compile", async () => {
    const { texts, toDecide } = await migrate(
      {
        "app.ts": `${head}const api = new OpenAPIBackend({
  definition,
  validate: false,
  handlers: {
    validationFail: (c, req, res) => res.status(422).json({ errors: c.validation.errors }),
    postResponseHandler: (c, req, res) => res.json(c.response),
    notFound: (c, req, res) => res.status(404).json({ code: 404 }),
  },
  securityHandlers: { token: (c) => c.request.headers.authorization === secret },
});
`,
      },
      described("/v2", "[{token: []}]"),
    );
    expect(texts["app.ts"]).toBe(`${newHead}const api = createServer(
  {
    // TODO(migrate): The server rejects requests itself, with the status of the description: format its responses in \`errorBody\`.
    validationFail: (c, req, res) => res.status(422).json({ errors: c.validation.errors }),
    // TODO(migrate): The server has no handler \`postResponseHandler\`.
    postResponseHandler: (c, req, res) => res.json(c.response),
  },
  {
    basePath: "",
    missingHandlers: "not-implemented",
    errorBody: ({ status, errors }) => {
      if (status === 404) return { code: status };
      return { errors };
    },
    // TODO(migrate): Each function receives a credential, and returns { caller }, or undefined for an unknown one.
    authenticate: { token: (c) => c.request.headers.authorization === secret },
  },
);
`);
    expect(toDecide.map((each) => each.split(" ")[0])).toEqual(["app.ts:2", "app.ts:4", "app.ts:6", "app.ts:7"]);
  });

  it("keeps comments, and what is between the instance and its handlers", async () => {
    const { texts } = await migrate({
      "app.ts": `${head}
// kites
const api = new OpenAPIBackend({ definition });

// all of them
const all = [1];

// one handler, far away
api.register("list-kites", (c, req, res) => res.json(all)); // at last

api.init();

export { api };
`,
    });
    expect(texts["app.ts"]).toBe(`${newHead}
// kites
// all of them
const all = [1];

// one handler, far away
const api = createServer(
  {
    listKites: (c) => ({ status: 200, body: all }),
  },
  {
    missingHandlers: "not-implemented",
  },
); // at last

export { api };
`);
  });

  it("marks other uses of the instance, and registrations in other places", async () => {
    const { texts, toDecide } = await migrate({
      "app.ts": `${head}const api = new OpenAPIBackend({ definition });
export function start(fastify) {
  api.register("listKites", list);
  fastify.route({ url: "/*", handler: (request, reply) => api.handleRequest(request, request, reply) });
}
`,
    });
    expect(texts["app.ts"]?.match(/TODO\(migrate\)/g)).toHaveLength(2);
    expect(toDecide.map((each) => each.split(" ")[0])).toEqual(["app.ts:4", "app.ts:5"]);
  });

  it("changes no code that it does not understand", async () => {
    const { texts, notUnderstood } = await migrate({
      "app.ts": `${head}export class App {\n  api = new OpenAPIBackend({ definition });\n}\nexport const other = new OpenAPIBackend(options);\n`,
      "old.cjs": 'const { OpenAPIBackend } = require("openapi-backend");\n',
    });
    expect(texts).toEqual({});
    expect(notUnderstood).toEqual([
      "app.ts:3 The instance has no name.",
      "app.ts:5 The options are not written in place.",
      "old.cjs:1 Generated packages are ES modules: turn the file into one first.",
    ]);
  });
});
