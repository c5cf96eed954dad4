import { mkdir, readFile, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkTypes, examplesOf, projectOf, scriptOf } from "../support/examples.js";
import { place } from "../support/pets.js";
import { plumbline, runNode, tsc } from "../support/run.js";
import { readTracked } from "../support/tracked.js";

describe("the page about adding", () => {
  it.each([
    ["a limit", "one\ntwo\nthree\n"],
    ["a scope", undefined],
    ["a state machine", undefined],
  ])("%s has a working example", async (what, without) => {
    const page = readTracked(`packages/plumbline/docs/${what.replace(/^a /, "add-a-").replaceAll(" ", "-")}.md`);
    const [, printed] = /^```text\n([^]*?)^```$/m.exec(page) ?? [];
    const project = await madeFrom(page);
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    expect(await runNode(["example-1.js"], { in: project })).toEqual({ code: 0, out: printed, error: "" });

    if (process.env["MODE"] !== "full") return;
    // Nothing of it is so without the lines that are added.
    const before = await madeFrom(page, { isAdded: false });
    if (without === undefined) expect((await checkTypes(before)).code).not.toBe(0);
    else expect((await runNode(["example-1.js"], { in: before })).out).toBe(without);
  });
});

describe("the page about", () => {
  it.each([
    ["deprecation", "deprecate-an-operation"],
    ["problem details", "problem-details"],
  ])("%s has a working example", async (_, name) => {
    const page = readTracked(`packages/plumbline/docs/${name}.md`);
    const [, printed] = /^```text\n([^]*?)^```$/m.exec(page) ?? [];
    const project = await madeFrom(page);
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    expect(await runNode(["example-1.js"], { in: project })).toEqual({ code: 0, out: printed, error: "" });
  });
});

describe("the page about migration from", () => {
  it("openapi-typescript has working examples", async () => {
    const page = readTracked("packages/plumbline/docs/from-openapi-typescript.md");
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const { authorization, "x-trace": trace } = request.headers;
      asked.push([request.method, request.url, authorization, trace].join(" "));
      response.setHeader("content-type", "application/json");
      if (request.method === "GET") response.end('[{"text":"Hello"}]');
      else response.writeHead(422).end('{"why":"There is nothing in it."}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const env = { NOTES_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const project = await madeFrom(page);
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    const get = await runNode(["example-2.js"], { in: project, env });
    expect(get).toEqual({ code: 0, out: "GET 200\n1\n", error: "" });
    const post = await runNode(["example-3.js"], { in: project, env });
    expect(post).toEqual({ code: 0, out: "POST 422\n422 There is nothing in it.\n", error: "" });
    expect(asked).toEqual(["GET /notes?tag=home&tag=work Bearer secret 7", "POST /notes Bearer secret 7"]);
  });

  it("express-openapi-validator has a working example", async () => {
    const page = readTracked("packages/plumbline/docs/from-express-openapi-validator.md");
    const [, printed = ""] = /^```text\n([^]*?)^```$/m.exec(page) ?? [];
    const project = await madeFrom(page);
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    const asked = printed.split("\n").flatMap((line) => /^(\S+ \S+) /.exec(line)?.[1] ?? []);
    await place(project, {
      "use.js": `import { app } from "./example-1.js";
const server = app.listen(0, "127.0.0.1", async () => {
  for (const line of ${JSON.stringify(asked)}) {
    const [method, path] = line.split(" ");
    const sent = method === "POST" ? { body: "{}", headers: { "content-type": "application/json" } } : {};
    const reply = await fetch(\`http://127.0.0.1:\${server.address().port}\${path}\`, { method, ...sent });
    console.log(line, reply.status, await reply.text());
  }
  server.closeAllConnections();
  server.close();
});
`,
    });
    expect(await runNode(["use.js"], { in: project })).toEqual({ code: 0, out: printed, error: "" });
  });

  it("orval, openapi-typescript-codegen and openapi-backend has working examples", async () => {
    const page = readTracked("packages/plumbline/docs/from-other-tools.md");
    const [, printed = ""] = /^```text\n([^]*?)^```$/m.exec(page) ?? [];
    const project = await madeFrom(page);
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    const asked = printed.split("\n").flatMap((line) => /^(\S+ \S+) /.exec(line)?.[1] ?? []);
    // The clients of the page call its server.
    await place(project, {
      "use.js": `import { app } from "./example-6.js";
const server = app.listen(0, "127.0.0.1", async () => {
  process.env.NOTES_URL = \`http://127.0.0.1:\${server.address().port}\`;
  for (const line of ${JSON.stringify(asked)}) {
    const [method, path] = line.split(" ");
    const sent = method === "POST" ? { body: "{}" } : {};
    const headers = { authorization: "Bearer secret", "content-type": "application/json" };
    const reply = await fetch(process.env.NOTES_URL + path, { method, headers, ...sent });
    console.log(line, reply.status, await reply.text());
  }
  console.log((await fetch(process.env.NOTES_URL + "/notes")).status);
  for (const example of [2, 3, 5]) await import(\`./example-\${example}.js\`);
  server.closeAllConnections();
  server.close();
});
`,
    });
    const fromClients = "401\n1 /notes/1\n1\nThere is no such note.\n0\nThere is no such note.\n";
    expect(await runNode(["use.js"], { in: project })).toEqual({ code: 0, out: printed + fromClients, error: "" });
  });
});

describe("the page about streams", () => {
  it("has a working example", async () => {
    const page = readTracked("packages/plumbline/docs/streams.md");
    const [, printed = ""] = /^```text\n([^]*?)^```$/m.exec(page) ?? [];
    const project = await madeFrom(page);
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    expect(await runNode(["example-1.js"], { in: project })).toEqual({ code: 0, out: printed, error: "" });
  });
});

describe("the page about handlers", () => {
  it("shows what the generator writes, and how it changes files of people", async () => {
    const page = readTracked("packages/plumbline/docs/handlers.md");
    const [, printed] = /^```text\n([^]*?)^```$/m.exec(page) ?? [];
    const [stubs, written, changed] = [...page.matchAll(/^```typescript\n([^]*?)^```$/gm)].map(
      ([, text]) => text ?? "",
    );
    const descriptions = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text]) => text ?? "");
    const project = await madeFrom(page);
    const handlers = (): Promise<string> => readFile(path.join(project, "src/handlers/notes.ts"), "utf8");
    expect(await handlers()).toBe(stubs);
    await place(project, { "src/handlers/notes.ts": written ?? "", "openapi.yaml": descriptions[1] ?? "" });

    const dry = await plumbline(["generate", "--dry-run"], { in: project });
    expect(dry.out).toContain("change   src/handlers/notes.ts\n");
    expect(dry.out).toContain("+  async findNotes() {\n");
    expect(await handlers()).toBe(written);
    expect((await plumbline(["generate", "--check"], { in: project })).out).toContain(
      "stale    src/handlers/notes.ts\n",
    );
    expect((await plumbline(["generate"], { in: project })).code).toBe(0);
    expect(await handlers()).toBe(changed);
    expect((await plumbline(["generate", "--check"], { in: project })).code).toBe(0);

    await buildPackages(project, ["server"]);
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    for (const file of ["src/server", "src/handlers/index", "src/handlers/notes"])
      await place(project, { [`${file}.js`]: scriptOf(await readFile(path.join(project, `${file}.ts`), "utf8")) });
    expect(await runNode(["example-1.js"], { in: project })).toEqual({ code: 0, out: printed, error: "" });
  });
});

describe("the page about TanStack Query", () => {
  it("has working examples", async () => {
    const page = readTracked("packages/plumbline/docs/tanstack-query.md");
    const [, option = ""] = /^(client: \{.*\})$/m.exec(page) ?? [];
    const [, printed = ""] = /^```text\n([^]*?)^```$/m.exec(page) ?? [];
    const project = await madeFrom(page, { configure: (config) => config.replace(/client: \{.*\}/, option) });
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });

    const notes: unknown[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        if (request.method === "POST") notes.push(JSON.parse(body));
        response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" });
        response.end(request.method === "POST" ? body : JSON.stringify({ notes, page: 1, pages: 1, total: 1 }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const env = { NOTES_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    expect(await runNode(["example-2.js"], { in: project, env })).toEqual({ code: 0, out: printed, error: "" });
  });
});

describe("the page about custom formats and keywords", () => {
  it("has working examples", async () => {
    const page = readTracked("packages/plumbline/docs/custom-formats-and-keywords.md");
    const [, entries = ""] = /^```yaml\n( +keywords: [^]*?)^```$/m.exec(page) ?? [];
    const [, printed = ""] = /^```text\n([^]*?)^```$/m.exec(page) ?? [];
    const project = await madeFrom(page, {
      configure: (config) => config.replace(/^ +artifacts:[^]*/m, entries),
    });
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    expect(await runNode(["example-1.js"], { in: project })).toEqual({ code: 0, out: printed, error: "" });
  });
});

describe("the page about dates and integers", () => {
  it("has working examples", async () => {
    const page = readTracked("packages/plumbline/docs/dates-and-integers.md");
    const [, option = ""] = /^(client: \{.*\})$/m.exec(page) ?? [];
    const [, printed = ""] = /^```text\n([^]*?)^```$/m.exec(page) ?? [];
    const project = await madeFrom(page, { configure: (config) => config.replace(/client: \{.*\}/, option) });
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });

    const payments: string[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        if (request.method === "POST") payments.push(body);
        response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" });
        response.end(request.method === "POST" ? body : `[${payments.join()}]`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const env = { PAYMENTS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    expect(await runNode(["example-1.js"], { in: project, env })).toEqual({ code: 0, out: printed, error: "" });
    expect(payments).toEqual(['{"id":9007199254740993,"at":"2026-01-31T12:00:00.000Z","due":"2026-02-28"}']);
  });
});

/** A project with the examples of a page, and the built packages that the page's commands generate. */
async function madeFrom(
  page: string,
  { isAdded = true, configure }: { readonly isAdded?: boolean; readonly configure?: (config: string) => string } = {},
): Promise<string> {
  const [description = "", overlay, listing] = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(
    ([, text]) => text ?? "",
  );
  const [, init = "", generate = ""] =
    /^\$ npx plumbline (init .*)$[^]*^\$ npx plumbline (generate)$/m.exec(page) ?? [];
  const project = await projectOf(examplesOf(page));
  await place(project, { "openapi.yaml": description });
  expect(await plumbline(init.split(" "), { in: project })).toMatchObject({ code: 0, error: "" });
  if (overlay !== undefined && listing !== undefined && isAdded) await addOverlay(project, page, { overlay, listing });
  if (configure !== undefined) {
    const config = await readFile(path.join(project, "spec/plumbline.yaml"), "utf8");
    const configured = configure(config);
    expect(configured).not.toBe(config);
    await place(project, { "spec/plumbline.yaml": configured });
  }
  expect(await plumbline(generate.split(" "), { in: project })).toMatchObject({ code: 0, error: "" });
  const [, artifact] = / --artifacts (\S+)/.exec(init) ?? [];
  const kinds = artifact?.split(",").filter((kind) => kind !== "handlers") ?? ["client", "server"];
  await buildPackages(project, kinds);
  for (const kind of kinds) await link(path.join(project, "packages", kind));
  return project;

  /** As npm does with the workspaces that `init` has added. */
  async function link(workspace: string): Promise<void> {
    const { name } = JSON.parse(await readFile(path.join(workspace, "package.json"), "utf8")) as {
      readonly name: string;
    };
    const linked = path.join(project, "node_modules", name);
    await mkdir(path.dirname(linked), { recursive: true });
    await symlink(workspace, linked, "dir");
  }
}

async function buildPackages(project: string, kinds: readonly string[]): Promise<void> {
  const folders = kinds.map((kind) => path.join("packages", kind));
  expect(await tsc(["--build", ...folders], { in: project })).toEqual({ code: 0, out: "", error: "" });
}

/** Writes the overlay to the path of the page, and replaces the overlay lines of `init` by those of the page. */
async function addOverlay(
  project: string,
  page: string,
  { overlay, listing }: { readonly overlay: string; readonly listing: string },
): Promise<void> {
  const [, name = ""] = /`(spec\/\w+\.overlay\.yaml)`/.exec(page) ?? [];
  const config = await readFile(path.join(project, "spec/plumbline.yaml"), "utf8");
  const listed = config.replace(/^ +# overlays: .*\n/m, listing);
  expect(listed).not.toBe(config);
  await place(project, { [name]: overlay, "spec/plumbline.yaml": listed });
}
