import { cp, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { repository } from "../../support/places.js";
import type { DescriptionChange } from "./next-version.js";

const settings = `ruleset: minimal
descriptions:
  - description: openapi.yaml
    artifacts:
      client: {package: '@cloud-compute/client', out: ../packages/client}
      validator: {package: '@cloud-compute/validator', out: ../packages/validator}
`;

/**
 * Copies the description of our API into `spec` of a folder, with changes.
 *
 * @throws if a change applies nowhere
 */
export async function writeNextVersion(folder: string, changes: readonly DescriptionChange[]): Promise<void> {
  const spec = path.join(folder, "spec");
  await cp(path.join(repository, "spec"), spec, { recursive: true });
  const names = (await readdir(spec, { recursive: true })).map((each) => each.replaceAll(path.sep, "/"));
  const files = names.filter((each) => each.endsWith(".yaml"));
  for (const { file, from, to } of changes) {
    let applied = 0;
    for (const each of files.filter((name) => isMeant(file, name))) {
      const text = await readFile(path.join(spec, each), "utf8");
      const changed = text.replace(from, to);
      if (changed !== text) applied++;
      await writeFile(path.join(spec, each), changed);
    }
    if (applied === 0) throw new Error(`Nothing in ${file} has changed: ${String(from)}`);
  }
  await writeFile(path.join(spec, "plumbline.yaml"), settings);
}

function isMeant(pattern: string, name: string): boolean {
  if (pattern === "**") return true;
  return pattern.endsWith("/*") ? path.posix.dirname(name) === pattern.slice(0, -2) : name === pattern;
}
