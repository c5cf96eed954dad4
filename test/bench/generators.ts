import path from "node:path";
import type { Program } from "./measure.js";
import { manifestOf, peerFile } from "./peers.js";
import { repository } from "./places.js";

/** Each generator as its users run it: the command, which reads a description and writes TypeScript. */
export const ours = (description: string): Program => oursWith(description, ["--only", "client"]);

/** Chosen artifacts, with a name that says so. */
export const oursOnly = (description: string, kinds: string): Program => ({
  ...oursWith(description, ["--only", kinds]),
  name: `plumbline ${kinds}`,
});

/** Every artifact. */
export const oursWithAll = (description: string): Program => oursWith(description, []);

const oursWith = (description: string, options: readonly string[]): Program => ({
  name: "plumbline",
  args: (out) => [
    path.join(repository, "packages", "plumbline", "bin", "plumbline.js"),
    "generate",
    "--spec",
    description,
    "--out",
    out,
    // Descriptions are in folders with a cache, which no peer has.
    "--no-cache",
    ...options,
  ],
});

/** The reference site. */
export const plumblineSite = (description: string): Program => ({
  ...oursWith(description, ["--only", "site"]),
  writes: ".html",
});

export const redoclyPage = (description: string): Program => ({
  name: `Redocly build-docs ${manifestOf("@redocly/cli").version}`,
  args: (out) => [
    peerFile("@redocly/cli", "bin/cli.js"),
    "build-docs",
    description,
    "--output",
    path.join(out, "index.html"),
  ],
  writes: ".html",
});

export const openapiTypescript = (description: string): Program => ({
  name: `openapi-typescript ${manifestOf("openapi-typescript").version}`,
  args: (out) => [peerFile("openapi-typescript", "bin/cli.js"), description, "--output", path.join(out, "types.ts")],
});

export const heyApi = (description: string): Program => heyApiWith(description, []);

export const heyApiWithZod = (description: string): Program => {
  const program = heyApiWith(description, ["zod"]);
  return { ...program, name: `${program.name} with zod` };
};

const heyApiWith = (description: string, plugins: readonly string[]): Program => ({
  name: `hey-api ${manifestOf("@hey-api/openapi-ts").version}`,
  args: (out) => [
    peerFile("@hey-api/openapi-ts", "bin/run.js"),
    "--input",
    description,
    "--output",
    out,
    "--no-log-file",
    "--plugins",
    "@hey-api/client-fetch",
    "@hey-api/typescript",
    "@hey-api/sdk",
    ...plugins,
  ],
});

export const orval = (description: string): Program => ({
  name: `orval ${manifestOf("orval").version}`,
  args: (out) => [
    peerFile("orval", "dist/bin/orval.mjs"),
    "--input",
    description,
    "--output",
    path.join(out, "api.ts"),
    "--client",
    "fetch",
  ],
});
