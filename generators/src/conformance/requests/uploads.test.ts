import type { CallStep } from "@plumbline/conformance-runtime";
import { expect, test } from "vitest";
import { isolationCases } from "../cases/access/isolation.js";
import { baselineCases } from "../cases/operations.js";
import { contextFromText } from "../context/fixture-context.support.js";
import { possibleCases } from "../possible-cases.js";
import { operationInfos } from "./operation-info.js";

/** A description of folders to which files are uploaded as this content. */
async function folders(content: string) {
  const context = await contextFromText(`openapi: 3.1.0
info: {title: Files, version: '1'}
paths:
  /folders:
    post:
      operationId: createFolder
      tags: [files]
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {'201': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Folder'}}}}}
  /folders/{folderId}/files:
    post:
      operationId: uploadFile
      tags: [files]
      parameters: [{name: folderId, in: path, required: true, schema: {type: integer}, x-reference: {to: Folder}}]
      requestBody: {required: true, content: ${content}}
      responses: {'201': {description: Stored.}, '404': {description: No folder.}}
components:
  schemas:
    Folder: {type: object, required: [id], x-resource: {owner: [account]}, properties: {id: {type: integer}}}
`);
  const cases = possibleCases(context, [...baselineCases(context), ...isolationCases(context)]);
  const bodies = cases.flatMap(({ id, steps }) => {
    const calls = steps.filter(
      (step): step is CallStep => "call" in step && step.call === "uploadFile" && step.method === undefined,
    );
    return calls.map(({ body }) => [id.replace("files/uploadFile/", ""), body] as const);
  });
  return { bodies, files: operationInfos(context, context.api)["uploadFile"]?.files };
}

const kinds = ["accepts", "http/folderId/unknown", "path/folderId/nonexistent", "others/other-account"];

test.each([
  ["any bytes", "{application/octet-stream: {}}", "text", undefined],
  ["text", "{text/plain: {schema: {type: string, minLength: 5}}}", "example-1", undefined],
  [
    "a form",
    "{application/x-www-form-urlencoded: {schema: {type: object, required: [a], properties: {a: {type: integer}}}}}",
    { a: 1 },
    undefined,
  ],
  [
    "a multipart form of 3.0",
    "{multipart/form-data: {schema: {type: object, required: [file], properties: {file: {type: string, format: binary}}}}}",
    { file: "text" },
    { file: "application/octet-stream" },
  ],
  [
    "a multipart form of 3.1",
    "{multipart/form-data: {schema: {type: object, required: [file], properties: {file: {type: string, contentMediaType: application/octet-stream}}}}}",
    { file: "text" },
    { file: "application/octet-stream" },
  ],
])(
  "%s is sent with each request that an unknown object rejects, and is accepted",
  async (_name, content, body, files) => {
    const found = await folders(content);
    expect(found.files).toEqual(files);
    for (const kind of kinds) expect(found.bodies.find(([id]) => id === kind)?.[1]).toEqual(body);
    expect(found.bodies.filter(([, sent]) => sent === undefined)).toEqual([]);
  },
);

test.each([
  ["an image", "{image/png: {}}"],
  [
    "an image in a form",
    "{multipart/form-data: {encoding: {file: {contentType: image/png}}, schema: {type: object, required: [file], properties: {file: {type: string, format: binary}}}}}",
  ],
])("%s cannot be made up, so no case needs one", async (_name, content) => {
  expect((await folders(content)).bodies).toEqual([]);
});
