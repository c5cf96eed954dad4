import path from "node:path";
import { expect, test } from "vitest";
import type { Api } from "../../model/index.js";
import { buildApi, loadDescription } from "../../openapi/index.js";
import { withFixtureFolder } from "../../openapi/testing.js";
import { createRequestSamples } from "./index.js";

const shop = (operation: string, components = ""): string => `openapi: 3.1.0
info: {title: Shop, version: 1.0.0}
servers: [{url: https://shop.example/v1}]
paths:
  /pets/{petId}:
    ${operation}
${components}`;

const bearer = `components: {securitySchemes: {token: {type: http, scheme: bearer}}}\nsecurity: [{token: []}]\n`;

test("prints a request for curl, fetch and the client", async () => {
  const api = await read(
    shop(
      `put:
      operationId: replacePet
      parameters:
        - {name: petId, in: path, required: true, schema: {type: string, examples: [a/b c]}}
        - {name: notify, in: query, required: true, schema: {type: boolean}}
        - {name: page, in: query, schema: {type: integer}}
      requestBody: {content: {application/json: {example: {name: "Rex's", tags: [a]}, schema: {type: object}}}}
      responses: {'200': {description: It., content: {application/json: {schema: {type: object}}}}}`,
      bearer,
    ),
  );
  expect(samplesOf(api, "@pets/client")).toEqual({
    curl: String.raw`curl -X PUT 'https://shop.example/v1/pets/a/b%20c?notify=true' \
  -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' \
  --data '{
  "name": "Rex'\''s",
  "tags": [
    "a"
  ]
}'`,
    fetch: `const response = await fetch("https://shop.example/v1/pets/a/b%20c?notify=true", {
  method: "PUT",
  headers: {
    Authorization: \`Bearer \${token}\`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ name: "Rex's", tags: ["a"] }),
});
if (!response.ok) throw new Error(\`HTTP \${response.status}\`);
const result = await response.json();`,
    client: `import { createClient, replacePet } from "@pets/client";

const client = createClient({ token });
const result = await replacePet(client, {
  path: { petId: "a/b c" },
  query: { notify: true },
  body: { name: "Rex's", tags: ["a"] },
});`,
  });
});

test("a request without a body, a credential and a client is short", async () => {
  const api = await read(
    shop(`get: {operationId: getPet, parameters: [{name: petId, in: path, required: true, schema: {type: integer}}],
      responses: {'204': {description: Nothing.}}}`),
  );
  expect(samplesOf(api)).toEqual({
    curl: "curl 'https://shop.example/v1/pets/1'",
    fetch: `const response = await fetch("https://shop.example/v1/pets/1");
if (!response.ok) throw new Error(\`HTTP \${response.status}\`);`,
  });
});

test("without a server, a client is told where the API is; files are files", async () => {
  const upload = shop(
    `post:
      operationId: uploadPhoto
      requestBody: {required: true, content: {multipart/form-data: {schema: {type: object, required: [file, caption], properties: {file: {type: string, contentMediaType: application/octet-stream}, caption: {type: string, examples: [Rex]}}}}}}
      responses: {'204': {description: Nothing.}}`,
    bearer,
  ).replace(/servers: .*\n/, "");
  expect(samplesOf(await read(upload), "@pets/client")).toEqual({
    curl: String.raw`curl -X POST 'https://api.example.com/pets/text' \
  -H "Authorization: Bearer $TOKEN" \
  -F 'file=@photo.jpg' \
  -F 'caption=Rex'`,
    fetch: `const file = new Blob(["..."]);
const form = new FormData();
form.append("file", file);
form.append("caption", "Rex");

const response = await fetch("https://api.example.com/pets/text", {
  method: "POST",
  headers: {
    Authorization: \`Bearer \${token}\`,
  },
  body: form,
});
if (!response.ok) throw new Error(\`HTTP \${response.status}\`);`,
    client: `import { createClient, uploadPhoto } from "@pets/client";

const client = createClient({ baseUrl: "https://api.example.com", token });
const file = new Blob(["..."]);
const result = await uploadPhoto(client, {
  path: { petId: "text" },
  body: { file, caption: "Rex" },
});`,
  });
});

test("an upload sends a file as its body", async () => {
  const put = `put: {operationId: putPhoto, requestBody: {required: true, content: {image/png: {schema: {type: string, format: binary}}}}, responses: {'204': {description: Nothing.}}}`;
  const { fetch, client } = samplesOf(await read(shop(put)), "@pets/client");
  expect(fetch).toContain('const file = new Blob(["..."]);\n\nconst response');
  expect(client).toContain('putPhoto(client, { path: { petId: "text" }, body: file });');
});

test("a shell expands nothing of a description", async () => {
  const scheme = `components: {securitySchemes: {key: {type: apiKey, in: header, name: "X-$(id)"}}}\nsecurity: [{key: []}]\n`;
  const api = await read(
    shop(
      `get: {operationId: getPet, parameters: [{name: petId, in: path, required: true, schema: {type: string, examples: ["'; id; '"]}}],
      responses: {'204': {description: Nothing.}}}`,
      scheme,
    ),
  );
  const { curl, fetch } = samplesOf(api);
  expect(curl).toBe(
    String.raw`curl 'https://shop.example/v1/pets/'\''%3B%20id%3B%20'\''' \
  -H 'X-$(id): '"$API_KEY"`,
  );
  expect(fetch).toContain('"X-$(id)": apiKey,');
});

function samplesOf(api: Api, client?: string): Readonly<Record<string, string>> {
  const [operation] = api.operations;
  if (operation === undefined) throw new Error("The description has no operation.");
  return Object.fromEntries(createRequestSamples(api, operation, client).map(({ label, text }) => [label, text]));
}

async function read(text: string): Promise<Api> {
  return withFixtureFolder(text, async (folder) =>
    buildApi(await loadDescription(path.join(folder, "openapi.yaml")), { names: {}, requirements: undefined }),
  );
}
