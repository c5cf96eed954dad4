import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

let cachedIdentity: Promise<string> | undefined;

/**
 * A hash of this generator: the code, templates and vocabulary of its packages, the versions of their dependencies, and that of Node.
 * Output of another generator is generated again.
 */
export function generatorIdentity(): Promise<string> {
  cachedIdentity ??= hashGenerator(path.dirname(createRequire(import.meta.url).resolve("plumbline/package.json")));
  return cachedIdentity;
}

interface DependencyKeys {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Hashes the package in a folder, and the packages of `@plumbline` that it depends on. */
export async function hashGenerator(root: string): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  const pending = [root];
  const visited = new Set<string>();
  const entered = new Set<string>();
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const manifest = await readFile(path.join(folder, "package.json"), "utf8");
    hash.update(manifest);
    const require = createRequire(path.join(folder, "package.json"));
    const { name: owner = "", dependencies = {}, peerDependencies = {} } = JSON.parse(manifest) as DependencyKeys;
    // Of runtimes, only the version is in generated packages; a site contains their code.
    const included = /^@plumbline\/(site|.*-runtime)$/.test(owner) ? /^@plumbline\// : /^@plumbline\/(?!.*-runtime$)/;
    // Generators that only some users install are peers.
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const isIncluded = included.test(name) && !entered.has(name);
      if (visited.has(name) && !isIncluded) continue;
      const dependency = await findPackage(name, require);
      if (!visited.has(name)) hash.update(`${name}@${dependency?.version ?? ""}\n`);
      visited.add(name);
      if (dependency === undefined || !isIncluded) continue;
      entered.add(name);
      pending.push(dependency.folder);
    }
    for (const part of ["assets", "dist", "templates", "vocabulary"]) {
      const names = await readdir(path.join(folder, part), { recursive: true }).catch(() => []);
      const files = names.filter((name) => /\.(?:css|hbs|js|json|md|svg)$/.test(name)).toSorted();
      const contents = await Promise.all(files.map((name) => readFile(path.join(folder, part, name))));
      for (const [index, bytes] of contents.entries())
        hash.update(`${files[index] ?? ""} ${bytes.length}\n`).update(bytes);
    }
  }
  return hash.digest("hex");
}

/** The folder and the version of a package, from the nearest folder of packages; undefined where there is none. */
async function findPackage(
  name: string,
  require: NodeJS.Require,
): Promise<{ readonly folder: string; readonly version: string } | undefined> {
  for (const folder of require.resolve.paths(name) ?? []) {
    const text = await readFile(path.join(folder, name, "package.json"), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const { version } = JSON.parse(text) as { readonly version?: string };
    return { folder: path.join(folder, name), version: String(version) };
  }
  return undefined;
}
