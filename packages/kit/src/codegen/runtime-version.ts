import { createRequire } from "node:module";

/** The version range of the runtimes in generated packages. The runtimes and this program share one version. */
export const runtimeVersionRange: string = `^${readOwnVersion()}`;

function readOwnVersion(): string {
  // By the name of this package: a bundle has another depth than the sources.
  const manifest = createRequire(import.meta.url)("@plumbline/kit/package.json") as { readonly version: string };
  return manifest.version;
}
