import { truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { readTextFile } from "../read/source.js";
import { withFixtureFolder } from "../testing.js";
import { FileResolver } from "./resolver.js";

test("reads UTF-8, with or without its mark", async () => {
  await withFixtureFolder({ "a.yaml": "\ufeffa: ü" }, async (folder) => {
    expect(await readTextFile(path.join(folder, "a.yaml"))).toBe("a: ü");
  });
});

test.each<[string, (file: string) => Promise<void>, string]>([
  ["other encodings", (file) => writeFile(file, Buffer.from("a: \u00fc", "latin1")), "it is not UTF-8 text"],
  ["a file of more than 64 MB", (file) => truncate(file, 64 * 2 ** 20 + 1), "it has more than 64 MB"],
])("rejects %s", async (_, make, message) => {
  await withFixtureFolder({ "a.yaml": "" }, async (folder) => {
    await make(path.join(folder, "a.yaml"));
    await expect(readTextFile(path.join(folder, "a.yaml"))).rejects.toThrow(message);
  });
});

test("rejects a folder and a device", async () => {
  await withFixtureFolder({ "a/b.yaml": "" }, async (folder) => {
    await expect(readTextFile(path.join(folder, "a"))).rejects.toThrow("it is a folder");
    await expect(readTextFile("/dev/null")).rejects.toThrow("it is not a regular file");
  });
});

test("follows relative paths to YAML and JSON only, and reads the root whatever it is called", async () => {
  await withFixtureFolder({ "openapi.txt": "a: 1", "parts/a.yaml": "b: 2" }, async (folder) => {
    const root = path.join(folder, "openapi.txt");
    const resolver = new FileResolver(folder, { apply: (file) => file });
    const said = (reference: string) =>
      resolver.resolveDocument(root, reference).then(
        (document) => ("parsed" in document ? document.parsed : document.message),
        (error: Error) => error.message,
      );
    expect(await resolver.resolveDocument(null, root)).toMatchObject({ parsed: { a: 1 } });
    expect(await said("parts/a.yaml")).toEqual({ b: 2 });
    expect(await said("parts/../parts/a.yaml")).toEqual({ b: 2 });
    expect(await said("notes.md")).toBe("only .yaml, .yml and .json files are read");
    for (const elsewhere of [
      path.join(folder, "parts/a.yaml"),
      "http://127.0.0.1:9/a.yaml",
      "file:///a.yaml",
      "data:,a.yaml",
      "\\\\a\\b.yaml",
    ])
      expect(await said(elsewhere)).toBe("it is not a relative path");
  });
});
