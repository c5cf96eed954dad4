import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readManifest } from "./packages.mjs";
import { ReleaseError, ended, outputOf } from "./run.mjs";

/** Whether a registry has this version of a package. Throws a ReleaseError when the registry fails. */
export async function isPublished({ name, version }, { root, registry }) {
  const args = ["view", `${name}@${version}`, "version", "--json", ...addressOf(name, registry)];
  const { status, stdout, stderr } = await ended(["npm", ...args], root);
  const output = stdout.trim();
  // For a missing version npm 10 prints nothing, and other versions fail.
  if (status === 0) return output === JSON.stringify(version);
  if (output !== "" && JSON.parse(output).error?.code === "E404") return false;
  throw new ReleaseError(`The registry failed to look up ${name}@${version}.`, (stderr || output).trim());
}

/** Packs packages into folders below `into`, and adds their repository to package.json. */
export async function stage(packages, { root, into, repository }) {
  const chosen = packages.flatMap(({ name }) => ["--workspace", name]);
  const packed = JSON.parse(await outputOf(["npm", "pack", "--json", "--pack-destination", into, ...chosen], root));
  // npm 11 lists what it packed; npm 12 keys it by package.
  const files = new Map(Object.values(packed).map(({ name, filename }) => [name, path.join(into, filename)]));
  const all = [];
  for (const each of packages) {
    const staged = path.join(into, each.folder);
    mkdirSync(staged, { recursive: true });
    await outputOf(["tar", "-xzf", files.get(each.name), "-C", staged, "--strip-components=1"], root);
    const made =
      repository === undefined ? {} : { repository: { type: "git", url: repository, directory: each.folder } };
    writeFileSync(
      path.join(staged, "package.json"),
      `${JSON.stringify({ ...readManifest(staged), ...made }, undefined, 2)}\n`,
    );
    all.push({ ...each, staged });
  }
  return all;
}

/** Publishes one staged package. Returns the error of npm, or undefined after success. */
export async function publish({ name, version, staged }, { root, registry, proven }) {
  const args = [
    "publish",
    staged,
    "--loglevel=error",
    ...(proven ? ["--provenance"] : []),
    ...addressOf(name, registry),
  ];
  const { status, stderr } = await ended(["npm", ...args], root);
  // The response of a successful publication may get lost.
  if (status === 0 || (await isPublished({ name, version }, { root, registry }))) return undefined;
  return stderr.trim();
}

/** Sets the registry of the scope, too: its configuration would override `--registry`. */
function addressOf(name, registry) {
  if (registry === undefined) return [];
  const [, scope] = /^(@[^/]+)\//.exec(name) ?? [];
  return [`--registry=${registry}`, ...(scope === undefined ? [] : [`--${scope}:registry=${registry}`])];
}
