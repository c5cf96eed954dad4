import { readFile, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { cloneInto, commitAll } from "./clone.js";
import { place } from "./pets.js";
import { repository, unremovedFolder } from "./places.js";
import { startRegistry, type Registry } from "./registry.js";
import { runNode, type Ended } from "./run.js";

export interface Published {
  readonly registry: Registry;
  /** The address of a published package, for those without a scope. */
  readonly tarball: (name: string) => Promise<string>;
  /** What the release printed, and how it ended. */
  readonly ended: Ended;
  readonly close: () => Promise<void>;
}

/**
 * Publishes all packages to a registry on this machine, by a release of a clone of this repository. A complete release gives them
 * new versions, and generates and builds them with these; otherwise they are released as they are, built already.
 */
export async function publishAll({ isWhole }: { readonly isWhole: boolean }): Promise<Published> {
  const folder = await unremovedFolder();
  const registry = await startRegistry({ "@plumbline": "owner", "@cloud-compute": "owner", plumbline: "owner" });
  await cloneInto(folder);
  if (!isWhole) await takeAsBuilt(folder);
  await registry.configure(folder, "owner");
  await commitAll(folder, "What is released");
  const script = path.join(folder, "test", "release", "release.mjs");
  const env = { TURBO_TELEMETRY_DISABLED: "1", ACTIONS_ID_TOKEN_REQUEST_URL: "", SIGSTORE_ID_TOKEN: "" };
  const ended = await runNode([script, "--registry", registry.url], { in: folder, env });
  await rm(folder, { recursive: true, force: true });
  return {
    registry,
    tarball: async (name) => {
      const response = await fetch(`${registry.url}/${name}/latest`);
      const { dist } = (await response.json()) as { readonly dist: { readonly tarball: string } };
      return dist.tarball;
    },
    ended,
    close: registry.close,
  };
}

/** Disables checks for new versions, and uses the builds of this repository. */
async function takeAsBuilt(folder: string): Promise<void> {
  const changesets = await readdir(path.join(folder, ".changeset"));
  for (const name of changesets.filter((each) => each.endsWith(".md"))) await rm(path.join(folder, ".changeset", name));
  const manifest = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as {
    readonly scripts: object;
  };
  const scripts = { ...manifest.scripts, check: "node --version", build: "node as-built.mjs" };
  await place(folder, {
    "package.json": `${JSON.stringify({ ...manifest, scripts }, undefined, 2)}\n`,
    "as-built.mjs": `import { cpSync, existsSync, readdirSync } from "node:fs";
const folders = ["generators", ...readdirSync("packages").map((name) => \`packages/\${name}\`)];
for (const each of folders.filter((name) => existsSync(\`${repository}/\${name}/dist\`))) cpSync(\`${repository}/\${each}/dist\`, \`\${each}/dist\`, { recursive: true });
`,
  });
}
