import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { repository } from "./support/places.js";
import { run } from "./support/run.js";
import { trackedFiles } from "./support/tracked.js";

/** What turbo would run, as it prints it. `turbo.full.test.ts` has it run in clones. */
interface Task {
  readonly taskId: string;
  readonly hash: string;
  readonly directory: string;
  readonly command: string;
  /** Hashes of the files that the task reads, by their paths from its folder. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly dependents: readonly string[];
}

/** What turbo would run for these tasks. */
async function plannedRun(names: readonly string[], node: string): Promise<PlannedRun> {
  const off = { TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", TURBO_API: "", TURBO_TOKEN: "", TURBO_TEAM: "" };
  const program = path.join(repository, "node_modules", ".bin", "turbo");
  const options = { in: repository, env: { ...off, TEST_NODE: node } };
  const { out, error } = await run(program, ["run", ...names, "--dry=json"], options);
  return JSON.parse(out.slice(out.indexOf("{")) || error) as PlannedRun;
}

interface PlannedRun {
  readonly tasks: readonly Task[];
  readonly globalCacheInputs: { readonly files: Readonly<Record<string, string>> };
}

it("tests are repeated with another version of Node, and builds are not", async () => {
  const names = ["build", "test", "//#test:packages"];
  const [before, after] = [await plannedRun(names, "v20.19.0"), await plannedRun(names, "v24.0.0")];
  const hashes = new Map(before.tasks.map(({ taskId, hash }) => [taskId, hash]));
  const repeated = after.tasks.filter(({ taskId, hash }) => hashes.get(taskId) !== hash).map(({ taskId }) => taskId);
  expect(repeated.toSorted()).toEqual(
    after.tasks
      .map(({ taskId }) => taskId)
      .filter((id) => /#test/.test(id))
      .toSorted(),
  );
  expect(repeated).toContain("//#test:packages");
});

describe("repeated tasks", () => {
  let tasks: ReadonlyMap<string, Task>;
  let shared: readonly string[];

  beforeAll(async () => {
    const names = ["check", "build", "//#typecheck", "test", "//#test:packages", "//#lint"];
    const read = await plannedRun(names, process.version);
    tasks = new Map(read.tasks.map((each) => [each.taskId, each]));
    shared = Object.keys(read.globalCacheInputs.files);
  });

  /** The tasks that a change of one file affects: those that read it, and those that depend on them. */
  function affectedBy(file: string): readonly string[] {
    if (!trackedFiles().includes(file)) throw new Error(`${file} does not exist.`);
    const pending = [...tasks.values()].filter(({ directory, inputs }) =>
      Object.keys(inputs).some((name) => path.posix.join(directory, name) === file),
    );
    const found = new Set(shared.includes(file) ? tasks.keys() : []);
    for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
      found.add(task.taskId);
      pending.push(...task.dependents.flatMap((id) => (found.has(id) ? [] : (tasks.get(id) ?? []))));
    }
    return [...found].filter((id) => tasks.get(id)?.command !== none);
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
  ])("generated files are checked again when %s changes", (_, file) => {
    expect(affectedBy(file)).toContain("plumbline#check");
  });

  it.each([
    ["the licence", "LICENSE"],
    ["the front page", "README.md"],
    ["a test that crosses packages", "test/layout.test.ts"],
  ])("generated files are not checked again when %s changes", (_, file) => {
    expect(affectedBy(file)).not.toContain("plumbline#check");
  });

  it("a source has its own package and those that depend on it built, checked and tested again, and no other", () => {
    const affected = affectedBy("packages/client-runtime/src/index.ts");
    expect(affected.filter((task) => task.endsWith("#build")).sort()).toEqual([
      "@cloud-compute/client#build",
      "@cloud-compute/mcp#build",
      // It exports the client of its test controls.
      "@cloud-compute/service#build",
      "@plumbline/client-runtime#build",
      // It is compiled with the types of its runtime, which calls the API.
      "@plumbline/generators#build",
      "@plumbline/mcp-runtime#build",
      // Its console encodes requests as clients do.
      "@plumbline/site#build",
      "plumbline#build",
    ]);
    expect(affected).toEqual(expect.arrayContaining(["//#test:packages", "@plumbline/test#test", "//#lint"]));
    expect(
      affected.filter((task) => /^@plumbline\/((server|conformance)-runtime|kit)#(build|test)/.test(task)),
    ).toEqual([]);
  });

  it("the tests of packages run again when a description or a helper that they read changes, and no other file", () => {
    const read = [
      "spec/openapi.yaml",
      "test/descriptions/versions/swagger-2.0.yaml",
      "test/support/property-testing.ts",
    ];
    for (const file of read) expect(affectedBy(file)).toContain("//#test:packages");
    expect(affectedBy("test/layout.test.ts")).not.toContain("//#test:packages");
    expect(affectedBy("packages/service/src/service.test.ts")).not.toContain("//#test:packages");
  });

  it("a test runs again, and no build, when the test changes", () => {
    const affected = affectedBy("packages/client-runtime/src/call-operation.test.ts");
    expect(affected).toContain("//#test:packages");
    expect(affected.filter((task) => task.endsWith("#build"))).toEqual([]);
  });

  it("every build is repeated when a shared input of all builds changes", () => {
    const affected = affectedBy("tsconfig.base.json");
    const builds = [...tasks.values()].filter(({ taskId, command }) => taskId.endsWith("#build") && command !== none);
    expect(builds.map(({ taskId }) => taskId).filter((task) => !affected.includes(task))).toEqual([]);
  });
});

const none = "<NONEXISTENT>";
