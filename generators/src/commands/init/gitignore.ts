import path from "node:path";
import { textOf } from "./reading.js";
import type { Change } from "./telling.js";

/** A folder's .gitignore is written where there is none, and otherwise left as it is: then it may lack some of the folders. */
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

/** What comes to be beside what is generated: installed packages, what compilers make, and the journals of suites that run. */
function madeWith(artifacts: readonly string[]): readonly string[] {
  return ["node_modules/", "dist/", ...(artifacts.includes("conformance") ? [".conformance/"] : [])];
}

function unignoredBy(text: string, folders: readonly string[]): readonly string[] {
  const named = new Set(text.split("\n").map(folderOf));
  return folders.filter((each) => !named.has(folderOf(each)));
}

/** The folder that a line ignores at any depth, or in every package. */
function folderOf(line: string): string {
  return line
    .trimEnd()
    .replace(/^(\*\*\/|\/?packages\/\*\*?\/)/, "")
    .replace(/\/(\*\*?)?$/, "");
}
