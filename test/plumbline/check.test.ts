import { cp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesOf, pets, place } from "../support/pets.js";
import { temporaryFolder, unremovedFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

describe("generate --check", () => {
  let workspace: string;
  beforeAll(async () => {
    workspace = await unremovedFolder();
    await place(workspace, {
      "spec/openapi.yaml": pets,
      "spec/plumbline.yaml": `ruleset: minimal
descriptions:
  - description: openapi.yaml
    artifacts: {client: {package: '@pets/client', out: ../client}}
`,
    });
    expect(await plumbline(["generate"], { in: workspace })).toMatchObject({ code: 0, error: "" });
  });
  afterAll(() => rm(workspace, { recursive: true, force: true }));

  /** A copy of the workspace, for one test to break. */
  async function copy(): Promise<string> {
    const folder = await temporaryFolder();
    await cp(workspace, folder, { recursive: true });
    return folder;
  }

  const current = { code: 0, out: "10 generated files are up to date\n", error: "" };
  const foreignLine = (count: number) =>
    `${count} files in the generated folders are not from the generator. Move them away.\n`;
  const lastLine = (count: number) => `${count} of 10 generated files are out of date. Run plumbline generate.\n`;

  it("reports that all files are current, and changes nothing", async () => {
    const folder = await copy();
    const before = await filesOf(folder);
    expect(await plumbline(["generate", "--check"], { in: folder })).toEqual(current);
    expect(await filesOf(folder)).toEqual(before);
    const { out } = await plumbline(["generate", "--check", "--json"], { in: folder });
    expect(JSON.parse(out)).toEqual({ current: true, differences: [] });
  });

  it("shows edits line by line", async () => {
    const folder = await copy();
    await edit(folder, "client/src/index.ts", (text) => `${text}// mine\n`);
    const { code, out } = await plumbline(["generate", "--check"], { in: folder });
    expect(out).toBe(`stale    client/src/index.ts
@@ -1 +1 @@
 export * from "./gen/index.js";
-// mine
${lastLine(1)}`);
    expect(code).toBe(1);
    const json = await plumbline(["generate", "--check", "--json"], { in: folder });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toEqual({
      current: false,
      differences: [{ file: "client/src/index.ts", kind: "stale" }],
    });
  });

  it("reports deleted files", async () => {
    const folder = await copy();
    await rm(path.join(folder, "client/src/gen/errors.ts"));
    const { code, out } = await plumbline(["generate", "--check"], { in: folder });
    expect({ code, out }).toEqual({ code: 1, out: `missing  client/src/gen/errors.ts\n${lastLine(1)}` });
  });

  it("reports a deleted manifest, and treats all files as foreign without it", async () => {
    const folder = await copy();
    await rm(path.join(folder, "client/.plumbline.json"));
    await edit(folder, "client/README.md", (text) => `${text}Mine.\n`);
    const { code, out } = await plumbline(["generate", "--check"], { in: folder });
    expect(code).toBe(1);
    expect(reportedIn(out)).toEqual(["missing  client/.plumbline.json", "foreign  client/README.md"]);
  });

  it("finds files of the manifest that are no longer generated", async () => {
    const folder = await copy();
    await edit(folder, "client/.plumbline.json", (text) => text.replace('"README.md"', '"PAST.md",\n    "README.md"'));
    await place(folder, { "client/PAST.md": "past\n" });
    const { code, out } = await plumbline(["generate", "--check"], { in: folder });
    expect(code).toBe(1);
    expect(reportedIn(out)).toEqual(["stale    client/.plumbline.json", "orphaned client/PAST.md"]);
    await plumbline(["generate"], { in: folder });
    expect(await plumbline(["generate", "--check"], { in: folder })).toEqual(current);
    expect(Object.keys(await filesOf(folder))).not.toContain("client/PAST.md");
  });

  it("finds a foreign file among generated sources, which generate leaves alone", async () => {
    const folder = await copy();
    await place(folder, {
      "client/src/gen/operations/mine.ts": "mine\n",
      "client/NOTES.md": "A place of one's own.\n",
    });
    const stray = { code: 1, out: `foreign  client/src/gen/operations/mine.ts\n${foreignLine(1)}`, error: "" };
    expect(await plumbline(["generate", "--check"], { in: folder })).toEqual(stray);
    await plumbline(["generate"], { in: folder });
    expect(await plumbline(["generate", "--check"], { in: folder })).toEqual(stray);
    expect((await filesOf(folder))["client/src/gen/operations/mine.ts"]).toBe("mine\n");
  });

  it("distinguishes its own keys of package.json from foreign ones", async () => {
    const folder = await copy();
    const mine = (text: string) =>
      text.replace(/"version": "[^"]*"/, '"version": "4.5.6",\n  "homepage": "https://pets.example"');
    await edit(folder, "client/package.json", mine);
    // A foreign key keeps its position.
    await plumbline(["generate"], { in: folder });
    expect(await plumbline(["generate", "--check"], { in: folder })).toEqual(current);
    const kept = JSON.parse(await readFile(path.join(folder, "client/package.json"), "utf8")) as object;
    expect(kept).toMatchObject({ name: "@pets/client", version: "4.5.6", homepage: "https://pets.example" });
    await edit(folder, "client/package.json", (text) => text.replace('"type": "module"', '"type": "commonjs"'));
    const { code, out } = await plumbline(["generate", "--check"], { in: folder });
    expect({ code, reported: reportedIn(out) }).toEqual({ code: 1, reported: ["stale    client/package.json"] });
    expect(out).toContain('-  "type": "commonjs",\n+  "type": "module",\n');
  });

  it("reports all of these at once, and the next run restores the files", async () => {
    const folder = await copy();
    const before = await filesOf(folder);
    await edit(folder, "client/src/gen/types.ts", (text) => text.replace("Pet", "Cat"));
    await rm(path.join(folder, "client/src/gen/operations/pets.ts"));
    await edit(folder, "client/.plumbline.json", (text) =>
      text.replace('"src/gen/', '"src/gen/past.ts",\n    "src/gen/'),
    );
    await place(folder, { "client/src/gen/past.ts": "", "client/src/gen/stray.ts": "" });
    await edit(folder, "client/package.json", (text) => text.replace('"sideEffects": false', '"sideEffects": true'));
    const { code, out } = await plumbline(["generate", "--check"], { in: folder });
    expect(code).toBe(1);
    expect(reportedIn(out)).toEqual([
      "stale    client/.plumbline.json",
      "stale    client/package.json",
      "missing  client/src/gen/operations/pets.ts",
      "orphaned client/src/gen/past.ts",
      "foreign  client/src/gen/stray.ts",
      "stale    client/src/gen/types.ts",
    ]);
    expect(out.endsWith(`\n${lastLine(5)}${foreignLine(1)}`)).toBe(true);
    expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
    expect(await filesOf(folder)).toEqual({ ...before, "client/src/gen/stray.ts": "" });
  });

  it("does not mind the version of package.json", async () => {
    const folder = await copy();
    await edit(folder, "client/package.json", (text) => text.replace(/"version": "[^"]*"/, '"version": "4.5.6"'));
    expect(await plumbline(["generate", "--check"], { in: folder })).toEqual(current);
  });

  it("notices a change of the description", async () => {
    const folder = await copy();
    await edit(folder, "spec/openapi.yaml", (text) => text.replace("summary: Get a pet", "summary: Get one pet"));
    const { code, out } = await plumbline(["generate", "--check"], { in: folder });
    expect(code).toBe(1);
    expect(reportedIn(out)).toEqual(["stale    client/README.md", "stale    client/src/gen/operations/pets.ts"]);
    expect(out).toContain("- * Get a pet.\n+ * Get one pet.\n");
    await plumbline(["generate"], { in: folder });
    expect(await plumbline(["generate", "--check"], { in: folder })).toEqual(current);
  });

  it("keeps the last valid output when the description is invalid", async () => {
    const folder = await copy();
    await edit(folder, "spec/openapi.yaml", (text) => text.replace("#/components/schemas/Pet'", "pat.yaml'"));
    const before = await filesOf(folder);
    for (const args of [["generate"], ["generate", "--check"]]) {
      const { code, out, error } = await plumbline(args, { in: folder });
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(error).toMatch(/^spec\/openapi\.yaml:14:62 {2}error {2}openapi\/no-unresolved-refs /);
    }
    expect(await filesOf(folder)).toEqual(before);
  });
});

describe("generate", () => {
  it("does not overwrite a foreign file, and then writes none at all", async () => {
    const folder = await temporaryFolder();
    const before = {
      "openapi.yaml": pets,
      "made/client/README.md": "My own.\n",
      "made/client/src/gen/types.ts": "export {};\n",
    };
    await place(folder, before);
    const { code, out, error } = await plumbline(["generate", "--spec", "openapi.yaml", "--out", "made"], {
      in: folder,
    });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toBe(`The generator did not write these files, and must not replace them:
  made/client/src/gen/types.ts
  made/client/README.md
Move them away, or choose another folder with --out.
`);
    expect(await filesOf(folder)).toEqual(before);
  });

  it("completes an interrupted run", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets });
    const run = (...args: readonly string[]) =>
      plumbline(["generate", "--spec", "openapi.yaml", "--out", "made", ...args], { in: folder });
    await run();
    const complete = await filesOf(folder);
    // The manifest lists a file before it exists, and temporary files have separate names.
    await rm(path.join(folder, "made/client/src/gen/operations/pets.ts"));
    await writeFile(path.join(folder, "made/client/src/gen/types.ts.1.plumbline-tmp"), "export interfa");
    expect((await run("--check")).code).toBe(1);
    expect((await run()).code).toBe(0);
    expect(await filesOf(folder)).toMatchObject(complete);
  });
});

async function edit(folder: string, file: string, change: (text: string) => string): Promise<void> {
  const name = path.join(folder, file);
  const before = await readFile(name, "utf8");
  const after = change(before);
  expect(after, `${file} as edited by this test`).not.toBe(before);
  await writeFile(name, after);
}

/** The lines that name a file, without the differences between them. */
function reportedIn(out: string): readonly string[] {
  return out.split("\n").filter((line) => /^(stale|missing|orphaned|foreign) /.test(line));
}
