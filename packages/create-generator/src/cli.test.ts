import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { main } from "./index.js";

describe("npm create @plumbline/generator NAME", () => {
  it("creates a package with the name in all of its files, and prints the next commands", async () => {
    const folder = await temporaryFolder();
    const result = await run(["routes"], folder);
    const page = await readFile(new URL("../README.md", import.meta.url), "utf8");
    expect(page).toContain(`\`\`\`sh\n$ npm create @plumbline/generator routes\n${result.out}\`\`\`\n`);
    expect(result).toEqual({
      code: 0,
      error: "",
      out: `wrote    routes/README.md
wrote    routes/example/openapi.yaml
wrote    routes/example/plumbline.yaml
wrote    routes/generator.mjs
wrote    routes/.gitignore
wrote    routes/golden/routes.md
wrote    routes/package.json
wrote    routes/test/generator.mjs

Next:
  cd routes
  npm install
  npm test
  npm run example
`,
    });
    const created = path.join(folder, "routes");
    const entries = await readdir(created, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    const texts = await Promise.all(files.map(async (file) => readFile(file, "utf8")));
    expect(texts.filter((each) => /GENERATOR_NAME|PLUMBLINE_VERSION/.test(each))).toEqual([]);
    const own = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
    expect(JSON.parse(await readFile(path.join(created, "package.json"), "utf8"))).toMatchObject({
      name: "plumbline-generator-routes",
      dependencies: { "@plumbline/codegen": `^${own.version}`, "@plumbline/model": `^${own.version}` },
      devDependencies: { plumbline: `^${own.version}` },
    });
  });

  it("does not write into a folder with files, nor over a file", async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, "routes"));
    await writeFile(path.join(folder, "routes", "notes.txt"), "mine");
    await writeFile(path.join(folder, "pages"), "mine");
    const rejected = (name: string) => `${name} exists and is not empty. Remove it, or choose another name.\n`;
    expect(await run(["routes"], folder)).toEqual({ code: 1, out: "", error: rejected("routes") });
    expect(await run(["pages"], folder)).toEqual({ code: 1, out: "", error: rejected("pages") });
    expect(await readdir(path.join(folder, "routes"))).toEqual(["notes.txt"]);
    await mkdir(path.join(folder, "empty"));
    expect(await run(["empty"], folder)).toMatchObject({ code: 0 });
  });

  test.each([
    [[], "Missing NAME."],
    [["Routes"], '"Routes" is not a valid name. Use lower-case letters, digits and hyphens.'],
    [["../routes"], '"../routes" is not a valid name. Use lower-case letters, digits and hyphens.'],
    [["server"], '"server" is the name of a built-in artifact. Use another name.'],
    [["routes", "pages"], '"pages" is an unexpected argument.'],
  ])("rejects the arguments %j", async (args, issue) => {
    const folder = await temporaryFolder();
    const error = `${issue}\nTry npm create @plumbline/generator -- --help.\n`;
    expect(await run(args, folder)).toEqual({ code: 2, out: "", error });
    expect(await readdir(folder)).toEqual([]);
  });

  it("explains itself", async () => {
    const { code, out } = await run(["--help"], await temporaryFolder());
    expect(code).toBe(0);
    expect(out).toContain("npm create @plumbline/generator routes\n");
  });
});

async function run(
  args: readonly string[],
  folder: string,
): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const streams = { out: new PassThrough(), error: new PassThrough() };
  const written = Promise.all([text(streams.out), text(streams.error)]);
  const code = await main(args, { ...streams, folder });
  streams.out.end();
  streams.error.end();
  const [out, error] = await written;
  return { code, out, error };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "plumbline-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
