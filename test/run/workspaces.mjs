import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

const folders = [
  ...readdirSync(path.join(root, "packages")).map((name) => `packages/${name}`),
  "generators",
  "test",
].filter((folder) => existsSync(path.join(root, folder, "package.json")));

/** The folders of all packages of the repository, from the top, by their names. */
export const packageFolders = new Map(
  folders.map((folder) => [
    /** @type {{ name: string }} */ (JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"))).name,
    folder,
  ]),
);

/** The folders where vitest runs, from the top. The last one has the tests of all packages that have no configuration. */
export const vitestFolders = ["packages/service", "test", "."];

/**
 * The folder where vitest runs a test file.
 *
 * @param {string} file from the top
 */
export function vitestFolderOf(file) {
  return vitestFolders.find((folder) => folder === "." || file.startsWith(`${folder}/`));
}

/** The test files of all packages, from the top, with forward slashes. */
export function allTestFiles() {
  return folders.flatMap(testFilesIn);
}

/**
 * The name of the package that has a file.
 *
 * @param {string} file from the top
 */
export function packageOf(file) {
  const [name] = [...packageFolders].find(([, folder]) => file.startsWith(`${folder}/`)) ?? [];
  if (name === undefined) throw new Error(`No package has ${file}.`);
  return name;
}

/** @param {string} folder */
function testFilesIn(folder) {
  return (folder === "test" ? [folder] : [`${folder}/src`, `${folder}/test`])
    .filter((place) => existsSync(path.join(root, place)))
    .flatMap((place) =>
      readdirSync(path.join(root, place), { recursive: true, encoding: "utf8" }).map((name) => `${place}/${name}`),
    )
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules/"))
    .sort();
}
