import { readFileSync } from "node:fs";

/** The version range of the runtimes in generated packages. The runtimes and this program share one version. */
export const runtimeVersionRange: string = `^${readOwnVersion()}`;

function readOwnVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return manifest.version;
}
