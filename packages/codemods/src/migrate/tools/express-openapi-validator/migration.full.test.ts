import path from "node:path";
import { buildFixtureApi, withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { describe, expect, it } from "vitest";
import { parseSource } from "../../../handlers/syntax/parse.js";
import { migrateFromTool, type ToolStep } from "../../index.js";
import { hasSyntaxErrors } from "../../migrate-code.js";

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

/** Each option in a file of its own, in one program. */
const migratedOptions = Promise.resolve().then(() =>
  migrate(Object.fromEntries(optionCases.map(({ option }) => [fileOfOption(option), withOption(option)]))),
);

function fileOfOption(option: string): string {
  return `option-${optionCases.findIndex((each) => each.option === option)}.ts`;
}

function withOption(option: string): string {
  const others = {
    validateSecurity: "false",
    fileUploader: "false",
    validateRequests: "{ allowUnknownQueryParameters: true }",
  };
  const added = Object.entries(others).filter(([name]) => !option.includes(name));
  const given = ["apiSpec: file", option, ...added.map(([name, value]) => `${name}: ${value}`)].join(", ");
  return `${head}app.use("/v2", middleware({ ${given} }));\n`;
}

interface OptionCase {
  readonly option: string;
  /** The arguments of `app.use` afterwards. */
  readonly code: string;
  readonly toDecide?: readonly string[];
}

const invalidPath = "A path parameter that is not valid gets 404, and not 400: it names nothing.";
const noReport =
  'Set `validateResponses: "report"`, and pass `onInvalidResponse`, which receives the operation, the status and the issues of a response: neither its body nor the request.';
const addMulter = "Add `multer` and `@types/multer` to the dependencies: the tool brought its own.";

const optionCases: readonly OptionCase[] = [
  { option: "validateApiSpec: true, $refParser: { mode: 'bundle' }, coerceTypes: true", code: "validator({})" },
  {
    option: "ignorePaths: /health/, ignoreUndocumented: true",
    code: "validator({ ignorePaths: /health/, ignoreUndocumented: true })",
  },
  { option: "ignorePaths", code: "validator({ ignorePaths })" },
  { option: "validateRequests: true", code: 'validator({ unknownQuery: "reject" })' },
  {
    option: "validateRequests: { removeAdditional: 'all', allowUnknownQueryParameters: isOpen }",
    code: 'validator({ unknown: "strip", unknownQuery: isOpen ? "ignore" : "reject" })',
  },
  {
    option: "validateRequests: { coerceTypes: true }",
    code: 'validator({ unknownQuery: "reject" })',
    toDecide: [
      "The validator decodes parameters and forms. It converts no values in bodies of JSON: a text in the place of a number gets 400.",
    ],
  },
  {
    option: "validateRequests: false",
    code: 'validator({ /* TODO(migrate): The validator always validates requests; `operations` selects those to validate. */ validateRequests: false, unknownQuery: "reject" })',
    toDecide: ["The validator always validates requests; `operations` selects those to validate."],
  },
  { option: "validateResponses: false", code: "validator({})" },
  { option: "validateResponses: { removeAdditional: 'failing' }", code: 'validator({ validateResponses: "enforce" })' },
  {
    option: "validateResponses: isDevelopment",
    code: 'validator({ validateResponses: isDevelopment ? "enforce" : "off" })',
  },
  {
    option: "validateResponses: { onError: (error) => { throw error; } }",
    code: 'validator({ validateResponses: "enforce" })',
  },
  {
    option: "validateResponses: { onError: (error) => log(error) }",
    code: 'validator({ validateResponses: "report",\nonInvalidResponse: reportHttpError((error) => log(error)) })',
  },
  {
    option: "validateResponses: { onError: (error, body) => log(error, body) }",
    code: `validator({ /* TODO(migrate): ${noReport} */ validateResponses: { onError: (error, body) => log(error, body) } })`,
    toDecide: [noReport],
  },
  { option: "validateSecurity: true", code: "validator({ security: { token: () => true } })" },
  {
    option: "validateSecurity: { handlers: { token: async (req) => check(req) } }",
    code: "validator({ security: { token: securityHandler(async (req) => check(req)) } })",
  },
  {
    option: "validateSecurity: { handlers: { async token(req, scopes) { return check(req); } } }",
    code: "validator({ security: { token: securityHandler(async function (req, scopes) { return check(req); }) } })",
  },
  {
    option: "securityHandlers: { token }",
    code: "validator({ security: { token: securityHandler(token) } })",
  },
  { option: "validateFormats: 'full', ajvFormats: { mode: 'fast' }", code: "validator({})" },
  {
    option: "validateFormats: false",
    code: "validator({})",
    toDecide: ["The validator always checks the formats that OpenAPI defines."],
  },
  {
    option:
      "formats: [{ name: 'iban', validate: isIban }, { name: 'lot', type: 'number', validate: (lot) => lot > 9 }]",
    code: "validator({ formats: { iban: isIban, lot: { type: 'number', validate: (lot) => lot > 9 } } })",
    toDecide: ["List the formats of the validator in plumbline.yaml, and generate it: `formats: [iban, lot]`."],
  },
  {
    option: "formats: { iban: /^[A-Z]/ }",
    code: "validator({ formats: { iban: /^[A-Z]/ } })",
    toDecide: ["List the formats of the validator in plumbline.yaml, and generate it: `formats: [iban]`."],
  },
  {
    option: "formats: readFormats()",
    code: "validator({ /* TODO(migrate): `formats` is an object with a pattern or a function for each format. Write the list as one. */ formats: readFormats() })",
    toDecide: ["`formats` is an object with a pattern or a function for each format. Write the list as one."],
  },
  { option: "serDes: [serdes.dateTime.serializer]", code: "validator({})" },
  {
    option: "serDes: [serdes.dateTime]",
    code: "validator({})",
    toDecide: ["Set `dates: Date` of the validator in plumbline.yaml: `date-time` is a `Date` then."],
  },
  {
    option: "serDes: [serdes.dateTime, objectId]",
    code: "validator({ /* TODO(migrate): The validator has `dates: Date` in plumbline.yaml for `date-time`. Convert other formats in handlers. */ serDes: [serdes.dateTime, objectId] })",
    toDecide: ["The validator has `dates: Date` in plumbline.yaml for `date-time`. Convert other formats in handlers."],
  },
  { option: "operationHandlers: false", code: "validator({})" },
  {
    option: "operationHandlers: folder",
    code: "validator({ /* TODO(migrate): The validator calls no handlers. Register routes of Express, or use the generated server with an object of handlers. */ operationHandlers: folder })",
    toDecide: [
      "The validator calls no handlers. Register routes of Express, or use the generated server with an object of handlers.",
    ],
  },
  {
    option: "fileUploader: { limits: { files: 2 } }",
    code: 'validator({ unreadBodies: ["addKite"] }), uploads({ limits: { files: 2 } }), validator({ acceptParsedBody: true, operations: ["addKite"] })',
    toDecide: [addMulter],
  },
  {
    option: "fileUploader: { dest: 'uploads' }",
    code: "validator({ unreadBodies: [\"addKite\"] }), uploads({ dest: 'uploads' })",
    toDecide: [addMulter, "Files on disk are not validated. Check the fields of their forms in the handlers."],
  },
];

async function migrate(texts: Readonly<Record<string, string>>, described = description): Promise<Migrated> {
  return withFixtureFolder(texts, async (folder) => {
    const api = await buildFixtureApi(described);
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
  it.each(optionCases)("migrates `$option`", async ({ option, code, toDecide = [] }) => {
    const { texts, ...migrated } = await migratedOptions;
    const file = fileOfOption(option);
    const [, actual] = /^app\.use\("\/v2", (.*)\);\n$/ms.exec(texts[file] ?? "") ?? [];
    expect(actual).toBe(code);
    const steps = migrated.toDecide.filter((each) => each.startsWith(`${file}:`));
    expect(new Set(steps.map((each) => each.slice(each.indexOf(" ") + 1)))).toEqual(
      new Set([...toDecide, invalidPath]),
    );
  });

  it("understands all options", async () => {
    expect((await migratedOptions).notUnderstood).toEqual([]);
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

  it("does what the tool does unasked", async () => {
    const { texts, toDecide } = await migrate({
      "app.ts": `${head}app.use("/v2", middleware({ apiSpec: "kites.yaml" }));\n`,
    });
    expect(texts["app.ts"]).toContain(
      'app.use("/v2", validator({ unknownQuery: "reject", security: { token: () => true }, unreadBodies: ["addKite"] }), uploads(), validator({ acceptParsedBody: true, operations: ["addKite"] }));\n',
    );
    expect(toDecide.map((each) => each.replace(/[.:] .*/, "."))).toEqual([
      "app.ts:4 Add `multer` and `@types/multer` to the dependencies.",
      "app.ts:4 A path parameter that is not valid gets 404, and not 400.",
    ]);
  });

  it("requires no credential where the tool does not, and reads no forms where there are none", async () => {
    const oauth = "{type: oauth2, flows: {implicit: {authorizationUrl: 'https://kites.example', scopes: {}}}}";
    const described = description
      .replace("{type: http, scheme: bearer}", oauth)
      .replace("multipart/form-data", "application/json");
    const { texts } = await migrate({ "app.ts": `${head}app.use("/v2", middleware({ apiSpec: file }));\n` }, described);
    expect(texts["app.ts"]).toContain('app.use("/v2", validator({ unknownQuery: "reject" }));');
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
kites.get("/:id", (req: any, res) => {
  res.json([(req as any).openapi.pathParams.id, req.openapi.schema.operationId, req.openapi.openApiRoute]);
});
`,
    });
    expect(texts["app.ts"]).toContain('app.get("/other/:id", (req, res) => res.json(Number(req.params.id)));');
    expect(texts["kites.ts"]).toBe(`import { Router } from "express";
import { getKite, inputOf, listKites } from "@kites/validator";
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
kites.post("/", (req, res) => res.json(req.files));
kites.get("/:id", (req: any, res) => {
  const input = inputOf(getKite, req);
  // TODO(migrate): Requests have no \`openapi\`. Decoded values are in \`inputOf(operation, request)\`.
  res.json([input.path.id, "getKite", req.openapi.openApiRoute]);
});
`);
    expect(notUnderstood).toEqual(["kites.ts:8 listKites does not describe what is read here."]);
    expect(toDecide.filter((each) => each.startsWith("kites"))).toHaveLength(2);
  });

  it("passes errors to the error handlers, and tests their status in place of their class", async () => {
    const { texts } = await migrate({
      "app.ts": `import express from "express";
import { error, middleware } from "express-openapi-validator";
const app = express();
app.use(middleware({ apiSpec: file, validateSecurity: false, fileUploader: false }));
app.use((err, req, res, next) => {
  if (err instanceof error.NotFound) return res.sendStatus(404);
  res.status(err.status ?? 500).json(format(err.errors, req.headers.id));
});
`,
    });
    expect(texts["app.ts"]).toBe(`import express from "express";
import { isHttpError, throwHttpError } from "./validator-handlers.js";
import { validator } from "@kites/validator/express";
const app = express();
app.use(validator({ basePath: "/v2", unknownQuery: "reject", onError: throwHttpError }));
app.use((err, req, res, next) => {
  if (isHttpError(err, 404)) return res.sendStatus(404);
  res.status(err.status ?? 500).json(format(err.errors, req.headers.id));
});
`);
  });

  it("adds functions without types to JavaScript", async () => {
    const { texts } = await migrate({
      "app.js": `${head}app.use(middleware({ apiSpec: file }));\napp.use((err, req, res, next) => res.json(err.errors));\n`,
    });
    expect(texts["app.js"]).toContain('import { throwHttpError } from "./validator-handlers.js";');
    const added = ["validator-handlers.js", "validator-uploads.js"].map((name) =>
      parseSource(name, texts[name] ?? "="),
    );
    expect(added.map(hasSyntaxErrors)).toEqual([false, false]);
    expect(texts["validator-handlers.js"]).not.toMatch(/interface|: Request/);
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
