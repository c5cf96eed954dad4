import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { ReleaseError } from "./run.mjs";

/** The public packages of a repository, `{ name, version, folder }`, each after its dependencies. */
export function publicPackages(root) {
  const all = foldersOf(root).map((folder) => ({ folder, ...readManifest(path.join(root, folder)) }));
  const open = new Map(all.filter((each) => each.private !== true).map((each) => [each.name, each]));
  const ordered = new Map();
  const visit = (name, dependents) => {
    if (dependents.includes(name))
      throw new ReleaseError(`Circular dependencies: ${[...dependents, name].join(" → ")}.`);
    const found = open.get(name);
    if (found === undefined || ordered.has(name)) return;
    const { dependencies, optionalDependencies, peerDependencies } = found;
    const wanted = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    for (const each of wanted.sort()) visit(each, [...dependents, name]);
    ordered.set(name, { name, version: found.version, folder: found.folder });
  };
  for (const name of [...open.keys()].sort((a, b) => a.localeCompare(b, "en"))) visit(name, []);
  return [...ordered.values()];
}

export function readManifest(folder) {
  return JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
}

/** The folders of the workspaces. Patterns have to end in an asterisk. */
function foldersOf(root) {
  return readManifest(root).workspaces.flatMap((each) => {
    if (!each.endsWith("/*")) return [each];
    const parent = each.slice(0, -2);
    const entries = readdirSync(path.join(root, parent), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => `${parent}/${entry.name}`);
  });
}
