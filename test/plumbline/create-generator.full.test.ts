import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { filesOf, place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { plumbline, runNode } from "../support/run.js";

const program = path.join(repository, "packages", "create-generator", "bin", "create-generator.js");

describe("a generator that npm create has created", () => {
  it("passes its test, and works in plumbline.yaml", async () => {
    const { folder, runTest } = await createRoutes();
    expect(await runTest()).toMatchObject({ code: 0 });
    const spec = path.join("example", "plumbline.yaml");
    expect(await plumbline(["generate", "--spec", spec], { in: folder })).toMatchObject({ code: 0, error: "" });
    const files = await filesOf(folder);
    expect(files["example/out/routes.md"]).toBe(files["golden/routes.md"]);
    expect(await plumbline(["generate", "--check", "--spec", spec], { in: folder })).toMatchObject({ code: 0 });
  });

  it("fails its test when its output changes, until the golden file does", async () => {
    const { folder, runTest } = await createRoutes();
    const text = await readFile(path.join(folder, "generator.mjs"), "utf8");
    await place(folder, { "generator.mjs": text.replace("- \\`", "* \\`").replace("## ", "### ") });
    const broken = await runTest();
    expect(broken.code).toBe(1);
    expect(broken.out).toContain("### pets");
    expect(await runNode(["test/generator.mjs", "--update"], { in: folder })).toMatchObject({ code: 0 });
    expect((await filesOf(folder))["golden/routes.md"]).toContain("### pets");
    expect(await runTest()).toMatchObject({ code: 0 });
  });

  it("fails its test when it generates another file", async () => {
    const { folder, runTest } = await createRoutes();
    const text = await readFile(path.join(folder, "generator.mjs"), "utf8");
    await place(folder, { "generator.mjs": text.replace("return [{", 'return [{ path: "a.txt", text: "a" }, {') });
    const { code, out } = await runTest();
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining("a.txt") });
  });

  it("has types, which find misspelt names", async () => {
    const { folder } = await createRoutes();
    const compilerOptions = {
      target: "ES2022",
      lib: ["ES2023"],
      module: "NodeNext",
      types: ["node"],
      strict: true,
      allowJs: true,
      noEmit: true,
      skipLibCheck: true,
    };
    await place(folder, { "tsconfig.json": JSON.stringify({ compilerOptions, include: ["generator.mjs", "test"] }) });
    const compiler = path.join(repository, "node_modules", "typescript", "bin", "tsc");
    expect(await runNode([compiler, "-p", "."], { in: folder })).toEqual({ code: 0, out: "", error: "" });
    const text = await readFile(path.join(folder, "generator.mjs"), "utf8");
    await place(folder, { "generator.mjs": text.replace("config.heading", "config.headline") });
    expect((await runNode([compiler, "-p", "."], { in: folder })).out).toContain("Property 'headline' does not exist");
  });
});

/** Creates the generator beside the packages of this repository. */
async function createRoutes() {
  const folder = await temporaryFolder();
  expect(await runNode([program, "routes"], { in: folder })).toMatchObject({ code: 0, error: "" });
  const created = path.join(folder, "routes");
  await symlink(path.join(repository, "node_modules"), path.join(created, "node_modules"), "dir");
  return { folder: created, runTest: () => runNode(["--test"], { in: created }) };
}
