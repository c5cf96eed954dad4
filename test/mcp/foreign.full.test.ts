import { once } from "node:events";
import { mkdir, readdir, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startMcp } from "../support/mcp.js";
import { repository, unremovedFolder } from "../support/places.js";
import { plumbline, runNode } from "../support/run.js";

const examples = path.join(repository, "node_modules", "@readme", "oas-examples");
const modules = path.join(repository, "node_modules");
let folder: string;

beforeAll(async () => {
  folder = await unremovedFolder();
  await mkdir(path.join(folder, "node_modules"));
  for (const name of ["@plumbline", "@types"])
    await symlink(path.join(modules, name), path.join(folder, "node_modules", name));
});
afterAll(() => rm(folder, { recursive: true }));

/** Generates the client and the MCP server of an example, and compiles both. Returns the program. */
async function build(example: string): Promise<string> {
  const [version = "", file = ""] = example.split("/");
  const spec = path.join(examples, version, "json", `${file}.json`);
  const out = path.join(folder, file);
  const generated = await plumbline(["generate", "--spec", spec, "--out", out, "--only", "client,mcp"], { in: folder });
  expect(generated).toMatchObject({ code: 0 });
  for (const kind of ["client", "mcp"]) {
    const { name } = JSON.parse(await readFile(path.join(out, kind, "package.json"), "utf8")) as {
      readonly name: string;
    };
    const link = path.join(folder, "node_modules", name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(out, kind), link);
    const compiled = await runNode([path.join(modules, "typescript", "bin", "tsc"), "-p", path.join(out, kind)], {
      in: folder,
    });
    expect(compiled).toMatchObject({ out: "", code: 0 });
  }
  const [bin = ""] = await readdir(path.join(out, "mcp", "bin"));
  return path.join(out, "mcp", "bin", bin);
}

/** Starts a server that responds with this JSON, and reports what it received. */
async function startApi(body: unknown) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    const { authorization, cookie } = request.headers;
    received.push([request.method, request.url, authorization, cookie].filter((each) => each !== undefined).join(" "));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

describe("third-party descriptions", () => {
  it.each([
    ["3.0/petstore-expanded", 4],
    ["3.0/security-multiple", 1],
    ["3.0/parameters-style", 20],
    ["3.0/schema-circular", 1],
    ["3.1/train-travel", 7],
  ])("%s becomes a server with tools", async (example, least) => {
    const program = await build(example);
    const { client } = await startMcp(["--url", "http://127.0.0.1:1", "--token", "x", "--allow", "delete"], {
      program,
    });
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThanOrEqual(least);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { name, inputSchema } of tools) {
      expect(name).toMatch(/^[\w-]{1,64}$/);
      expect(Object.keys(inputSchema.properties ?? {}).filter((key) => !/^[\w.-]{1,64}$/.test(key))).toEqual([]);
      ajv.compile(inputSchema);
    }
  });

  it("are called with their parameters, and results that are not objects are text", async () => {
    const [bin = ""] = await readdir(path.join(folder, "petstore-expanded", "mcp", "bin"));
    const program = path.join(folder, "petstore-expanded", "mcp", "bin", bin);
    const { url, received } = await startApi([{ id: 1, name: "Rex" }]);
    const { call } = await startMcp(["--url", `${url}/api`], { program });
    expect(await call("findPets", { tags: ["a b", "c"], limit: 5 })).toEqual({
      text: '[{"id":1,"name":"Rex"}]',
      isError: false,
    });
    expect(received).toEqual(["GET /api/pets?tags=a%20b&tags=c&limit=5"]);
  });
});
