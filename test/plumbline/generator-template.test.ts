import { cp, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { filesOf, place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

const docs = path.join(repository, "packages", "plumbline", "docs");

it("a copy of the template for generators passes its test", async () => {
  const { folder, script } = await copyTemplate();
  expect(await plumbline(script("test"), { in: folder })).toMatchObject({ code: 0, error: "" });
});

it("a copy with another output fails its test until its expected files are written", async () => {
  const { folder, script } = await copyTemplate();
  const text = await readFile(path.join(folder, "generator.mjs"), "utf8");
  await place(folder, {
    "generator.mjs": text.replace("## ", "### ").replace("return [{", 'return [{ path: "a.txt", text: "a" }, {'),
  });
  const { code, out } = await plumbline(script("test"), { in: folder });
  expect(code).toBe(1);
  expect(out).toContain("missing  expected/a.txt\n");
  expect(out).toContain("-## pets\n+### pets\n");
  expect(await plumbline(script("update"), { in: folder })).toMatchObject({ code: 0, error: "" });
  expect(await filesOf(path.join(folder, "expected"))).toMatchObject({
    "a.txt": "a",
    "routes.md": expect.stringContaining("### pets\n") as string,
  });
  expect(await plumbline(script("test"), { in: folder })).toMatchObject({ code: 0 });
});

/** Copies the template, and links the packages of this repository. `script` is a command of its `package.json` on the page. */
async function copyTemplate() {
  const folder = path.join(await temporaryFolder(), "routes");
  await cp(path.join(docs, "generator-template"), folder, { recursive: true });
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"), "dir");
  const page = await readFile(path.join(docs, "generators.md"), "utf8");
  const script = (name: string): readonly string[] => {
    const [, args] = new RegExp(`^npm pkg set scripts\\.${name}="plumbline (.+)"$`, "m").exec(page) ?? [];
    if (args === undefined) throw new Error(`The page has no script ${name}`);
    return args.split(" ");
  };
  return { folder, script };
}
