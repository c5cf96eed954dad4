// Bundles the program, since a start takes most of its time for loading modules: some 560, kysely's 262 among them. What is loaded on first use only, and
// packages with files of their own, stay apart.
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const outdir = fileURLToPath(new URL("dist/", import.meta.url));
// Names of chunks contain hashes, so that those of earlier builds would stay.
await rm(`${outdir}program`, { recursive: true, force: true });
await build({
  // The options, too, since their parser is not published.
  entryPoints: {
    program: fileURLToPath(new URL("src/main.ts", import.meta.url)),
    options: fileURLToPath(new URL("src/options.ts", import.meta.url)),
  },
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  chunkNames: "program/[name]-[hash]",
  external: ["@cloud-compute/description", "dns-packet", "libphonenumber-js", "libsql", "otpauth", "pg", "yaml"],
  // For pino, which is a CommonJS module and requires those of Node. Its own worker is for transports, which the program does not use.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  logLevel: "warning",
  // Runtimes share files without side effects, whose imports may be left out.
  logOverride: { "ignored-bare-import": "silent" },
});
