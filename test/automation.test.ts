import { execFileSync } from "node:child_process";
import { chmod, cp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { pets, place } from "./support/pets.js";
import { repository, temporaryFolder, unremovedFolder } from "./support/places.js";
import { plumbline, run, type Ended } from "./support/run.js";
import { readTracked, trackedFiles } from "./support/tracked.js";

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions?: Readonly<Record<string, string>>;
        readonly strategy?: { readonly matrix: { readonly node?: readonly number[] } };
        readonly steps: readonly Step[];
      }
    >
  >;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const manifest = JSON.parse(readTracked("package.json")) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
};
const workflows = trackedFiles()
  .filter((file) => /^\.github\/workflows\/.*\.ya?ml$/.test(file))
  .map((file) => ({ file, ...(parse(readTracked(file)) as Workflow) }));
const actionText = readTracked("action.yml");
const action = parse(actionText) as Action;
const hooks = parse(readTracked(".pre-commit-hooks.yaml")) as readonly {
  readonly id: string;
  readonly entry: string;
  readonly args?: readonly string[];
  readonly pass_filenames: boolean;
}[];
const stepsOf = ({ jobs }: Workflow): readonly Step[] => Object.values(jobs).flatMap(({ steps }) => steps);
const allSteps = [...workflows.flatMap(stepsOf), ...action.runs.steps];

describe("the workflows", () => {
  it("run scripts and files that exist", () => {
    const scripts = workflows.flatMap(stepsOf).flatMap((step) => unknownCommands(step.run ?? ""));
    expect(workflows.map(({ file }) => file)).toEqual([".github/workflows/ci.yml", ".github/workflows/release.yml"]);
    expect(scripts).toEqual([]);
    expect(unknownCommands("npm run tests && npm ci && ./a.sh\nnpm run check -- --fast\n.ci/walk")).toEqual([
      "npm run tests",
      ".ci/walk",
    ]);
  });

  it("test every version of Node that packages support", () => {
    const supported = [...manifest.engines.node.matchAll(/(\d+)\.\d+\.\d+/g)].map(([, major]) => Number(major));
    const matrices = workflows.flatMap(({ jobs }) =>
      Object.values(jobs).flatMap(({ strategy }) =>
        strategy?.matrix.node === undefined ? [] : [strategy.matrix.node],
      ),
    );
    expect(matrices).toEqual([supported, supported]);
    expect(supported).toContain(Number(readTracked(".nvmrc")));
  });

  it("may only read, but for the release", () => {
    expect(workflows.map(({ permissions }) => permissions)).toEqual([{ contents: "read" }, { contents: "read" }]);
    const more = workflows.flatMap(({ file, jobs }) =>
      Object.values(jobs).flatMap(({ permissions }) => (permissions === undefined ? [] : [{ file, permissions }])),
    );
    expect(more).toEqual([
      { file: ".github/workflows/release.yml", permissions: { contents: "write", "id-token": "write" } },
    ]);
  });

  it("use actions of the host only, by their commits, and no expression in a script", () => {
    expect(allSteps.flatMap(findUnsafe)).toEqual([]);
    const unsafe = [
      { uses: "actions/checkout@v5" },
      { uses: `acme/thing@${"a".repeat(40)}` },
      { run: 'echo "${{ github.event.pull_request.title }}"' },
    ];
    expect(unsafe.map((step) => findUnsafe(step).length)).toEqual([1, 1, 1]);
  });
});

describe("action.yml", () => {
  it("declares the inputs that its steps use, with descriptions", () => {
    const used = [...actionText.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(Object.keys(action.inputs)));
    expect(Object.values(action.inputs).filter(({ description }) => description === "")).toEqual([]);
  });

  it("has each input in the README of the command", () => {
    const rows = [...readTracked("packages/plumbline/README.md").matchAll(/^\| `([\w-]+)` \| [A-Z]/gm)].map(
      ([, name]) => name,
    );
    expect(rows).toEqual(Object.keys(action.inputs));
  });

  it("passes every variable that its scripts read", () => {
    const host = new Set(["RUNNER_TEMP", "GITHUB_STEP_SUMMARY"]);
    for (const { run: script = "", env = {} } of action.runs.steps) {
      const read = [...script.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name]) => name ?? "");
      expect(read.filter((name) => !Object.hasOwn(env, name) && !host.has(name))).toEqual([]);
    }
  });

  it("comments on a pull request with what changes, and updates the comment", async () => {
    const host = await startHost();
    const { folder, base } = await pullRequest();
    await place(folder, { "spec/openapi.yaml": pets.replace("version: 1.2.0", "version: 1.3.0") });
    const stale = await runStep("Check the generated packages", { folder });
    expect(stale).toMatchObject({ code: 1, out: expect.stringContaining("Run plumbline generate.") as string });

    expect(await compare({ folder, base, host: host.url })).toMatchObject({ code: 0 });
    expect(host.comments).toEqual([{ id: 1, user: { type: "Bot" }, body: expect.stringMatching(isReport) as string }]);
    const first = host.comments[0]?.body;

    await place(folder, { "spec/openapi.yaml": pets.replace(/ {2}\/pets:\n[^]*?(?= {2}\/pets\/)/, "") });
    const breaking = await compare({ folder, base, host: host.url, env: { FAIL_ON: "callers,wire" } });
    expect(breaking.code).toBe(1);
    expect(host.comments).toHaveLength(1);
    expect(host.comments[0]?.body).not.toBe(first);
    expect(host.comments[0]?.body).toContain("### Breaking");
    expect(await readFile(path.join(folder, "temporary", "summary.md"), "utf8")).toContain("### Breaking");

    expect((await plumbline(["generate"], { in: folder })).code).toBe(0);
    expect((await runStep("Check the generated packages", { folder })).code).toBe(0);
  });

  it("warns where the token may not comment, and takes a base literally", async () => {
    const host = await startHost({ isReadOnly: true });
    const { folder, base } = await pullRequest();
    const fork = await compare({ folder, base, host: host.url });
    expect(fork).toMatchObject({ code: 0, out: expect.stringContaining("::warning::The token may not") as string });
    const hostile = '"; touch spoilt; $(touch spoilt)';
    expect((await compare({ folder, base: hostile, host: host.url })).code).not.toBe(0);
    expect((await compare({ folder, base: "--upload-pack=touch spoilt", host: host.url })).code).not.toBe(0);
    await expect(readFile(path.join(folder, "spoilt"))).rejects.toThrow("ENOENT");
  });
});

describe(".pre-commit-hooks.yaml", () => {
  it("has hooks for the linter, for differences and for generated packages", () => {
    expect(hooks.map(({ id, entry }) => [id, entry])).toEqual([
      ["plumbline-lint", "npx plumbline lint"],
      ["plumbline-diff", "npx plumbline diff"],
      ["plumbline-check", "npx plumbline generate --check"],
    ]);
    expect(hooks.filter((hook) => hook.pass_filenames)).toEqual([]);
  });

  it.each(hooks)("has $id, which passes, and fails for an error", async ({ entry, args: more = [] }) => {
    const args = [...entry.split(" ").slice(2), ...more];
    const { folder } = await pullRequest();
    expect(await plumbline(args, { in: folder })).toMatchObject({ code: 0 });
    await place(folder, { "spec/openapi.yaml": pets.replace("#/components/schemas/Pet'", "missing.yaml#/Pet'") });
    expect(await plumbline(args, { in: folder })).toMatchObject({ code: 1 });
  });
});

/** A comment with a report that begins with the number of differences. */
const isReport = /^<!-- plumbline diff -->\n\*\*/;

/** Commands of a script that are npm scripts or files of ours, and do not exist. */
function unknownCommands(script: string): readonly string[] {
  const npm = [...script.matchAll(/npm run ([\w:-]+)/g)].filter(
    ([, name = ""]) => !Object.hasOwn(manifest.scripts, name),
  );
  const programs = [...script.matchAll(/^\.ci\/\S+/gm)].filter(([name]) => !trackedFiles().includes(name));
  return [...npm, ...programs].map(([command]) => command);
}

function findUnsafe({ uses, run: script = "" }: Step): readonly string[] {
  const isPinned = uses === undefined || /^actions\/[\w-]+@[\da-f]{40}$/.test(uses);
  return [...(isPinned ? [] : [uses]), ...(script.includes("${{") ? [script] : [])];
}

/** A repository with a current client, all committed, and the commit. */
async function pullRequest(): Promise<{ readonly folder: string; readonly base: string }> {
  const folder = await temporaryFolder();
  await cp(current.folder, folder, { recursive: true });
  return { ...current, folder };
}

/** Asks for a run of the command with its own arguments, and ends as that has. */
const askProgram = `
import { request } from "node:http";
import { json } from "node:stream/consumers";
request(process.env.PLUMBLINE, { method: "POST" }, async (response) => {
  const { code, out, error } = await json(response);
  process.stdout.write(out);
  process.stderr.write(error);
  process.exitCode = code;
}).end(JSON.stringify({ args: process.argv.slice(2), folder: process.cwd() }));
`;

/** Runs the command for `bin/npx`. */
const runner = createServer((request, response) => {
  void json(request).then(async (body) => {
    const { args, folder } = body as { readonly args: readonly string[]; readonly folder: string };
    response.end(JSON.stringify(await plumbline(args, { in: folder })));
  });
});

let current: { readonly folder: string; readonly base: string };
beforeAll(async () => {
  current = await createCurrent(await unremovedFolder());
  await new Promise<void>((resolve) => runner.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  runner.close();
  await rm(current.folder, { recursive: true });
});

async function createCurrent(folder: string): Promise<typeof current> {
  await place(folder, {
    "package.json": "{}",
    "spec/openapi.yaml": pets,
    "spec/plumbline.yaml":
      "ruleset: minimal\ndescriptions: [{description: openapi.yaml, artifacts: {client: {out: ../client}}}]\n",
    "temporary/summary.md": "",
    // npx without a registry: the process of this test runs the command.
    "bin/npx": `#!/bin/sh\nshift\nexec "${process.execPath}" "${path.join(folder, "bin/ask.mjs")}" "$@"\n`,
    "bin/ask.mjs": askProgram,
  });
  await chmod(path.join(folder, "bin/npx"), 0o755);
  expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0 });
  const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "--quiet", "--message", "The first");
  return { folder, base: git("rev-parse", "HEAD").trim() };
}

interface Comparison {
  readonly folder: string;
  readonly base: string;
  readonly host: string;
  readonly env?: Readonly<Record<string, string>>;
}

function compare({ folder, base, host, env }: Comparison): Promise<Ended> {
  const event = {
    BASE: base,
    FAIL_ON: "none",
    COMMENT: "true",
    PULL_REQUEST: "7",
    TOKEN: "secret",
    ACTION: repository,
  };
  return runStep("Compare with the base", { folder, env: { ...event, GITHUB_API_URL: host, ...env } });
}

/** Runs the script of a step as the host does. */
function runStep(
  name: string,
  { folder, env }: { readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ended> {
  const step = action.runs.steps.find((each) => each.name === name);
  const program = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step?.run ?? "exit 99"];
  const temporary = path.join(folder, "temporary");
  return run("bash", program, {
    in: folder,
    env: {
      PATH: `${path.join(folder, "bin")}${path.delimiter}${process.env["PATH"] ?? ""}`,
      PLUMBLINE: urlOf(runner),
      RUNNER_TEMP: temporary,
      GITHUB_STEP_SUMMARY: path.join(temporary, "summary.md"),
      GITHUB_REPOSITORY: "ann/shop",
      SPEC: "",
      ...env,
    },
  });
}

interface HostComment {
  readonly id: number;
  readonly user: { readonly type: string };
  body: string;
}

/** The comments of a pull request, as GitHub serves them. */
async function startHost({ isReadOnly = false } = {}): Promise<{
  readonly url: string;
  readonly comments: readonly HostComment[];
}> {
  const comments: HostComment[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const isAllowed = request.headers.authorization === "Bearer secret";
      const target = `${request.method} ${request.url}`;
      const id = Number(/^PATCH \/repos\/ann\/shop\/issues\/comments\/(\d+)$/.exec(target)?.[1]);
      const existing = comments.find((each) => each.id === id);
      const { body = "" } = JSON.parse(Buffer.concat(chunks).toString() || "{}") as { readonly body?: string };
      if (isAllowed && target === "GET /repos/ann/shop/issues/7/comments?per_page=100&page=1")
        return response.end(JSON.stringify(comments));
      if (!isAllowed || isReadOnly) return response.writeHead(403).end();
      if (existing !== undefined) existing.body = body;
      else if (target === "POST /repos/ann/shop/issues/7/comments")
        comments.push({ id: comments.length + 1, user: { type: "Bot" }, body });
      else return response.writeHead(404).end();
      return response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: urlOf(server), comments };
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
