import { readdir, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { checkTypes, examplesOf, install, placeExamples, scriptOf } from "../support/examples.js";
import { place } from "../support/pets.js";
import { temporaryFolder, unremovedFolder } from "../support/places.js";
import { plumbline, runNode, type Ended } from "../support/run.js";
import { readTracked } from "../support/tracked.js";

/** The pages with examples, and what each says to change in the configuration. */
const pages: Readonly<Record<string, (config: string, page: string) => string>> = {
  "add-a-limit": unchanged,
  "add-a-scope": unchanged,
  "add-a-state-machine": unchanged,
  "custom-formats-and-keywords": (config, page) => {
    const [, entries = ""] = /^```yaml\n( +keywords: [^]*?)^```$/m.exec(page) ?? [];
    return config.replace(/^ +artifacts:[^]*/m, entries);
  },
  "dates-and-integers": withClientOption,
  "deprecate-an-operation": unchanged,
  "from-express-openapi-validator": unchanged,
  "from-openapi-typescript": unchanged,
  "from-other-tools": unchanged,
  nextjs: unchanged,
  "problem-details": unchanged,
  streams: unchanged,
  "tanstack-query": withClientOption,
};

function unchanged(config: string): string {
  return config;
}

function withClientOption(config: string, page: string): string {
  const [, option = ""] = /^(client: \{.*\})$/m.exec(page) ?? [];
  return config.replace(/client: \{.*\}/, option);
}

/** The folder with a project for each page, by its name: one program checks the types of all. */
let root: string;
let checked: Ended;

/** What the types of Next.js add to those of the platform. */
const nextTypes = `interface RequestInit {
  next?: { revalidate?: number | false; tags?: string[] } | undefined;
}
`;

beforeAll(async () => {
  root = await unremovedFolder();
  await install(root);
  for (const name of Object.keys(pages)) await makeProject(path.join(root, name), name);
  await place(root, { "wrong.ts": 'export const wrong: number = "";\n', "next-env.d.ts": nextTypes });
  checked = await checkTypes(root);
});
afterAll(() => rm(root, { recursive: true }));

it("the examples of all pages have right types, unlike an injected error", () => {
  const errors = checked.out.split("\n").filter((line) => line !== "");
  expect(errors).toEqual([expect.stringMatching(/^wrong\.ts\(1,14\): error TS2322: /)]);
});

describe("the page about adding", () => {
  it.each([
    ["a limit", "one\ntwo\nthree\n"],
    ["a scope", undefined],
    ["a state machine", undefined],
  ])("%s has a working example", async (what, without) => {
    const name = what.replace(/^a /, "add-a-").replaceAll(" ", "-");
    const project = path.join(root, name);
    const printed = printedOn(readPage(name));
    expect(await runNode(["example-1.js"], { in: project })).toEqual({ code: 0, out: printed, error: "" });

    if (process.env["MODE"] !== "full") return;
    // Nothing of it is so without the lines that are added.
    const before = await temporaryFolder();
    await install(before);
    await makeProject(before, name, { isAdded: false });
    if (without === undefined) expect((await checkTypes(before)).code).not.toBe(0);
    else expect((await runNode(["example-1.js"], { in: before })).out).toBe(without);
  });
});

describe("the page about", () => {
  it.each([
    ["deprecation", "deprecate-an-operation"],
    ["problem details", "problem-details"],
  ])("%s has a working example", async (_, name) => {
    const printed = printedOn(readPage(name));
    const project = path.join(root, name);
    expect(await runNode(["example-1.js"], { in: project })).toEqual({ code: 0, out: printed, error: "" });
  });
});

describe("the page about migration from", () => {
  it("openapi-typescript has working examples", async () => {
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
    const project = path.join(root, "from-openapi-typescript");
    const get = await runNode(["example-2.js"], { in: project, env });
    expect(get).toEqual({ code: 0, out: "GET 200\n1\n", error: "" });
    const post = await runNode(["example-3.js"], { in: project, env });
    expect(post).toEqual({ code: 0, out: "POST 422\n422 There is nothing in it.\n", error: "" });
    expect(asked).toEqual(["GET /notes?tag=home&tag=work Bearer secret 7", "POST /notes Bearer secret 7"]);
  });

  it("express-openapi-validator has a working example", async () => {
    const page = readPage("from-express-openapi-validator");
    const printed = printedOn(page);
    const project = path.join(root, "from-express-openapi-validator");
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
    const page = readPage("from-other-tools");
    const printed = printedOn(page);
    const project = path.join(root, "from-other-tools");
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
    const page = readPage("streams");
    const printed = printedOn(page);
    const project = path.join(root, "streams");
    expect(await runNode(["example-1.js"], { in: project })).toEqual({ code: 0, out: printed, error: "" });
  });
});

describe("the page about handlers", () => {
  it("shows what the generator writes, and how it changes files of people", async () => {
    const page = readPage("handlers");
    const printed = printedOn(page);
    const [stubs, written, changed] = [...page.matchAll(/^```typescript\n([^]*?)^```$/gm)].map(
      ([, text]) => text ?? "",
    );
    const descriptions = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text]) => text ?? "");
    const project = await temporaryFolder();
    await install(project);
    await makeProject(project, "handlers");
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

    await buildPackage(path.join(project, "packages", "server"));
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    for (const file of ["src/server", "src/handlers/index", "src/handlers/notes"])
      await place(project, { [`${file}.js`]: scriptOf(await readFile(path.join(project, `${file}.ts`), "utf8")) });
    expect(await runNode(["example-1.js"], { in: project })).toEqual({ code: 0, out: printed, error: "" });
  });
});

describe("the page about TanStack Query", () => {
  it("has working examples", async () => {
    const page = readPage("tanstack-query");
    const printed = printedOn(page);
    const project = path.join(root, "tanstack-query");

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

describe("the page about Next.js", () => {
  it("has calls whose options reach the fetch that Next.js replaces", async () => {
    const script = `globalThis.fetch = async (url, { next, cache }) => {
        console.log(JSON.stringify({ url, next, cache }));
        return Response.json([]);
      };
      const { listNotesOfHour, listNotesNow } = await import("./example-1.js");
      await listNotesOfHour();
      await listNotesNow();`;
    const env = { NOTES_URL: "http://127.0.0.1:2" };
    const ended = await runNode(["--input-type=module", "--eval", script], { in: path.join(root, "nextjs"), env });
    const out = `{"url":"http://127.0.0.1:2/notes","next":{"revalidate":3600,"tags":["notes"]}}
{"url":"http://127.0.0.1:2/notes","cache":"no-store"}
`;
    expect(ended).toEqual({ code: 0, out, error: "" });
  });

  it("has a working route handler", async () => {
    const server = createServer((_, response) => {
      response.writeHead(422, { "content-type": "application/json" });
      response.end(JSON.stringify({ title: "Invalid", detail: "Too short" }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const script = `import { POST } from "./example-2.js";
      const response = await POST(new Request("http://localhost/api/notes", { method: "POST", body: '{"text":""}' }));
      console.log(response.status, await response.text());`;
    const respond = async (): Promise<Ended> =>
      runNode(["--input-type=module", "--eval", script], {
        in: path.join(root, "nextjs"),
        env: { NOTES_URL: address },
      });
    expect(await respond()).toEqual({ code: 0, out: '422 {"reasons":["Too short"]}\n', error: "" });
    await new Promise((resolve) => server.close(resolve));
    expect(await respond()).toEqual({ code: 0, out: '502 {"reasons":[]}\n', error: "" });
  });
});

describe("the page about custom formats and keywords", () => {
  it("has working examples", async () => {
    const page = readPage("custom-formats-and-keywords");
    const printed = printedOn(page);
    const project = path.join(root, "custom-formats-and-keywords");
    expect(await runNode(["example-1.js"], { in: project })).toEqual({ code: 0, out: printed, error: "" });
  });
});

describe("the page about dates and integers", () => {
  it("has working examples", async () => {
    const page = readPage("dates-and-integers");
    const printed = printedOn(page);
    const project = path.join(root, "dates-and-integers");

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

function readPage(name: string): string {
  return readTracked(`packages/plumbline/docs/${name}.md`);
}

/** What the page says that its example prints. */
function printedOn(page: string): string {
  return /^```text\n([^]*?)^```$/m.exec(page)?.[1] ?? "";
}

/** Makes a project with the examples of a page, and the built packages that the page's commands generate. */
async function makeProject(project: string, name: string, { isAdded = true } = {}): Promise<void> {
  const page = readPage(name);
  const [description = "", overlay, listing] = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(
    ([, text]) => text ?? "",
  );
  const [, init = "", generate = ""] =
    /^\$ npx plumbline (init .*)$[^]*^\$ npx plumbline (generate)$/m.exec(page) ?? [];
  await placeExamples(project, examplesOf(page));
  await place(project, { "package.json": '{"private": true, "type": "module"}', "openapi.yaml": description });
  expect(await plumbline(init.split(" "), { in: project })).toMatchObject({ code: 0, error: "" });
  if (overlay !== undefined && listing !== undefined && isAdded) await addOverlay(project, page, { overlay, listing });
  const configure = pages[name] ?? unchanged;
  if (configure !== unchanged) {
    const config = await readFile(path.join(project, "spec/plumbline.yaml"), "utf8");
    const configured = configure(config, page);
    expect(configured).not.toBe(config);
    await place(project, { "spec/plumbline.yaml": configured });
  }
  const [, artifacts = "client,validator,server"] = / --artifacts (\S+)/.exec(init) ?? [];
  // The examples of pages that name no artifacts have a client and a server, which imports the validator beside it.
  const args = [...generate.split(" "), "--only", artifacts];
  expect(await plumbline(args, { in: project })).toMatchObject({ code: 0, error: "" });
  for (const kind of artifacts.split(",").filter((artifact) => artifact !== "handlers")) {
    const workspace = path.join(project, "packages", kind);
    await buildPackage(workspace);
    await link(workspace);
  }

  /**
   * As npm does with the workspaces that `init` has added, but with the types of the sources: one program checks the packages and examples of all
   * pages. Without a version, since TypeScript takes packages of the same name and version for one.
   */
  async function link(workspace: string): Promise<void> {
    const text = await readFile(path.join(workspace, "package.json"), "utf8");
    const { version: _, ...manifest } = JSON.parse(text) as { readonly name: string; readonly version: string };
    const linked = path.join(project, "node_modules", manifest.name);
    const withSources = JSON.stringify(manifest).replaceAll(
      /"types":"\.\/dist\/(.*?)\.d\.ts"/g,
      '"types":"./src/$1.ts"',
    );
    await place(linked, { "package.json": withSources });
    for (const folder of ["dist", "src"]) await symlink(path.join(workspace, folder), path.join(linked, folder), "dir");
  }
}

/** Strips the types of a package's sources. */
async function buildPackage(workspace: string): Promise<void> {
  const source = path.join(workspace, "src");
  const files = await readdir(source, { recursive: true });
  const entryPoints = files.filter((file) => file.endsWith(".ts")).map((file) => path.join(source, file));
  await build({ entryPoints, outbase: source, outdir: path.join(workspace, "dist"), format: "esm", target: "es2022" });
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
