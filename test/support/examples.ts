import { symlink, mkdir } from "node:fs/promises";
import path from "node:path";
import { ts } from "ts-morph";
import { place } from "./pets.js";
import { repository, temporaryFolder } from "./places.js";
import { compileProject, type Ended } from "./run.js";

/** The TypeScript blocks of a page, in order. */
export function examplesOf(page: string): readonly string[] {
  return [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, text]) => text ?? "");
}

const installed = [
  "@cloud-compute",
  "@modelcontextprotocol",
  "@plumbline",
  "@tanstack",
  "@types",
  "ajv",
  "ajv-formats",
  "cors",
  "express",
  "react",
  "swr",
];

/** A project outside the repository that holds the examples, with the workspaces and Node's types installed. */
export async function projectOf(examples: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  await install(folder);
  await placeExamples(folder, examples);
  return folder;
}

/** Makes a folder a project with the workspaces and Node's types. */
export async function install(folder: string): Promise<void> {
  for (const name of installed) {
    await mkdir(path.join(folder, "node_modules"), { recursive: true });
    await symlink(path.join(repository, "node_modules", name), path.join(folder, "node_modules", name), "dir");
  }
  await place(folder, {
    "package.json": JSON.stringify({ private: true, type: "module" }),
    "tsconfig.json": JSON.stringify({ compilerOptions: strict, include: ["**/*.ts"] }),
  });
}

/** Writes examples as `example-1.ts` and so on, and as scripts that Node runs. */
export async function placeExamples(folder: string, examples: readonly string[]): Promise<void> {
  await place(folder, {
    ...Object.fromEntries(examples.map((text, index) => [`example-${index + 1}.ts`, text])),
    ...Object.fromEntries(examples.map((text, index) => [`example-${index + 1}.js`, scriptOf(text)])),
  });
}

/** Checks the types of all examples of a project, as strictly as a reader may have it. */
export async function checkTypes(project: string): Promise<Ended> {
  return compileProject(".", { in: project });
}

const strict = {
  target: "ES2022",
  lib: ["ES2022", "DOM"],
  module: "NodeNext",
  moduleResolution: "NodeNext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: true,
  types: ["node"],
  noEmit: true,
};

/** Only strips the types, which Node 20 does not do itself. */
export function scriptOf(text: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}
