import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startCloud } from "./support/cloud.js";
import { checkTypes, examplesOf, projectOf } from "./support/examples.js";
import { pets, place } from "./support/pets.js";
import { repository, temporaryFolder } from "./support/places.js";
import { plumbline, runNode } from "./support/run.js";
import { readTracked, trackedFiles } from "./support/tracked.js";

/** The examples of READMEs as programs, by the name of the package. */
const programs: Readonly<Record<string, readonly string[]>> = {
  client: examplesOf(readTracked("packages/client/README.md")),
  "client-runtime": examplesOf(readTracked("packages/client-runtime/README.md")),
  "conformance-runtime": examplesOf(readTracked("packages/conformance-runtime/README.md")).slice(0, 1),
  mock: examplesOf(readTracked("packages/mock/README.md")),
  "server-runtime": examplesOf(readTracked("packages/server-runtime/docs/mock.md")),
  mcp: examplesOf(readTracked("packages/mcp/README.md")),
  "mcp-runtime": examplesOf(readTracked("packages/mcp-runtime/README.md")),
  server: examplesOf(readTracked("packages/server/README.md")),
  service: examplesOf(readTracked("packages/service/README.md")),
  validator: validatorPrograms(examplesOf(readTracked("packages/validator/README.md"))),
};

it("the examples of the READMEs compile, beside one that is wrong", async () => {
  const none = Object.entries(programs).flatMap(([name, { length }]) => (length === 0 ? [name] : []));
  expect(none).toEqual([]);
  const project = await projectOf([]);
  for (const [name, texts] of Object.entries(programs))
    for (const [index, text] of texts.entries()) await place(project, { [`${name}/example-${index + 1}.ts`]: text });
  await place(project, {
    "conformance-runtime/suite.ts": `import { readSuite } from "@plumbline/conformance-runtime";
export const suite = readSuite(new URL("file:///suite/"));
`,
    "client/wrong.ts": (programs["client"]?.[0] ?? "").replace("region:", "regoin:"),
  });
  const { code, out } = await checkTypes(project);
  expect(code).not.toBe(0);
  const errors = out.split("\n").filter((line) => line !== "" && !line.startsWith(" "));
  expect(errors).toEqual([expect.stringContaining("'regoin' does not exist in type")]);
  expect(errors[0]).toMatch(/^client\/wrong\.ts\(/);
});

/** The second goes on where the first ends. */
function validatorPrograms([app = "", handler = "", alone = "", beside = ""]: readonly string[]): readonly string[] {
  return [app + handler, alone, beside];
}

describe("the README of the client", () => {
  const examples = examplesOf(readTracked("packages/client/README.md"));

  it("has working examples", async () => {
    const cloud = await startCloud();
    onTestFinished(() => cloud.close());
    const project = await projectOf(examples);
    const use = [1, 2, 4, 5].map((example) => `await import("./example-${example}.js");\nconsole.log("---");\n`);
    await place(project, { "use.js": use.join("") });
    const env = { CLOUD_COMPUTE_TOKEN: cloud.token, CLOUD_COMPUTE_URL: cloud.url };
    const { code, out, error } = await runNode(["use.js"], { in: project, env });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    const [first, second, fourth, fifth] = out.split("---\n");
    expect(first).toContain("label: 'web-1'");
    expect(cloud.requests.slice(0, 2).map(({ method, target }) => `${method} ${target}`)).toEqual([
      "POST /v4/compute/instances",
      "GET /v4/compute/instances",
    ]);
    expect(second).toBe(`GET ${cloud.url}/compute/instances 200\n`);
    expect(fourth).toMatch(/^200 application\/json/);
    expect(fifth).toMatch(/^http 401 \[ \{ reason: 'Invalid Token' \} \] request-\d+\n$/);
  });
});

describe("the README of the server", () => {
  const examples = examplesOf(readTracked("packages/server/README.md"));

  it("has working examples", async () => {
    const project = await projectOf(examples);
    const use = `
import http from "node:http";
import { nodeListener } from "@cloud-compute/server/node";
import { startServer } from "./example-1.js";
import { some } from "./example-2.js";
try { startServer({}, {}); } catch (error) { console.log(error.message.split(",")[0]); }
const server = http.createServer(nodeListener(some({ listInstances: () => undefined }))).listen(0, "127.0.0.1", async () => {
  for (const path of ["compute/instances", "regions"]) {
    const response = await fetch(\`http://127.0.0.1:\${server.address().port}/v4/\${path}\`, { headers: { connection: "close" } });
    console.log(response.status, await response.text());
  }
  server.close();
});
`;
    await place(project, { "use.js": use });
    expect(await runNode(["use.js"], { in: project })).toEqual({
      code: 0,
      out: [
        "Missing handlers: listInstances",
        '401 {"errors":[{"reason":"Invalid Token"}]}',
        '501 {"errors":[{"reason":"Not implemented"}]}',
        "",
      ].join("\n"),
      error: "",
    });
  });
});

describe("the README of the validator", () => {
  const [app = "", , alone = "", secured = "", beside = ""] = examplesOf(readTracked("packages/validator/README.md"));

  it("has working examples", async () => {
    const use = `
const server = app.listen(0, async () => {
  const body = JSON.stringify({ region: "us-east" });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  const response = await fetch(\`http://127.0.0.1:\${server.address().port}/v4/compute/instances\`, init);
  console.log(response.status, await response.text());
  server.close();
});
`;
    const project = await projectOf([app, alone]);
    await place(project, { "use.js": app + use });
    expect(await runNode(["use.js"], { in: project })).toEqual({
      code: 0,
      out: '400 {"errors":[{"field":"type","reason":"is required"}]}\n',
      error: "",
    });
    const { code, out } = await runNode(["example-2.js"], { in: project });
    expect({ code, faults: [...out.matchAll(/field: '(\w+)'/g)].map(([, field]) => field) }).toEqual({
      code: 0,
      faults: ["region", "type"],
    });
  });

  it("has a working example that checks credentials", async () => {
    const use = `
secured.get("/v4/{*rest}", (_, response) => response.json({}));
const server = secured.listen(0, async () => {
  const statusOf = async (path, token) => {
    const headers = token === undefined ? {} : { authorization: "Bearer " + token };
    return (await fetch(\`http://127.0.0.1:\${server.address().port}/v4\${path}\`, { headers })).status;
  };
  console.log(await statusOf("/compute/instances"), await statusOf("/compute/instances", "wrong"));
  console.log(await statusOf("/compute/instances", "secret"), await statusOf("/tags", "secret"), await statusOf("/images"));
  server.close();
});
`;
    const project = await projectOf([]);
    await place(project, { "use.js": secured + use });
    expect(await runNode(["use.js"], { in: project })).toEqual({ code: 0, out: "401 401\n200 403 200\n", error: "" });
  });

  it("has a working example beside a parser, CORS and routes that are not documented", async () => {
    const use = `
guarded.get("/v4/health", (_, response) => response.json({ isHealthy: true }));
const server = guarded.listen(0, async () => {
  const url = \`http://127.0.0.1:\${server.address().port}/v4\`;
  const headers = { "content-type": "application/json" };
  const preflight = await fetch(url + "/compute/instances", { method: "OPTIONS" });
  const health = await fetch(url + "/health");
  const invalid = await fetch(url + "/compute/instances", { method: "POST", headers, body: '{"region":"us-east"}' });
  console.log(preflight.status, await health.text());
  console.log(invalid.headers.get("access-control-allow-origin"), invalid.status, await invalid.text());
  server.close();
});
`;
    const project = await projectOf([]);
    await place(project, { "use.js": beside + use });
    expect(await runNode(["use.js"], { in: project })).toEqual({
      code: 0,
      out: '204 {"isHealthy":true}\n* 400 {"errors":[{"field":"type","reason":"is required"}]}\n',
      error: "",
    });
  });
});

describe("the README of the client runtime", () => {
  const examples = examplesOf(readTracked("packages/client-runtime/README.md"));

  it("has a working first example", async () => {
    const server = createServer(({ url }, response) => {
      const found = url === "/v4/compute/instances/5";
      response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(found ? { id: 5, label: "web" } : { reason: "Not found" }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`;
    const project = await projectOf(examples);
    await place(project, {
      "use.js": `import { labelOf } from "./example-1.js";
console.log(await labelOf(5, "${url}"), await labelOf(6, "${url}"));
`,
    });
    expect(await runNode(["use.js"], { in: project })).toEqual({ code: 0, out: "web none: Not found\n", error: "" });
  });
});

describe("the README of the generators", () => {
  const page = readTracked("packages/plumbline/README.md");

  it("has a working first example", async () => {
    const [, description = ""] = /^```yaml\n([^]*?)^```$/m.exec(page) ?? [];
    const [, command = "", reported = ""] = /^```sh\n\$ npx plumbline (.*)\n([^]*?)^```$/m.exec(page) ?? [];
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": description });
    const { code, out, error } = await plumbline(command.split(" "), { in: folder });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out.replace(/in \S+ s$/m, "in 0.2 s")).toBe(reported);
  });

  it("names every command and no other", async () => {
    const { out } = await plumbline(["--help"], { in: await temporaryFolder() });
    const commands = [...out.matchAll(/^ {2}([a-z]+) {3}/gm)].map(([, name]) => name);
    expect([...page.matchAll(/^\| `plumbline ([a-z]+)/gm)].map(([, name]) => name)).toEqual(commands);
  });
});

describe("the README of the tests", () => {
  it("has a row for every file of tests, which is that of its long form too", () => {
    const names = trackedFiles().flatMap((file) => /^test\/([^/]+)\.test\.ts$/.exec(file)?.[1] ?? []);
    const files = names.filter((name) => !name.endsWith(".full") || !names.includes(name.replace(/\.full$/, "")));
    const rows = [...readTracked("test/README.md").matchAll(/^\| `([a-z.-]+)\.test\.ts`/gm)].map(([, name]) => name);
    expect(new Set(rows)).toEqual(new Set(files));
  });
});

describe("every README", () => {
  const pages = trackedFiles().filter((file) => file.endsWith("README.md"));

  it("leads to files that exist", () => {
    expect(pages).toContain("README.md");
    expect(pages.flatMap((page) => deadLinks(page, readTracked(page)))).toEqual([]);
  });

  it("fails when it leads nowhere", () => {
    const links = "[a](nowhere.md) [b](README.md#part) [c](https://example.com) ![d](../no.png) `[e](code.md)`";
    const page = `${links}\n\`\`\`\n[f](code.md)\n\`\`\`\n`;
    expect(deadLinks("test/README.md", page)).toEqual(["test/README.md: nowhere.md", "test/README.md: ../no.png"]);
  });
});

describe("the README of the repository", () => {
  const page = readTracked("README.md");

  it("names commands that are there", () => {
    const { scripts } = JSON.parse(readTracked("package.json")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const { tasks } = JSON.parse(readTracked("turbo.json")) as { readonly tasks: Readonly<Record<string, unknown>> };
    const reported = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, name]) => name ?? "");
    const npmScripts = [...reported(/npm run ([\w-]+)/g), ...reported(/npm (test)\b/g)];
    expect(npmScripts).toEqual(expect.arrayContaining(["generate", "test"]));
    expect(npmScripts.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    expect(reported(/turbo run ([\w-]+)/g).filter((name) => !Object.hasOwn(tasks, name))).toEqual([]);
  });

  it("shows a diagnostic as the linter reports it", async () => {
    const [, code = "", says = ""] = /^ *spec\/\S+:\d+:\d+ {2}error {2}(\S+) {2}(.*)$/m.exec(page) ?? [];
    expect(says).toBe('"30" has no unit. Write an ISO 8601 duration, such as PT30S.');
    const folder = await temporaryFolder();
    const limit = 'x-limits: [{id: lists, kind: rate, max: 10, window: "30"}]';
    await place(folder, {
      "openapi.yaml": pets.replace("summary: List pets", `summary: List pets\n      ${limit}`),
      "plumbline.yaml": "ruleset: strict\ndescriptions: [{description: openapi.yaml}]\n",
    });
    const { out } = await plumbline(["lint"], { in: folder });
    expect(out).toContain(`  ${code}  ${says}\n`);
  });
});

/** Relative links of a page that lead to no file. */
function deadLinks(page: string, text: string): readonly string[] {
  const prose = text.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? "");
  const local = links.filter((link) => !/^([a-z]+:|#)/.test(link));
  return local
    .filter((link) => !existsSync(path.join(repository, path.dirname(page), link.split("#")[0] ?? "")))
    .map((link) => `${page}: ${link}`);
}
