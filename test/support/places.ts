import { mkdtemp, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** Absolute path of the repository. */
export const repository: string = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** The folder with the library files of TypeScript 5, the version whose programming interface ts-morph has. */
export const typescriptLibrary: string = path.join(
  createRequire(path.join(repository, "generators/package.json")).resolve("typescript/package.json"),
  "../lib",
);

/** Creates an empty temporary folder, which is removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await unremovedFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The same for a folder that several tests share; its creator removes it. */
export async function unremovedFolder(): Promise<string> {
  return realpath(await mkdtemp(path.join(tmpdir(), "plumbline-test-")));
}
