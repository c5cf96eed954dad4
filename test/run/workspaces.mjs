import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/**
 * A package of the repository that has tests.
 *
 * @typedef {{ readonly folder: string, readonly name: string }} Workspace the folder from the top, and the name of the package
 */

const folders = [
  ...["packages", "generators"].flatMap((group) =>
    readdirSync(path.join(root, group)).map((name) => `${group}/${name}`),
  ),
  "test",
].filter((folder) => existsSync(path.join(root, folder, "package.json")));

/** The folders of all packages of the repository, from the top, by their names. */
export const packageFolders = new Map(
  folders.map((folder) => [
    /** @type {{ name: string }} */ (JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"))).name,
    folder,
  ]),
);

/** @type {readonly Workspace[]} */
export const workspaces = [...packageFolders]
  .map(([name, folder]) => ({ folder, name }))
  .filter(({ folder }) => existsSync(path.join(root, folder, "vitest.config.ts")));

/** The test files of all workspaces, with their paths from the folder of the workspace. */
export function allTestFiles() {
  return workspaces.flatMap((workspace) => testFilesOf(workspace).map((file) => ({ workspace, file })));
}

/**
 * The test files of a workspace, from its folder, with forward slashes.
 *
 * @param {Pick<Workspace, "folder">} workspace
 */
export function testFilesOf({ folder }) {
  const from = path.join(root, folder);
  return (folder === "test" ? ["."] : ["src", "test"])
    .map((name) => path.join(from, name))
    .filter((place) => existsSync(place))
    .flatMap((place) => readdirSync(place, { recursive: true, encoding: "utf8" }).map((name) => path.join(place, name)))
    .map((file) => path.relative(from, file).replaceAll(path.sep, "/"))
    .filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules/"))
    .sort();
}
