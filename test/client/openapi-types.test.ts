import { cp, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { repository, unremovedFolder } from "../support/places.js";
import { plumbline, runNode } from "../support/run.js";

const isFull = process.env["MODE"] === "full";
const descriptions = path.join(repository, "test", "descriptions", "annotated");
const generator = path.join(repository, "generators");
/** The first one, which is native, needs a sixth of the time of the other: the loop runs it alone. */
const compilers = [
  ["7", path.join(repository, "node_modules", "typescript")],
  ["5.9", path.join(generator, "node_modules", "typescript")],
] as const;

let folder: string;
beforeAll(async () => {
  folder = await unremovedFolder();
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
  const spec = path.join(descriptions, "library.yaml");
  const args = ["generate", "--only", "types", "--spec", spec, "--out", folder];
  expect(await plumbline(args, { in: folder })).toMatchObject({ code: 0 });
  await cp(path.join(descriptions, "library.types.ts"), path.join(folder, "library.ts"));
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: "es2022",
    module: "nodenext",
    skipLibCheck: true,
  };
  const compilerOptions = {
    ...options,
    lib: ["es2023", "dom", "dom.iterable"],
    types: ["node"],
    rootDir: ".",
    outDir: "out",
  };
  await writeFile(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["library.ts", "types/src"] }),
  );
});
afterAll(() => rm(folder, { recursive: true }));

it.each(compilers.slice(0, isFull ? compilers.length : 1))(
  "the types fit openapi-fetch, openapi-react-query and openapi-msw, as TypeScript %s says",
  async (_, compiler) => {
    const program = path.join(compiler, "bin", "tsc");
    expect(await runNode([program, "-p", folder], { in: folder })).toEqual({ code: 0, out: "", error: "" });
  },
);

it("these libraries run with them", async () => {
  const { useLibraries } = (await import(pathToFileURL(path.join(folder, "out", "library.js")).href)) as {
    readonly useLibraries: () => Promise<readonly unknown[]>;
  };
  expect(await useLibraries()).toEqual([["Emma"], 8, 4, 1]);
});
