import { readFile } from "node:fs/promises";
import { withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { runPlumbline } from "../run-plumbline.support.js";

const texts = {
  "shelves.yaml": `openapi: 3.1.0
info: {title: Shelves, version: '1'}
servers: [{url: 'https://shelves.example/v1'}]
security: []
tags: [{name: shelves}]
paths:
  /shelves/{shelfId}:
    get:
      operationId: getShelf
      tags: [shelves]
      summary: Get a shelf
      parameters: [{name: shelfId, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: It, content: {application/json: {schema: {type: object}}}}}
`,
  "src/app.ts": `import express from "express";
import * as OpenApiValidator from "express-openapi-validator";

const app = express();
app.use(OpenApiValidator.middleware({ apiSpec: "shelves.yaml", validateResponses: true }));
app.get("/v1/shelves/:shelfId", (req, res) => {
  res.json(find(Number(req.params.shelfId)));
});
`,
};

/** The example of docs/migrate.md. */
test("migrates the set-up of a server", async () => {
  await withFixtureFolder(texts, async (folder) => {
    const page = await readFile(new URL("../../../docs/migrate.md", import.meta.url), "utf8");
    const [, example] = /## Server set-ups[^]*?```\n(src\/app\.ts[^]*?)```/.exec(page) ?? [];
    const migrate = ["migrate", "shelves.yaml", "--from", "express-openapi-validator", "--code", "src"];
    const validator = ["--validator", "@shelves/validator"];
    expect(await runPlumbline([...migrate, ...validator], folder)).toEqual({ code: 0, out: example, error: "" });
    expect(await runPlumbline(migrate, folder)).toMatchObject({
      code: 2,
      error: expect.stringContaining("Missing option --validator") as string,
    });
  });
});
