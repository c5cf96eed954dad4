import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { startCloud } from "./support/cloud.js";
import { checkTypes, examplesOf, projectOf } from "./support/examples.js";
import { pets, place } from "./support/pets.js";
import { repository, temporaryFolder } from "./support/places.js";
import { plumbline, runNode } from "./support/run.js";
import { startService } from "./support/service.js";
import { readTracked, trackedFiles } from "./support/tracked.js";

describe("the README of the client", () => {
  const examples = examplesOf(readTracked("packages/client/README.md"));

  it("has examples that the compiler accepts", async () => {
    expect(examples.length).toBeGreaterThanOrEqual(3);
    const project = await projectOf(examples);
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
  });

  it("has examples that do what they say", async () => {
    const cloud = await startCloud();
    onTestFinished(() => cloud.close());
    const project = await projectOf(examples);
    const env = { CLOUD_COMPUTE_TOKEN: cloud.token, CLOUD_COMPUTE_URL: cloud.url };
    const run = (example: number) => runNode([`example-${example}.js`], { in: project, env });

    const first = await run(1);
    expect(first).toMatchObject({ code: 0, error: "" });
    expect(first.out).toContain("label: 'web-1'");
    expect(cloud.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "POST /v4/compute/instances",
      "GET /v4/compute/instances",
    ]);
    expect(await run(2)).toEqual({ code: 0, out: `GET ${cloud.url}/compute/instances 200\n`, error: "" });
    const third = await run(3);
    expect(third.code).toBe(0);
    expect(third.out).toMatch(/^http 401 \[ \{ reason: 'Invalid Token' \} \] request-\d+\n$/);
  });

  it("has examples that do what they say with the reference service", async () => {
    const { url, token } = await startService(["--port", "0", "--data", ":memory:", "--pace", "20"]);
    const project = await projectOf(examples);
    const env = { CLOUD_COMPUTE_TOKEN: token, CLOUD_COMPUTE_URL: url };
    const use = `
import { createClient, createInstance, deleteInstance, uploadImage, waitForImage } from "@cloud-compute/client";
import { settled } from "./example-5.js";
import { send } from "./example-6.js";
const client = createClient({ token: ${JSON.stringify(token)}, baseUrl: ${JSON.stringify(url)} });
const { id } = await createInstance(client, { body: { region: "us-east", type: "g6-standard-1", label: "waited-for" } });
console.log(await settled(client, id), "and", await settled(client, id + 1));
const { image, upload_to } = await uploadImage(client, { body: { label: "mine", region: "us-east" } });
await send(client, upload_to, "data.gz");
console.log((await waitForImage(client, image.id, "available")).label);
`;
    await place(project, { "use.js": use });
    await writeFile(path.join(project, "data.gz"), gzipSync("data"));
    const { out, ...rest } = await runNode(["use.js"], { in: project, env });
    expect(rest).toEqual({ code: 0, error: "" });
    expect(out).toBe("as it should be and gone, last seen undefined\n24 of 24\nmine\n");
    const listed = await runNode(["example-4.js"], { in: project, env });
    expect(listed.out).toMatch(/label: 'waited-for'[^]*\n1\n$/);
    const bounded = await runNode(["example-7.js"], { in: project, env });
    expect(bounded.out).toContain("results: 1");
  });

  it("would be told when an example is wrong", async () => {
    const wrong = (examples[0] ?? "").replace("region:", "regoin:");
    const { code, out } = await checkTypes(await projectOf([wrong]));
    expect(code).not.toBe(0);
    expect(out).toContain("'regoin' does not exist in type");
  });
});

describe("the README of the server", () => {
  const examples = examplesOf(readTracked("packages/server/README.md"));

  it("has examples that the compiler accepts, and that do what they say", async () => {
    const project = await projectOf(examples);
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    const use = `
import http from "node:http";
import { nodeListener } from "@cloud-compute/server/node";
import { serve } from "./example-1.js";
import { some } from "./example-2.js";
try { serve({}, {}); } catch (error) { console.log(error.message.split(",")[0]); }
const server = http.createServer(nodeListener(some({ listInstances: () => undefined }))).listen(0, "127.0.0.1", async () => {
  for (const path of ["compute/instances", "regions"]) {
    const reply = await fetch(\`http://127.0.0.1:\${server.address().port}/v4/\${path}\`, { headers: { connection: "close" } });
    console.log(reply.status, await reply.text());
  }
  server.close();
});
`;
    await place(project, { "use.js": use });
    expect(await runNode(["use.js"], { in: project })).toEqual({
      code: 0,
      out: [
        "handlers: there is none for listInstances",
        '401 {"errors":[{"reason":"Invalid Token"}]}',
        '501 {"errors":[{"reason":"Not implemented"}]}',
        "",
      ].join("\n"),
      error: "",
    });
  });
});

describe("the README of the service", () => {
  const page = readTracked("packages/service/README.md");
  const examples = examplesOf(page);

  it("has an example that does what it says, with the service as it says", async () => {
    const project = await projectOf(examples);
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    const [, name = "", options = ""] = /^npx (\S+) serve (.+)$/m.exec(page) ?? [];
    // npx runs the only command of a package, whatever its name.
    const manifest = JSON.parse(readTracked("packages/service/package.json")) as {
      readonly name: string;
      readonly bin: object;
    };
    expect([manifest.name, Object.keys(manifest.bin)]).toEqual([name, ["cloud-compute"]]);
    // Any port will do, where the page names one.
    const args = options.replaceAll(/-port \d+/g, "-port 0").split(" ");
    const { url, token } = await startService(args);
    const env = { CLOUD_COMPUTE_TOKEN: token, CLOUD_COMPUTE_URL: url };
    expect(await runNode(["example-1.js"], { in: project, env })).toEqual({
      code: 0,
      out: "provisioning\nrunning\n",
      error: "",
    });
  });
});

describe("the README of the validator", () => {
  const [app = "", handler = "", alone = ""] = examplesOf(readTracked("packages/validator/README.md"));

  it("has examples that the compiler accepts, of which the second goes on where the first ends", async () => {
    expect(await checkTypes(await projectOf([app + handler, alone]))).toEqual({ code: 0, out: "", error: "" });
  });

  it("has examples that do what they say", async () => {
    const use = `
const server = app.listen(0, async () => {
  const body = JSON.stringify({ region: "us-east" });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  const reply = await fetch(\`http://127.0.0.1:\${server.address().port}/v4/compute/instances\`, init);
  console.log(reply.status, await reply.text());
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
});

describe("the README of the conformance runtime", () => {
  const [library = ""] = examplesOf(readTracked("packages/conformance-runtime/README.md"));

  it("has an example that does what it says", async () => {
    const data = pathToFileURL(path.join(repository, "packages", "conformance", "data", path.sep));
    // Any suite will do: of this one, the cases that ask nothing but whether strangers to the API are refused.
    const suite = `import { readSuite } from "@plumbline/conformance-runtime";
const whole = readSuite(new URL("${data.href}"));
const cases = whole.cases.filter(({ id }) => id === "regions/listRegions/accepts" || id.startsWith("domains/listDomains/security/anonymous"));
export const suite = { ...whole, cases };
`;
    const service = await startService(["--port", "0", "--data", ":memory:"]);
    const own = library
      .replace("http://127.0.0.1:8080/v1", service.url)
      .replace('"TOKEN"', JSON.stringify(service.token));
    const project = await projectOf([own]);
    await place(project, { "suite.ts": suite, "suite.js": suite });
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    const { code, out, error } = await runNode(["example-1.js"], { in: project });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toMatch(/^true <\?xml [^]*<testcase /);
  });
});

describe("the README of the client runtime", () => {
  const examples = examplesOf(readTracked("packages/client-runtime/README.md"));

  it("has examples that the compiler accepts", async () => {
    expect(examples.length).toBeGreaterThanOrEqual(1);
    expect(await checkTypes(await projectOf(examples))).toEqual({ code: 0, out: "", error: "" });
  });

  it("has a first example that does what it says", async () => {
    const server = createServer(({ url }, reply) => {
      const found = url === "/v4/compute/instances/5";
      reply.writeHead(found ? 200 : 404, { "content-type": "application/json" });
      reply.end(JSON.stringify(found ? { id: 5, label: "web" } : { reason: "Not found" }));
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
  const page = readTracked("generators/README.md");

  it("has a first example that does what it says", async () => {
    const [, description = ""] = /^```yaml\n([^]*?)^```$/m.exec(page) ?? [];
    const [, command = "", told = ""] = /^```sh\n\$ npx plumbline (.*)\n([^]*?)^```$/m.exec(page) ?? [];
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": description });
    const { code, out, error } = await plumbline(command.split(" "), { in: folder });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out.replace(/in \S+ s$/m, "in 0.2 s")).toBe(told);
  });

  it("names every command and no other", async () => {
    const { out } = await plumbline(["--help"], { in: await temporaryFolder() });
    const commands = [...out.matchAll(/^ {2}([a-z]+) {3}/gm)].map(([, name]) => name);
    expect([...page.matchAll(/^\| `plumbline ([a-z]+)/gm)].map(([, name]) => name)).toEqual(commands);
  });
});

describe("the README of the tests", () => {
  it("has a row for every file of tests", () => {
    const files = trackedFiles().flatMap((file) => /^test\/([^/]+)\.test\.ts$/.exec(file)?.[1] ?? []);
    const rows = [...readTracked("test/README.md").matchAll(/^\| `([a-z.-]+)\.test\.ts`/gm)].map(([, name]) => name);
    expect(new Set(rows)).toEqual(new Set(files));
  });

  it("has a first example that does what it says", async () => {
    const [, command = ""] = /^```sh\n(.*)\n```$/m.exec(readTracked("test/README.md")) ?? [];
    expect(command).toBe("npx vitest run layout");
    const vitest = path.join(repository, "node_modules", "vitest", "vitest.mjs");
    const args = [vitest, ...command.split(" ").slice(2), "--reporter=default"];
    const { out } = await runNode(args, { in: path.join(repository, "test"), env: { NO_COLOR: "1" } });
    expect(out).toMatch(/layout\.test\.ts[^]*\n +Test Files .*\(1\)\n/); // whether it passes, it says itself
  });
});

describe("every README", () => {
  const pages = trackedFiles().filter((file) => file.endsWith("README.md"));

  it("leads to files that exist", () => {
    expect(pages).toContain("README.md");
    expect(pages.flatMap((page) => deadLinks(page, readTracked(page)))).toEqual([]);
  });

  it("would be told when it leads nowhere", () => {
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
    const told = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, name]) => name ?? "");
    const npmScripts = [...told(/npm run ([\w-]+)/g), ...told(/npm (test)\b/g)];
    expect(npmScripts).toEqual(expect.arrayContaining(["generate", "test"]));
    expect(npmScripts.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    expect(told(/turbo run ([\w-]+)/g).filter((name) => !Object.hasOwn(tasks, name))).toEqual([]);
  });

  it("shows a problem as the linter tells it", async () => {
    const [, code = "", says = ""] = /^ *spec\/\S+:\d+:\d+ {2}(\S+) {2}(.*)$/m.exec(page) ?? [];
    expect(says).toBe('"30" has no unit. Write an ISO 8601 duration, such as PT30S.');
    const folder = await temporaryFolder();
    const limit = 'x-limits: [{id: lists, kind: rate, max: 10, window: "30"}]';
    await place(folder, {
      "openapi.yaml": pets.replace("summary: List pets", `summary: List pets\n      ${limit}`),
      "plumbline.yaml": "profile: owner\ndescriptions: [{description: openapi.yaml}]\n",
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
