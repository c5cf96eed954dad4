import { cp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { findImpact } from "@plumbline/codemods/impact";
import clientGenerator from "@plumbline/generators/client";
import typesGenerator from "@plumbline/generators/types";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import { compareDescriptions } from "@plumbline/kit/diff";
import { buildForeignFixture } from "@plumbline/kit/openapi/testing";
import { place } from "../support/pets.js";
import { repository, unremovedFolder } from "../support/places.js";

export const consumers = path.join(repository, "test/consumers");

/** What marks on lines and reports have in common: `src/a.ts:3 certain operation-removed`. */
export interface MarkedProject {
  readonly marked: readonly string[];
  readonly reported: readonly string[];
}

/** The projects that use an API, each with its marks and with the report about it. */
export async function readProjects(name: string): Promise<ReadonlyMap<string, MarkedProject>> {
  const folder = await unremovedFolder();
  try {
    return await readProjectsIn(folder, name);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readProjectsIn(folder: string, name: string): Promise<ReadonlyMap<string, MarkedProject>> {
  const [before, after] = await Promise.all(
    ["old", "new"].map((version) => readFile(path.join(consumers, "descriptions", name, `${version}.yaml`), "utf8")),
  );
  const { api: old } = await buildForeignFixture(before ?? "");
  const { api: next } = await buildForeignFixture(after ?? "");
  const differences = compareDescriptions(old, next).filter(
    ({ breaking, code }) =>
      breaking.includes("callers") ||
      breaking.includes("wire") ||
      code === "response-enum-value-removed" ||
      code.endsWith("-deprecated"),
  );
  await generateClient(folder, before ?? "", name);
  const projects = new Map<string, MarkedProject>();
  for (const each of (await readdir(path.join(consumers, "projects"))).filter((entry) =>
    entry.startsWith(`${name}-`),
  )) {
    const project = path.join(folder, each);
    await cp(path.join(consumers, "projects", each), project, { recursive: true });
    await writeFile(path.join(project, "tsconfig.json"), tsconfigOf(name));
    const { "src/gen/paths.ts": paths = "" } = await testGenerator(typesGenerator, {
      description: before ?? "",
      config: {},
    });
    if (each.endsWith("-paths") || each.endsWith("-query")) await writeFile(path.join(project, "src/api.ts"), paths);
    const impacts = findImpact({ old, next, differences, code: [path.join(project, "src")] });
    const reported = impacts.flatMap(({ difference: { code }, places }) =>
      places.map(({ file, line, certainty }) => `${path.relative(project, file)}:${line} ${certainty} ${code}`),
    );
    projects.set(each, { marked: await readMarks(project), reported: [...new Set(reported)].sort() });
  }
  return projects;
}

async function generateClient(folder: string, description: string, name: string): Promise<void> {
  const files = await testGenerator(clientGenerator, {
    description,
    config: { query: true },
    package: `@corpus/${name}`,
  });
  await place(path.join(folder, "client"), files);
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
}

function tsconfigOf(name: string): string {
  const paths = {
    [`@corpus/${name}`]: ["../client/src/index.ts"],
    [`@corpus/${name}/query`]: ["../client/src/gen/query.ts"],
  };
  const options = {
    strict: true,
    module: "Preserve",
    target: "ESNext",
    moduleResolution: "Bundler",
    jsx: "react-jsx",
    allowJs: true,
    types: [],
  };
  return JSON.stringify({ compilerOptions: { ...options, paths } });
}

/** The marks at the ends of lines: `// concerns: CODE, CODE; may: CODE`. */
async function readMarks(project: string): Promise<readonly string[]> {
  const files = (await readdir(path.join(project, "src"), { recursive: true })).filter((file) =>
    /\.[jt]sx?$/.test(file),
  );
  const marks: string[] = [];
  for (const file of files.sort())
    for (const [index, line] of (await readFile(path.join(project, "src", file), "utf8")).split("\n").entries()) {
      const [, text = ""] = /\/[/*] ((?:concerns|may): .*?)(?: \*\/.*)?$/.exec(line) ?? [];
      for (const part of text.split(/; ?/).filter(Boolean)) {
        const [kind = "", codes = ""] = part.split(": ");
        for (const code of codes.split(/, ?/))
          marks.push(`src/${file}:${index + 1} ${kind === "concerns" ? "certain" : "possible"} ${code.trim()}`);
      }
    }
  return [...new Set(marks)].sort();
}
