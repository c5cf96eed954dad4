import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCacheServer, type CacheServer } from "./support/cache-server.js";
import { cloneInto, git } from "./support/clone.js";
import { filesOf, place } from "./support/pets.js";
import { repository, temporaryFolder, unremovedFolder } from "./support/places.js";
import { run, type Ended } from "./support/run.js";

const program = path.join(repository, "node_modules", ".bin", "turbo");

interface Given {
  readonly in: string;
  /** The cache that the clone shares with others, and its token. */
  readonly cache?: { readonly url: string; readonly token: string };
}

function turbo(args: readonly string[], { in: folder, cache }: Given): Promise<Ended> {
  const shared = { TURBO_API: cache?.url ?? "", TURBO_TOKEN: cache?.token ?? "", TURBO_TEAM: "team" };
  const quiet = { TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", TURBO_CACHE_DIR: "", NO_COLOR: "1" };
  return run(program, ["run", ...args], { in: folder, env: { ...quiet, ...(cache === undefined ? alone : shared) } });
}

const alone = { TURBO_CACHE: "local:rw", TURBO_API: "", TURBO_TOKEN: "", TURBO_TEAM: "" };

describe("two clones that share a cache", () => {
  let cache: CacheServer;
  beforeAll(async () => {
    cache = await startCacheServer("open sesame");
  });
  afterAll(() => cache.close());

  const build = ["build", "--filter=@cloud-compute/client"];
  const reported = ({ out }: Ended) => ({
    tasks: [...out.matchAll(/^(\S+): cache (hit|miss)/gm)].map(([, task, what]) => `${task} ${what}`).sort(),
    isCompiled: out.includes("> tsc -p"),
  });

  it("build once: the second reuses all results of the first, unless it lacks access", async () => {
    const [first, second, stranger] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
    for (const folder of [first, second, stranger]) await cloneInto(folder);

    /** The responses of the cache, except for misses. */
    const answers = () =>
      cache.requests.map((each) => each.replace(/ \S+ /, " ")).filter((each) => !each.endsWith(" 404"));

    const made = await turbo(build, { in: first, cache });
    expect(made).toMatchObject({ code: 0 });
    expect(reported(made)).toEqual({
      tasks: ["@cloud-compute/client:build miss", "@plumbline/client-runtime:build miss"],
      isCompiled: true,
    });

    const given = await turbo([...build, "--output-logs=hash-only"], { in: second, cache });
    expect(given).toMatchObject({ code: 0 });
    expect(reported(given)).toEqual({
      tasks: ["@cloud-compute/client:build hit", "@plumbline/client-runtime:build hit"],
      isCompiled: false,
    });
    expect(given.out).toMatch(/Cached: +2 cached, 2 total/);
    const dist = "packages/client/dist";
    expect(await filesOf(path.join(second, dist))).toEqual(await filesOf(path.join(first, dist)));
    expect(answers()).toEqual(["PUT 202", "PUT 202", "GET 200", "GET 200"]);

    const rejected = await turbo(build, { in: stranger, cache: { ...cache, token: "open barley" } });
    expect(rejected).toMatchObject({ code: 0 });
    expect(reported(rejected)).toEqual(reported(made));
    expect(new Set(answers().slice(4))).toEqual(new Set(["GET 403", "PUT 403"]));
  });
});

describe("repeated tasks", () => {
  let clone: string;
  let before: Hashes;
  beforeAll(async () => {
    clone = await unremovedFolder();
    await cloneInto(clone);
    before = await hashes();
  });
  afterAll(() => rm(clone, { recursive: true, force: true }));

  type Hashes = ReadonlyMap<string, string>;

  /** The cache key of each task. */
  async function hashes(): Promise<Hashes> {
    const { out, error } = await turbo(
      ["check", "build", "//#typecheck", "test", "//#test:packages", "//#lint", "--dry=json"],
      {
        in: clone,
      },
    );
    const read = JSON.parse(out.slice(out.indexOf("{")) || error) as {
      readonly tasks: readonly { readonly taskId: string; readonly hash: string; readonly command: string }[];
    };
    return new Map(
      read.tasks.filter(({ command }) => command !== "<NONEXISTENT>").map((each) => [each.taskId, each.hash]),
    );
  }

  /** The tasks that a change of one file has done again. */
  async function redone(file: string): Promise<readonly string[]> {
    const text = await readFile(path.join(clone, file), "utf8").catch(() => "");
    await place(clone, { [file]: `${text}\n` });
    const after = await hashes();
    await git(clone, "checkout", "--quiet", "--", ".");
    await git(clone, "clean", "--quiet", "--force", "-d");
    return [...after].filter(([task, hash]) => before.get(task) !== hash).map(([task]) => task);
  }

  it.each([
    ["the description", "spec/instances/paths.yaml"],
    ["a list of requirements", "spec/requirements.yaml"],
    ["the configuration", "spec/plumbline.yaml"],
    ["the settings of a suite", "spec/conformance.yaml"],
    ["a workflow", "spec/workflows/scenarios.yaml"],
    ["the vocabulary", "packages/kit/vocabulary/README.md"],
    ["a template", "generators/templates/client/readme.md.hbs"],
    ["the generator", "generators/src/client/operations.ts"],
    ["the version of the generator", "packages/plumbline/package.json"],
    ["the version of a package", "packages/client/package.json"],
  ])("generated files are checked again when %s changes", async (_, file) => {
    const tasks = await redone(file);
    expect(tasks).toContain("plumbline#check");
  });

  it.each([
    ["the licence", "LICENSE"],
    ["the front page", "README.md"],
    ["a changeset", ".changeset/new.md"],
    ["a test that crosses packages", "test/layout.test.ts"],
  ])("generated files are not checked again when %s changes", async (_, file) => {
    const tasks = await redone(file);
    expect(tasks).not.toContain("plumbline#check");
  });

  it("are builds of the source's package and of its dependents, with their types and tests, and no others", async () => {
    const tasks = await redone("packages/client-runtime/src/index.ts");
    expect(tasks.filter((task) => task.endsWith("#build")).sort()).toEqual([
      "@cloud-compute/client#build",
      "@cloud-compute/mcp#build",
      // It exports the client of its test controls.
      "@cloud-compute/service#build",
      "@plumbline/client-runtime#build",
      // Tools call the API with it, the console of a site contains it, and the command has both generators.
      "@plumbline/generators#build",
      "@plumbline/mcp-runtime#build",
      "@plumbline/site#build",
      "plumbline#build",
    ]);
    expect(tasks).toEqual(expect.arrayContaining(["//#test:packages", "@plumbline/test#test", "//#lint"]));
    expect(tasks.filter((task) => /^@plumbline\/((server|conformance)-runtime|kit)#(build|test)/.test(task))).toEqual(
      [],
    );
  });

  it("is a test, and no build, when the test changes", async () => {
    const tasks = await redone("packages/client-runtime/src/call-operation.test.ts");
    expect(tasks).toContain("//#test:packages");
    expect(tasks.filter((task) => task.endsWith("#build"))).toEqual([]);
  });

  it("are all tasks when a shared input of all builds changes", async () => {
    const tasks = await redone("tsconfig.base.json");
    expect([...before.keys()].filter((task) => task.endsWith("#build") && !tasks.includes(task))).toEqual([]);
  });
});
