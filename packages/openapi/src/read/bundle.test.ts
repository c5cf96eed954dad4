import path from "node:path";
import { expect, test } from "vitest";
import { withFixtureFolder } from "../testing.js";
import { bundleDescription } from "./bundle.js";

const files = {
  "openapi.yaml": `openapi: 3.1.0
info: {title: Notes, version: '1'}
paths: {/notes: {$ref: 'notes/paths.yaml#/notes'}}
`,
  "notes/paths.yaml": `notes:
  post:
    operationId: createNote
    x-grants: [{$ref: '../grants.yaml#/Adding'}]
    requestBody: {content: {application/json: {schema: {$ref: '../schemas.yaml#/Note'}}}}
    responses: {'200': {description: ok}}
`,
  "grants.yaml": "Adding: {global: add_notes, when: {body: {$ref: 'schemas.yaml#/Note'}}}\n",
  "schemas.yaml": "Note: {type: object}\n",
};

test("a bundled description refers to itself alone, also in extension fields", async () => {
  const bundled = await withFixtureFolder(files, (folder) =>
    bundleDescription({ description: path.join(folder, "openapi.yaml"), overlays: [] }),
  );
  const note = { $ref: "#/components/schemas/Note" };
  expect(bundled).toMatchObject({
    paths: {
      "/notes": {
        post: {
          "x-grants": [{ global: "add_notes", when: { body: note } }],
          requestBody: { content: { "application/json": { schema: note } } },
        },
      },
    },
    components: { schemas: { Note: { type: "object" } } },
  });
});

test("a reference that leads nowhere is reported", async () => {
  const absent = {
    ...files,
    "grants.yaml": "Adding: {global: add_notes, when: {body: {$ref: 'absent.yaml#/Note'}}}\n",
  };
  const error = await withFixtureFolder(absent, (folder) =>
    bundleDescription({ description: path.join(folder, "openapi.yaml"), overlays: [] }),
  ).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ diagnostics: [{ code: "description/reference", severity: "error" }] });
});
