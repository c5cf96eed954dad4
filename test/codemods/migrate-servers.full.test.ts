import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { repository } from "../support/places.js";
import { openServerApplication, tool, type ServerApplication } from "./migrate-servers.support.js";

/** Wrong rewrites that the checks have to find: a file, a text in it, and what stands in its place. */
const faults = [
  ["src/app.ts", 'basePath: "/v1",\n', 'basePath: "",\n'],
  ["src/app.ts", 'validateResponses: "report"', 'validateResponses: "off"'],
  ["src/app.ts", "onError: throwHttpError,\n", ""],
  ["src/app.ts", "  uploads({ limits: { fileSize: 1_000, files: 2 } }),\n", ""],
  ["src/app.ts", "securityHandler(securityHandlers.oauth)", "() => true"],
  ["src/app.ts", "    ignorePaths: isIgnored,\n", ""],
  ["src/formats.ts", "validate: isLot", "validate: () => true"],
  ["src/validator-handlers.ts", 'return "forbidden"', "return false"],
  ["src/validator-uploads.ts", "? 413 : 400", "? 400 : 413"],
  ["src/photos.ts", "input.query.limit", "req.query.limit"],
  ["src/seeds.ts", "input.query.limit", "req.query.limit"],
  ["src/seeds.ts", "inputOf(changeSeed, req)", "inputOf(getSeed, req)"],
] as const;

it("a server on express-openapi-validator passes its checks before and after", async () => {
  const application = await openServerApplication();
  await expectInOrder(application);
  const migrated = await application.migrate("src", "--write");
  expect(migrated).toMatchObject({ code: 0, error: "" });
  expect(migrated.out.trimEnd().split("\n").at(-1)).toBe("7 files changed: 20 done, 3 to decide, 0 not understood.");
  expect(await textOf(application)).not.toMatch(/express-openapi-validator"|TODO/);
  await expectInOrder(application);

  for (const [file, from, to] of faults) {
    const text = await application.read(file);
    expect(text).toContain(from);
    await writeFile(path.join(application.folder, file), text.replace(from, to));
    const compiled = await application.compile();
    const checked = await application.check();
    expect(compiled.code === 0 && checked.code === 0, `${file}: ${to}`).toBe(false);
    await writeFile(path.join(application.folder, file), text);
  }
});

it.each([
  ["the set-up first", ["formats", "app", "seeds", "photos", "loans", "app"]],
  ["the set-up in between", ["loans", "app", "formats", "app", "photos", "seeds", "app", "loans", "app"]],
])("passes its checks after each file: %s", async (_, files) => {
  const [whole, application] = [await openServerApplication(), await openServerApplication()];
  await whole.migrate("src", "--write");
  const changed: string[] = [];
  for (const file of files) {
    const migrated = await application.migrate(`src/${file}.ts`, "--write");
    expect(migrated).toMatchObject({ code: 0, error: "" });
    if (!migrated.out.includes("changed  ")) continue;
    changed.push(file);
    await expectInOrder(application);
  }
  expect(changed.sort()).toEqual(["app", "app", "formats", "loans", "photos", "seeds"]);
  expect(await textOf(application)).toBe(await textOf(whole));
});

it("the page has what becomes of each option of the tool", async () => {
  const declarations = await readFile(path.join(repository, "node_modules", tool, "dist/framework/types.d.ts"), "utf8");
  const page = await readFile(path.join(repository, "packages/plumbline/docs", `from-${tool}.md`), "utf8");
  const [, table = ""] = /## Options\n(.*?)\n## /s.exec(page) ?? [];
  const types = ["interface OpenApiValidatorOpts", "type ValidateRequestOpts =", "type ValidateResponseOpts ="];
  const names = types.flatMap((type) => {
    const [body = ""] = declarations.slice(declarations.indexOf(`export ${type}`)).split("\n}");
    return [...body.matchAll(/^ {4}([\w$]+)\??:/gm)].map(([, name = ""]) => name);
  });
  expect(names.length).toBeGreaterThan(25);
  expect(names.filter((name) => !new RegExp(`\\b${name.replace("$", "")}\\b`).test(table))).toEqual([]);
});

/** The application compiles, and all its checks pass. */
async function expectInOrder(application: ServerApplication): Promise<void> {
  expect(await application.compile()).toMatchObject({ code: 0, out: "" });
  expect(await application.check()).toMatchObject({ code: 0, out: "the seed bank is in order\n" });
}

/** All sources, with the lines of each in order: imports may be in another one. */
async function textOf({ folder, read }: ServerApplication): Promise<string> {
  const files = (await readdir(path.join(folder, "src"))).sort();
  const texts = await Promise.all(files.map(async (file) => (await read(`src/${file}`)).split("\n").sort()));
  return texts.flat().join("\n");
}
