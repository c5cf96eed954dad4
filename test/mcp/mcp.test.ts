import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { createClient, createToken, joinScopes, type Scope } from "@cloud-compute/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectMcp, httpTransport, serveMcp, serveMcpOverHttp, startMcp } from "../support/mcp.js";
import { repository } from "../support/places.js";
import { startServiceInProcess } from "../support/service-in-process.js";

const start = () => startServiceInProcess(["--pace", "100"]);

/** A token of the same user with these scopes only. */
async function limitedToken(
  { url, token }: { readonly url: string; readonly token: string },
  ...list: readonly Scope[]
) {
  const created = await createToken(createClient({ baseUrl: url, token }), {
    body: { scopes: joinScopes(...list), label: "mcp" },
  });
  return created.token;
}

const instance = { region: "us-east", type: "g6-standard-1" };

describe("the tools", () => {
  it("are those that read, and describe themselves in few bytes", async () => {
    const { url, token } = await start();
    const { client, errors } = await startMcp(["--url", url], { env: { CLOUD_COMPUTE_TOKEN: token } });
    const { tools } = await client.listTools();
    expect(tools.length).toBe(42);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.find(({ name }) => name === "getInstance")).toMatchObject({
      title: "Get an instance",
      description: "Returns one instance. A restricted user needs a grant for it. Needs computes:read_only.",
      inputSchema: {
        type: "object",
        properties: { computeId: { type: "integer", minimum: 1, description: "The id of the instance." } },
        required: ["computeId"],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(42_000);
    expect(client.getServerVersion()).toMatchObject({ name: "cloud-compute-mcp", title: "Cloud Compute API" });
    expect(errors()).toBe("");
  });

  it("are all where everything is allowed, with names, schemas and hints that clients accept", async () => {
    const { url, token } = await start();
    const { client } = await serveMcp(["--url", url, "--token", token, "--allow", "delete"]);
    const { tools } = await client.listTools();
    expect(tools.length).toBe(94);
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(126_000);
    expect(tools.filter(({ name }) => !/^[\w-]{1,64}$/.test(name))).toEqual([]);
    const text = JSON.stringify(tools);
    for (const rejected of ['"$ref"', '"$schema"', '"if"', '"not"', '"dependentSchemas"'])
      expect(text).not.toContain(rejected);
    const keys = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
    expect(keys.filter((key) => !/^[\w.-]{1,64}$/.test(key))).toEqual([]);
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints["createInstance"]).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    });
    expect(hints["updateInstance"]).toMatchObject({ destructiveHint: true, idempotentHint: true });
    expect(hints["recycleCluster"]).toMatchObject({ destructiveHint: true, idempotentHint: false });
  });

  it("can be selected by name, tag and effect", async () => {
    const { url, token } = await start();
    const selected = async (...args: readonly string[]) =>
      (await serveMcp(["--url", url, "--token", token, ...args])).names();
    expect(await selected("--tools", "regions,list*s", "--allow", "createTag")).toContain("getRegion");
    expect(await selected("--tools", "tags", "--allow", "createTag")).toEqual([
      "listTags",
      "createTag",
      "listTaggedObjects",
    ]);
    expect(await selected("--tools", "tags", "--allow", "write")).toEqual([
      "listTags",
      "createTag",
      "listTaggedObjects",
    ]);
    expect(await selected("--tools", "tags", "--allow", "delete")).toContain("deleteTag");
  });

  it("are hidden that the scopes of the token do not allow, as the API states these", async () => {
    const service = await start();
    const token = await limitedToken(service, "domains:read_write", "images:read_only");
    const all = ["--url", service.url, "--token", token, "--allow", "delete"];
    const { names, call } = await serveMcp(all);
    const listed = await names();
    expect(listed).toEqual(expect.arrayContaining(["deleteDomain", "listImages", "getProfile", "listRegions"]));
    expect(listed.filter((name) => /Instance|Cluster|createImage/.test(name))).toEqual([]);
    expect(await call("listInstances")).toEqual({
      text: "The tool listInstances is not available. The token lacks the scope `computes:read_only`. Only the user can create another token.",
      isError: true,
    });
    expect(await (await serveMcp([...all, "--scopes", "kube:read_only"])).names()).not.toContain("listDomains");
  });
});

describe("a call", () => {
  it("reads, with structured content and the number of pages", async () => {
    const { url, token } = await start();
    const { call } = await serveMcp(["--url", url, "--token", token, "--allow", "createTag"]);
    for (let index = 0; index < 26; index++) await call("createTag", { body: { label: `tag-${index}` } });
    const { text, data } = await call("listTags", { page_size: 25 });
    expect(data).toMatchObject({ page: 1, pages: 2, results: 26 });
    expect(text.split("\n")[0]).toBe(JSON.stringify(data));
    expect(text).toContain("\nPage 1 of 2, with 26 items in all. Pass `page: 2` for the next one.");
    expect((await call("listTags", { page: 2, page_size: 25 })).data).toMatchObject({ page: 2, data: [{}] });
  });

  it("creates where that is allowed, and is rejected where it is not", async () => {
    const { url, token } = await start();
    const writer = await serveMcp(["--url", url, "--token", token, "--allow", "write"]);
    const { data } = await writer.call("createInstance", { body: { ...instance, label: "made-by-a-model" } });
    expect(data).toMatchObject({ label: "made-by-a-model" });
    const reader = await serveMcp(["--url", url, "--token", token]);
    expect(await reader.call("getInstance", { computeId: data?.["id"] })).toMatchObject({
      isError: false,
      data: { id: data?.["id"] },
    });
    expect(await reader.call("createInstance", { body: instance })).toMatchObject({
      isError: true,
      text: "The tool createInstance is not available. It creates or changes something, which the user has not allowed. Only the user can do so, with `--allow write`.",
    });
    expect((await reader.call("listInstances")).data).toMatchObject({ results: 1 });
  });

  it("deletes after the user has agreed in the client", async () => {
    const { url, token } = await start();
    const options = ["--url", url, "--token", token, "--allow", "delete"];
    const { call, client, questions } = await serveMcp(options, { confirms: true });
    expect(JSON.stringify((await client.listTools()).tools)).not.toContain('"confirm"');
    await call("createTag", { body: { label: "old" } });
    const declined = await serveMcp(options, { confirms: false });
    expect(await declined.call("deleteTag", { label: "old" })).toMatchObject({
      isError: true,
      text: "The user has not agreed. deleteTag was not called; do not repeat the call.",
    });
    expect((await call("listTags")).data).toMatchObject({ results: 1 });
    expect(await call("deleteTag", { label: "old" })).toMatchObject({ isError: false });
    expect(questions).toEqual(['Delete a tag? Arguments: {"label":"old"}']);
    expect((await call("listTags")).data).toMatchObject({ results: 0 });
  });

  it("deletes in two steps where the client cannot ask", async () => {
    const { url, token } = await start();
    const { call, client } = await serveMcp(["--url", url, "--token", token, "--allow", "delete"]);
    const listed = (await client.listTools()).tools.find(({ name }) => name === "deleteTag");
    expect(listed?.inputSchema.properties).toHaveProperty("confirm");
    await call("createTag", { body: { label: "old" } });
    await call("createTag", { body: { label: "kept" } });
    const first = await call("deleteTag", { label: "old" });
    expect(first).toMatchObject({ isError: false });
    const code = /confirm: "(\d{6})"/.exec(first.text)?.[1];
    expect((await call("deleteTag", { label: "kept", confirm: code })).text).toContain("Nothing was done.");
    const second = /confirm: "(\d{6})"/.exec((await call("deleteTag", { label: "old" })).text)?.[1];
    expect(await call("deleteTag", { label: "old", confirm: second })).toMatchObject({ isError: false });
    expect((await call("deleteTag", { label: "old", confirm: second })).isError).toBe(true);
    expect((await call("listTags")).data).toMatchObject({ data: [{ label: "kept" }] });
  });

  it("explains its error: what is wrong, what it means, and what to do", async () => {
    const { url, token } = await start();
    const { call } = await serveMcp(["--url", url, "--token", token, "--allow", "write"]);
    const { text, isError } = await call("createInstance", { body: { ...instance, region: "mars" } });
    expect(isError).toBe(true);
    expect(text).toMatch(
      /^createInstance failed: the API responded with status 400\.\n- `region`: .+ \(no-such-region\)\nCorrect the named arguments and call again\./,
    );
    expect((await call("getInstance", { computeId: 12345 })).text).toContain("Check the ids in the arguments");
    expect((await call("getInstance", { id: 5 })).text).toBe(
      "Nothing was sent: the arguments of getInstance are not valid.\n- the arguments must have required property 'computeId'\n- the arguments: unknown property `id`",
    );
    const unknown = await serveMcp(["--url", url, "--token", "not-a-token"]);
    const rejected = await unknown.call("listInstances");
    expect(rejected.text).toContain("or invalid-token: The token is unknown, expired or revoked.)");
    expect(rejected.text).not.toContain("not-a-token");
    const unreachable = await serveMcp(["--url", await closedAddress(), "--token", "not-a-token", "--scopes", "*"]);
    expect((await unreachable.call("listRegions")).text).toBe(
      "listRegions failed: ECONNREFUSED.\nCall again later, or ask the user to check the address of the API.",
    );
  });

  it("waits for the documented rate instead of exceeding it", async () => {
    const { url, token } = await start();
    const { call } = await serveMcp(["--url", url, "--token", token, "--allow", "write", "--timeout", "5"]);
    const calls = await Promise.all(Array.from({ length: 11 }, () => call("createInstance", { body: instance })));
    expect(calls.filter(({ isError }) => !isError).length).toBe(10);
    // The rate is 10 in 30 s, so the eleventh call was not sent within its 5 s.
    expect(calls.find(({ isError }) => isError)?.text).toMatch(
      /^createInstance failed: the API did not respond in time\.\n/,
    );
    expect((await call("listInstances")).data).toMatchObject({ results: 10 });
  });
});

describe("streamable HTTP", () => {
  it("serves several clients, and rejects web pages", async () => {
    const { url, token } = await start();
    const address = await serveHttp(["--url", url, "--token", token, "--port", "0", "--allow", "createTag,deleteTag"]);
    const one = await connectMcp(httpTransport(address));
    const other = await connectMcp(httpTransport(address), { confirms: true });
    await one.call("createTag", { body: { label: "shared" } });
    expect((await other.call("listTags")).data).toMatchObject({ data: [{ label: "shared" }] });
    expect((await one.call("deleteTag", { label: "shared" })).text).toContain("Nothing was done yet");
    expect(await other.call("deleteTag", { label: "shared" })).toMatchObject({ isError: false });
    expect([one.questions.length, other.questions.length]).toEqual([0, 1]);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const page = await fetch(address, {
      method: "POST",
      body,
      headers: { ...headers, origin: "https://pages.example" },
    });
    expect(page.status).toBe(403);
    expect((await fetch(address, { method: "POST", body, headers })).status).toBe(400);
    expect((await fetch(address, { method: "POST", body: "{", headers })).status).toBe(400);
    expect((await fetch(address, { headers: { ...headers, "mcp-session-id": "unknown" } })).status).toBe(404);
    expect((await fetch(new URL("/", address))).status).toBe(404);
  });

  it("demands its own token where one is set", async () => {
    const { url, token } = await start();
    const address = await serveMcpOverHttp(["--url", url, "--token", token, "--access-token", "of-clients"]);
    await expect(connectMcp(httpTransport(address))).rejects.toThrow(/access token/);
    const { names } = await connectMcp(httpTransport(address, { authorization: "Bearer of-clients" }));
    expect(await names()).toContain("listTags");
  });
});

/** The URL of a port that nothing listens on. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return `http://127.0.0.1:${port}`;
}

/** Starts the command on a free port, until the test ends. Returns its URL. */
async function serveHttp(args: readonly string[]): Promise<string> {
  const program = path.join(repository, "packages", "mcp", "bin", "cloud-compute-mcp.js");
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(async () => {
    child.kill();
    expect(await once(child, "exit")).toEqual([0, null]);
  });
  const [line] = (await once(createInterface(child.stderr), "line")) as [string];
  return line.replace(/^.* /, "");
}
