// Bundles the package of the current folder into one file for each of its exports, and files that these share: a program takes longer to load hundreds
// of modules than to run them. The compiler emits the types afterwards.
import { readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";

/** @type {{ readonly exports: Readonly<Record<string, string | { readonly types: string }>> }} */
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const exported = Object.values(manifest.exports).flatMap((target) =>
  typeof target === "string" ? [] : [target.types.replace(/^\.\/dist\/(.*)\.d\.ts$/, "src/$1.ts")],
);

// Names of shared files contain hashes, so that those of earlier builds would stay.
rmSync("dist", { recursive: true, force: true });
await build({
  // Further entry points are arguments: programs of worker threads, and what tests of the repository import.
  entryPoints: [...exported, ...process.argv.slice(2)],
  outbase: "src",
  outdir: "dist",
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "es2022",
  sourcemap: true,
  sourcesContent: false,
  chunkNames: "shared-[hash]",
  logLevel: "warning",
});
