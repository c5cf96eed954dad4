import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { createHash } from "node:crypto";

let cachedIdentity: Promise<string> | undefined;

/**
 * A hash of this generator: its code, templates and vocabulary, the versions of its dependencies, and that of Node. Output of another
 * generator is generated again.
 */
export function generatorIdentity(): Promise<string> {
  cachedIdentity ??= hashGenerator(fileURLToPath(new URL("..", import.meta.url)));
  return cachedIdentity;
}

/** Hashes the generator in a folder. */
export async function hashGenerator(root: string): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  const manifest = await readFile(path.join(root, "package.json"), "utf8");
  hash.update(manifest);
  const require = createRequire(path.join(root, "package.json"));
  const { dependencies = {} } = JSON.parse(manifest) as { readonly dependencies?: Readonly<Record<string, string>> };
  for (const name of Object.keys(dependencies)) hash.update(`${name}@${await readDependencyVersion(name, require)}\n`);
  for (const folder of ["dist", "templates", "vocabulary"]) {
    const names = await readdir(path.join(root, folder), { recursive: true }).catch(() => []);
    const files = names.filter((name) => /\.(?:js|json|hbs|md)$/.test(name)).toSorted();
    const contents = await Promise.all(files.map((name) => readFile(path.join(root, folder, name))));
    for (const [index, bytes] of contents.entries())
      hash.update(`${files[index] ?? ""} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

/** The version in the nearest package.json of a package; empty where there is none. */
async function readDependencyVersion(name: string, require: NodeJS.Require): Promise<string> {
  for (const folder of require.resolve.paths(name) ?? []) {
    const text = await readFile(path.join(folder, name, "package.json"), "utf8").catch(() => undefined);
    if (text !== undefined) return String((JSON.parse(text) as { readonly version?: string }).version);
  }
  return "";
}
