import { readFileSync } from "node:fs";

/** What generated packages ask of the runtimes: those and this program are released together, with one version. */
export const runtimeVersion: string = `^${ownVersion()}`;

function ownVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return manifest.version;
}
