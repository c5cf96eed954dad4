import path from "node:path";
import { textOf } from "./reading.js";
import type { Change } from "./telling.js";

/** Plans a .gitignore. An existing one stays unchanged; the result has the folders that it lacks. */
export async function gitignore(
  folder: string,
  artifacts: readonly string[],
): Promise<{ readonly changes: readonly Change[]; readonly unignored: readonly string[] }> {
  const file = path.join(folder, ".gitignore");
  const folders = madeWith(artifacts);
  const given = await textOf(file);
  if (given !== undefined) return { changes: [], unignored: unignoredBy(given, folders) };
  const text = folders.map((each) => `${each}\n`).join("");
  return { changes: [{ file, text, isNew: true, added: folders }], unignored: [] };
}

/** The folders to ignore: installed packages, compiler output, and journals of conformance runs. */
function madeWith(artifacts: readonly string[]): readonly string[] {
  return ["node_modules/", "dist/", ...(artifacts.includes("conformance") ? [".conformance/"] : [])];
}

function unignoredBy(text: string, folders: readonly string[]): readonly string[] {
  const named = new Set(text.split("\n").map(folderOf));
  return folders.filter((each) => !named.has(folderOf(each)));
}

/** The folder of a pattern that applies at any depth or to every package. */
function folderOf(line: string): string {
  return line
    .trimEnd()
    .replace(/^(\*\*\/|\/?packages\/\*\*?\/)/, "")
    .replace(/\/(\*\*?)?$/, "");
}
