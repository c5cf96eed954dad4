import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesOf, pets, place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

const split = `openapi: 3.1.0
info: {title: Notes, version: 1.0.0}
paths: {/notes: {$ref: '../shared/paths.yaml'}}
`;
const sharedPaths = "get: {operationId: listNotes, responses: {'204': {description: None}}}\n";
const answers: Readonly<Record<string, readonly [type: string, text: string]>> = {
  "/openapi.yaml": ["text/plain", pets],
  "/v1/notes": ["application/yaml", split],
  "/shared/paths.yaml": ["application/yaml", sharedPaths],
  "/wrong.json": [
    "application/json",
    '{\n  "openapi": "3.1.0", "info": {"title": "A", "version": "1"},\n  "paths": 1}',
  ],
  "/": ["text/html", "<html></html>"],
};
const server = createServer((request, response) => {
  const answer = answers[(request.url ?? "").split("?")[0] ?? ""];
  if (answer === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": answer[0] }).end(answer[1]);
});
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe("plumbline init with a URL", () => {
  it("saves the description beside plumbline.yaml, which says where from", async () => {
    const folder = await temporaryFolder();
    const args = ["init", `${origin}/openapi.yaml?token=secret`, "--artifacts", "client"];
    const { code, out, error } = await plumbline(args, { in: folder });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toMatch(/^wrote {4}spec\/openapi\.yaml\nwrote {4}spec\/plumbline\.yaml\n/);
    const files = await filesOf(folder);
    expect(files["spec/openapi.yaml"]).toBe(pets);
    expect(files["spec/plumbline.yaml"]).toContain(
      `descriptions:\n  # \`plumbline init\` fetched this description once from ${origin}/openapi.yaml?…\n  - description: openapi.yaml\n`,
    );
    expect(JSON.stringify(files)).not.toContain("secret");
    expect((await plumbline(["generate"], { in: folder })).code).toBe(0);
  });

  it("saves it in spec for a client in the sources of an application, too", async () => {
    const folder = await temporaryFolder();
    const { out } = await plumbline(["init", `${origin}/v1/notes`, "--sources", "src/api"], { in: folder });
    expect(out).toMatch(
      /^wrote {4}spec\/v1\/notes\.yaml\nwrote {4}spec\/shared\/paths\.yaml\nwrote {4}plumbline\.yaml\n/,
    );
    expect((await filesOf(folder))["plumbline.yaml"]).toContain("description: spec/v1/notes.yaml\n");
    expect((await plumbline(["generate"], { in: folder })).out).toMatch(/^1 operation; /m);
  });

  it("saves the files that the description refers to", async () => {
    const folder = await temporaryFolder();
    const { code, error } = await plumbline(["init", `${origin}/v1/notes`, "--artifacts", "client"], { in: folder });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    const files = await filesOf(folder);
    expect([files["spec/v1/notes.yaml"], files["spec/shared/paths.yaml"]]).toEqual([split, sharedPaths]);
    expect(files["spec/plumbline.yaml"]).toContain("description: v1/notes.yaml\n");
    expect((await plumbline(["generate"], { in: folder })).out).toMatch(/^1 operation; /m);
  });

  it.each([
    ["/wrong.json", /^http:\/\/127\.0\.0\.1:\d+\/wrong\.json:3:3 {2}error {2}openapi\/struct {2}/],
    [
      "/missing.json",
      /^http:\/\/127\.0\.0\.1:\d+\/missing\.json {2}The server responds with 404\. Check the address\.\nNothing was changed\./,
    ],
    ["/", /^http:\/\/127\.0\.0\.1:\d+\/ {2}The response is a web page or XML, not a description\./],
  ])("reports a problem of %s with its URL, and writes nothing", async (path, says) => {
    const folder = await temporaryFolder();
    const { code, out, error } = await plumbline(["init", origin + path], { in: folder });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toMatch(says);
    expect(await filesOf(folder)).toEqual({});
  });

  it("never replaces a file", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "spec/openapi.yaml": "mine" });
    const { code, error } = await plumbline(["init", `${origin}/openapi.yaml`], { in: folder });
    expect(code).toBe(1);
    expect(error).toMatch(/^spec\/openapi\.yaml {2}This file exists already/);
    expect(await filesOf(folder)).toEqual({ "spec/openapi.yaml": "mine" });
  });
});

describe("a description on standard input", () => {
  const json = JSON.stringify({ openapi: "3.1.0", info: { title: "Notes", version: "1.0.0" }, paths: {} });

  it("is generated, linted and printed as a model, as YAML or JSON", async () => {
    const folder = await temporaryFolder();
    const generated = await plumbline(["generate", "--spec", "-", "--only", "client"], { in: folder, input: pets });
    expect(generated).toMatchObject({ code: 0, error: "" });
    expect(Object.keys(await filesOf(folder))).toContain("generated/client/src/gen/client.ts");
    expect(await plumbline(["lint", "-"], { in: folder, input: json })).toEqual({
      code: 0,
      out: "No problems in stdin.\n",
      error: "",
    });
    const { out } = await plumbline(["model", "--spec", "-"], { in: folder, input: json });
    expect(JSON.parse(out)).toMatchObject({ title: "Notes", origin: { file: "stdin" } });
  });

  it("is read again for each run", async () => {
    const folder = await temporaryFolder();
    for (const title of ["First", "Second"]) {
      const { out } = await plumbline(["model", "-"], { in: folder, input: json.replace("Notes", title) });
      expect(JSON.parse(out)).toMatchObject({ title });
    }
  });

  it("refers to files of the current folder, and to none outside", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "shared/paths.yaml": sharedPaths, "inner/.keep": "" });
    const input = split.replace("../shared", "./shared");
    expect(await plumbline(["lint", "-"], { in: folder, input })).toMatchObject({ code: 0 });
    const { code, out } = await plumbline(["lint", "-"], { in: `${folder}/inner`, input: split });
    expect(code).toBe(1);
    expect(out).toContain("stdin:3:9  error  openapi/no-unresolved-refs  ");
    expect(out).toContain("../shared/paths.yaml is outside of the folder inner");
  });

  it.each([
    [
      "invalid YAML",
      "openapi: [",
      "stdin:1:11  error  description/syntax  This is not valid YAML or JSON: unexpected end of the stream",
    ],
    ["nothing", "", "stdin:1:1  error  description/version  This does not say which OpenAPI it is."],
    [
      "64 MB and a byte",
      " ".repeat(64 * 2 ** 20 + 1),
      "description/unreadable  This file cannot be read: it has more than 64 MB.",
    ],
  ])("reports %s", async (_, input, says) => {
    const { code, out } = await plumbline(["lint", "-"], { in: await temporaryFolder(), input });
    expect(code).toBe(1);
    expect(out).toContain(says);
  });

  it("cannot be watched, and a URL is not a file", async () => {
    const folder = await temporaryFolder();
    const watching = await plumbline(["generate", "--watch", "--spec", "-"], { in: folder, input: pets });
    expect(watching).toMatchObject({ code: 2 });
    expect(watching.error).toContain("--watch requires a file: standard input does not change.");
    const remote = await plumbline(["generate", "--spec", `${origin}/openapi.yaml`], { in: folder });
    expect(remote).toMatchObject({ code: 2 });
    expect(remote.error).toContain("Save the description once with plumbline init URL, or pass it with --spec -.");
  });
});
