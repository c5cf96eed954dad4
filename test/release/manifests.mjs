import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * A package that is published.
 *
 * @typedef {{ readonly name: string, readonly folder: string }} PublicPackage the folder from the top
 */

/**
 * The public packages among the workspaces.
 *
 * @param {string} root
 * @returns {readonly PublicPackage[]}
 */
export function publicPackages(root) {
  return workspaceFolders(root).flatMap((folder) => {
    const { name, private: isPrivate } = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
    return isPrivate === true ? [] : [{ name, folder }];
  });
}

/**
 * Runs `publish` while the manifests of packages have the address of their repository, and restores the manifests afterwards, also after
 * Ctrl-C. The address depends on the clone, so it is never committed.
 *
 * @param {readonly PublicPackage[]} packages
 * @param {{ root: string, repository: string | undefined }} options the address in the format of `package.json`
 * @param {() => void} publish
 */
export function withRepository(packages, { root, repository }, publish) {
  if (repository === undefined) return publish();
  const page = repository.replace(/^git\+|\.git$/g, "");
  const originals = packages.map(({ folder }) => {
    const file = path.join(root, folder, "package.json");
    return { file, folder, text: readFileSync(file, "utf8") };
  });
  // Ctrl-C also ends the programs that `publish` waits for. Without a listener it would end this process before the manifests are restored.
  const waitForChild = () => {};
  for (const signal of signals) process.on(signal, waitForChild);
  try {
    for (const { file, folder, text } of originals) {
      const fields = {
        repository: { type: "git", url: repository, directory: folder },
        homepage: `${page}#readme`,
        bugs: { url: `${page}/issues` },
      };
      writeFileSync(file, `${JSON.stringify({ ...JSON.parse(text), ...fields }, undefined, 2)}\n`);
    }
    publish();
  } finally {
    for (const { file, text } of originals) writeFileSync(file, text);
    for (const signal of signals) process.off(signal, waitForChild);
  }
}

const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * Patterns have to end in an asterisk.
 *
 * @param {string} root
 * @returns {readonly string[]}
 */
function workspaceFolders(root) {
  const { workspaces } = /** @type {{ workspaces: readonly string[] }} */ (
    JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"))
  );
  return workspaces.flatMap((each) => {
    if (!each.endsWith("/*")) return [each];
    const parent = each.slice(0, -2);
    // A folder without a manifest is left over from a package that is gone.
    return readdirSync(path.join(root, parent))
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(path.join(root, folder, "package.json")));
  });
}
