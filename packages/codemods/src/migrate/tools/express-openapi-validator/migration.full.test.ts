import path from "node:path";
import { buildFixtureApi, withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { describe, expect, it } from "vitest";
import { migrateFromTool, type ToolStep } from "../../index.js";

const description = `openapi: 3.1.0
info: {title: Kites, version: '1'}
servers: [{url: 'https://kites.example/v2'}]
security: [{token: []}]
tags: [{name: kites}]
paths:
  /kites:
    get:
      operationId: listKites
      tags: [kites]
      summary: List
      parameters: [{name: limit, in: query, schema: {type: integer}}, {name: colour, in: query, schema: {type: string}}]
      responses: {'204': {description: All}}
    post:
      operationId: addKite
      tags: [kites]
      summary: Add
      requestBody: {required: true, content: {multipart/form-data: {schema: {type: object, properties: {plan: {type: string, format: binary}}}}}}
      responses: {'204': {description: Added}}
  /kites/{id}:
    get:
      operationId: getKite
      tags: [kites]
      summary: Get
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'204': {description: It}}
components:
  securitySchemes:
    token: {type: http, scheme: bearer}
`;

interface Migrated {
  readonly texts: Readonly<Record<string, string>>;
  readonly done: number;
  readonly toDecide: readonly string[];
  readonly notUnderstood: readonly string[];
}

async function migrate(texts: Readonly<Record<string, string>>): Promise<Migrated> {
  return withFixtureFolder(texts, async (folder) => {
    const api = await buildFixtureApi(description);
    const result = migrateFromTool("express-openapi-validator", { api, code: [folder], target: "@kites/validator" });
    const show = ({ file, line, message }: ToolStep): string => `${path.basename(file)}:${line} ${message}`;
    return {
      texts: Object.fromEntries(result.files.map(({ file, text }) => [path.basename(file), text])),
      done: result.done.length,
      toDecide: result.toDecide.map(show),
      notUnderstood: result.notUnderstood.map(show),
    };
  });
}

const head = `import express from "express";
import { middleware } from "express-openapi-validator";
const app = express();
`;

describe("the migration from express-openapi-validator", () => {
  it("leaves options without a counterpart where they are, with what to decide", async () => {
    const { texts, toDecide } = await migrate({
      "app.ts": `${head}app.use(
  middleware({
    apiSpec,
    validateResponses: isDevelopment,
    validateRequests: { allowUnknownQueryParameters: true, removeAdditional: "all" },
    validateSecurity: { handlers: { token: (req) => check(req) } },
    fileUploader: { dest: "uploads" },
    operationHandlers: folder,
    coerceTypes: true,
    serDes,
  }),
);
`,
    });
    expect(texts["app.ts"]).toBe(`import express from "express";
import { validator } from "@kites/validator/express";
const app = express();
app.use(
  validator({
    validateResponses: isDevelopment ? "enforce" : "off",
    unknown: "strip",
    // TODO(migrate): The validator checks credentials with \`security\`: a function for each scheme, \`(request, { credential, scopes }) => boolean | "forbidden"\`.
    validateSecurity: { handlers: { token: (req) => check(req) } },
    // TODO(migrate): The validator passes no uploads to multer. Put multer in front, with \`memoryStorage()\` and \`acceptParsedBody: true\`, or read files from the decoded body.
    fileUploader: { dest: "uploads" },
    // TODO(migrate): The validator calls no handlers. Register routes of Express, or use the generated server with an object of handlers.
    operationHandlers: folder,
    // TODO(migrate): The validator has no option \`serDes\`, or it is written in another way here.
    serDes,
    basePath: "/v2",
  }),
);
`);
    expect(toDecide.map((each) => each.split(" ")[0])).toEqual([
      "app.ts:5",
      "app.ts:9",
      "app.ts:10",
      "app.ts:11",
      "app.ts:13",
    ]);
  });

  it("passes one function where the tool has several", async () => {
    const { texts } = await migrate({
      "module.ts": `import * as tool from "express-openapi-validator";
export const configure = (consumer) => consumer.apply(...tool.middleware({ apiSpec: file, validateSecurity: false, fileUploader: false })).forRoutes("*");
`,
    });
    expect(texts["module.ts"]).toBe(`import { validator } from "@kites/validator/express";
export const configure = (consumer) => consumer.apply(validator({ basePath: "/v2", unknownQuery: "reject" })).forRoutes("*");
`);
  });

  it("says what the tool does unasked, and the validator does not", async () => {
    const { texts, toDecide } = await migrate({
      "app.ts": `${head}app.use("/v2", middleware({ apiSpec: "kites.yaml" }));\n`,
    });
    expect(texts["app.ts"]).toContain('app.use("/v2", validator({ unknownQuery: "reject" }));\n');
    expect(toDecide.map((each) => each.replace(/\. .*/, "."))).toEqual([
      "app.ts:4 A path parameter that is not valid gets 404, and not 400: it names nothing.",
      'app.ts:4 The validator checks credentials with `security`: a function for each scheme, `(request, { credential, scopes }) => boolean | "forbidden"`.',
      "app.ts:4 The validator passes no uploads to multer.",
    ]);
  });

  it("reads decoded parameters in the handlers of routes, where routers are mounted", async () => {
    const { texts, notUnderstood, toDecide } = await migrate({
      "app.ts": `${head}import { kites } from "./kites.js";
app.use(middleware({ apiSpec: "kites.yaml", validateSecurity: false, fileUploader: false, validateRequests: { allowUnknownQueryParameters: true } }));
app.use("/v2/kites", kites);
app.get("/other/:id", (req, res) => res.json(Number(req.params.id)));
`,
      "kites.ts": `import { Router } from "express";
export const kites = Router();
kites.get("/", (req, res) => {
  // as many as wanted
  const limit = parseInt(req.query.limit as string, 10);
  const { colour } = req.query;
  const other = [1].map((req) => req.query);
  res.json([limit, colour, req.query.size, other]);
});
kites.get("/:id", ({ params: { id } }, res) => res.json(id));
kites.post("/", (req, res) => res.json(req.files));
`,
    });
    expect(texts["app.ts"]).toContain('app.get("/other/:id", (req, res) => res.json(Number(req.params.id)));');
    expect(texts["kites.ts"]).toBe(`import { Router } from "express";
import { inputOf, listKites } from "@kites/validator";
export const kites = Router();
kites.get("/", (req, res) => {
  const input = inputOf(listKites, req);
  // as many as wanted
  const limit = input.query.limit;
  const { colour } = input.query;
  const other = [1].map((req) => req.query);
  res.json([limit, colour, req.query.size, other]);
});
kites.get("/:id", ({ params: { id } }, res) => res.json(id));
// TODO(migrate): Nothing reads uploads into \`files\`. Put multer in front, and list the operation in \`unreadBodies\`.
kites.post("/", (req, res) => res.json(req.files));
`);
    expect(notUnderstood).toEqual(["kites.ts:8 listKites does not describe what is read here."]);
    expect(toDecide.filter((each) => each.startsWith("kites"))).toHaveLength(2);
  });

  it.each([
    ["another function", "res.status(err.status ?? 500).json(format(err.errors));"],
    ["what only a request knows", "res.json({ errors: err.errors, id: req.headers.id });"],
    ["several responses", "if (err.errors) res.json(err.errors); else res.json({});"],
  ])("asks to write onError where errors are formatted by %s", async (_, statement) => {
    const { texts, toDecide } = await migrate({
      "app.ts": `${head}app.use(middleware({ apiSpec: "kites.yaml" }));\napp.use((err, req, res, next) => {\n  ${statement}\n});\n`,
    });
    expect(texts["app.ts"]).not.toContain("onError");
    expect(toDecide.join("\n")).toContain("app.ts:5 The validator responds itself");
  });

  it("changes no code that it does not understand", async () => {
    const { texts, notUnderstood } = await migrate({
      "app.ts": `${head}app.use(middleware(options));\napp.get("/v2/kites", (req, res) => res.json(req.query.limit));\n`,
      "old.cjs": 'const OpenApiValidator = require("express-openapi-validator");\n',
    });
    expect(texts).toEqual({});
    expect(notUnderstood).toEqual([
      "app.ts:4 The options of the middleware are not written in place.",
      "app.ts:4 `middleware(options)` has no counterpart.",
      "old.cjs:1 Generated packages are ES modules: turn the file into one first.",
    ]);
  });
});
