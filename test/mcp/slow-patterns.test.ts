import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { plumbline, runNode } from "../support/run.js";

const body = {
  type: "object",
  properties: {
    nick: { type: "string", pattern: "^(a+)+$" },
    // Compiled checks match it with `RegExp`, behind the length. Ajv evaluates both.
    short: { type: "string", pattern: "^(b+)+$", maxLength: 5 },
    repeated: { type: "string", pattern: "^([xy]).*\\1$" },
    keys: { type: "object", patternProperties: { "^(e+)+$": { type: "integer" } }, additionalProperties: false },
    names: { type: "object", propertyNames: { pattern: "^(n+)+$" } },
    either: { oneOf: [{ type: "string", pattern: "^(a+)+$" }, { const: "b" }] },
  },
};

const description = {
  openapi: "3.1.0",
  info: { title: "Boats", version: "1.0.0" },
  servers: [{ url: "https://boats.example" }],
  paths: {
    "/boats": {
      post: {
        operationId: "addBoat",
        requestBody: { required: true, content: { "application/json": { schema: body } } },
        responses: { 200: { description: "It.", content: { "application/json": { schema: body } } } },
      },
    },
  },
};

/** Calls the tool with each body, of an API that returns it. Prints whether each call was sent. */
const program = `import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { callOperation, jsonBody } from "@plumbline/client-runtime";
import { createServers } from "@plumbline/mcp-runtime";

const [schema, bodies] = JSON.parse(await readFile("calls.json", "utf8"));
const data = JSON.parse(await readFile("boats/mcp/data/toolset.json", "utf8"));
const tools = data.tools.map((tool) => ({ ...tool, ...(schema && { inputSchema: schema, outputSchema: undefined }) }));
const operation = { method: "POST", path: "/boats", encoders: [jsonBody] };
const addBoat = (client, request, options) => callOperation(client, operation, request, options);

const api = createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  request.pipe(response);
}).listen(0, "127.0.0.1", async () => {
  const options = { url: "http://127.0.0.1:" + api.address().port, allow: ["write"] };
  const [left, right] = InMemoryTransport.createLinkedPair();
  await createServers({ ...data, tools, functions: { addBoat } }, options)().connect(left);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(right);
  await client.listTools();
  const sent = [];
  for (const body of bodies) sent.push((await client.callTool({ name: "addBoat", arguments: { body } })).isError !== true);
  console.log(JSON.stringify(sent));
  process.exit();
});
`;

const long = 100_000;
const text = (letter: string): string => letter.repeat(long);

/** Bodies with texts that take the matcher of JavaScript 2 to the power of their length; and whether each matches. */
const bodies: readonly (readonly [body: object, isValid: boolean | "unchecked"])[] = [
  [{ nick: `${text("a")}!` }, false],
  [{ nick: `${"a".repeat(40)}!` }, false],
  [{ nick: text("a") }, true],
  [{ short: `${"b".repeat(40)}!` }, false],
  [{ short: "bbbbb" }, true],
  [{ repeated: `x${text("y")}` }, "unchecked"],
  [{ keys: { [`${text("e")}!`]: 1 } }, false],
  [{ keys: { [text("e")]: 1 } }, true],
  [{ names: { [`${text("n")}!`]: 1 } }, false],
  [{ names: { [text("n")]: 1 } }, true],
  [{ either: `${text("a")}!` }, false],
  [{ either: "b" }, true],
];

/** Whether each body was sent, by tools with the generated schema or another one. In a process of its own, which is killed if it hangs. */
async function callTools(schema?: object): Promise<readonly boolean[]> {
  const folder = await temporaryFolder();
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  await place(folder, {
    "boats.json": JSON.stringify(description),
    "calls.json": JSON.stringify([schema ?? null, bodies.map(([each]) => each)]),
    "call.mjs": program,
  });
  const args = ["generate", "--spec", "boats.json", "--out", "boats", "--only", "client,mcp"];
  expect(await plumbline(args, { in: folder })).toMatchObject({ code: 0 });
  const toolset = await readFile(path.join(folder, "boats/mcp/data/toolset.json"), "utf8");
  // Clients validate by the schemas, with matchers of their own.
  expect(toolset).not.toContain("+)+$");
  const { code, out, error } = await runNode(["call.mjs"], { in: folder });
  expect({ code, error }).toEqual({ code: 0, error: "" });
  return JSON.parse(out) as readonly boolean[];
}

it("no argument makes a server with generated tools hang: the API checks slow patterns", async () => {
  const sent = await callTools();
  expect(sent).toEqual(bodies.map(([each]) => !("short" in each) || each.short === "bbbbb"));
});

it("no argument makes a server with tools of one's own hang: it matches slow patterns in linear time", async () => {
  const sent = await callTools({ type: "object", properties: { body }, additionalProperties: false });
  expect(sent).toEqual(bodies.map(([, isValid]) => isValid !== false));
});
