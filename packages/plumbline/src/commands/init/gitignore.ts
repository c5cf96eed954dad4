import path from "node:path";
import type { FileChange } from "./init-report.js";
import { readTextIfExists } from "./read-manifest.js";

/** Plans a .gitignore. An existing one stays unchanged; the result has the folders that it lacks. */
export async function planGitignore(
  folder: string,
  artifacts: readonly string[],
): Promise<{ readonly changes: readonly FileChange[]; readonly unignored: readonly string[] }> {
  const file = path.join(folder, ".gitignore");
  const folders = foldersToIgnore(artifacts);
  const args = await readTextIfExists(file);
  if (args !== undefined) return { changes: [], unignored: findUnignored(args, folders) };
  const text = folders.map((each) => `${each}\n`).join("");
  return { changes: [{ file, text, isNew: true, added: folders }], unignored: [] };
}

/** The folders to ignore: installed packages, compiler output, and journals of conformance runs. */
function foldersToIgnore(artifacts: readonly string[]): readonly string[] {
  return ["node_modules/", "dist/", ...(artifacts.includes("conformance") ? [".conformance/"] : [])];
}

function findUnignored(text: string, folders: readonly string[]): readonly string[] {
  const ignored = new Set(text.split("\n").map(normalizePattern));
  return folders.filter((each) => !ignored.has(normalizePattern(each)));
}

/** The folder of a pattern that applies at any depth or to every package. */
function normalizePattern(line: string): string {
  return line
    .trimEnd()
    .replace(/^(\*\*\/|\/?packages\/\*\*?\/)/, "")
    .replace(/\/(\*\*?)?$/, "");
}
