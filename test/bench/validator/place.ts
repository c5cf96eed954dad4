import { copyFile, mkdir, mkdtemp, readdir, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { writeBundled } from "../descriptions.js";
import { peerFile, run, type Node } from "../peers.js";
import { repository } from "../places.js";

const peers = [
  "@hono/node-server",
  "ajv",
  "ajv-formats",
  "express",
  "express-openapi-validator",
  "fastify",
  "hono",
  "openapi-backend",
];

/** Makes a folder with the programs that are measured, the description, and what they import. */
export async function placePrograms(node: Node): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "plumbline-bench-")));
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }\n');
  await writeBundled(path.join(folder, "description.json"));
  const programs = path.join(repository, "test", "bench", "validator", "programs");
  for (const file of await readdir(programs)) await copyFile(path.join(programs, file), path.join(folder, file));
  const targets = new Map(peers.map((name) => [name, peerFile(name, "")]));
  targets.set("@cloud-compute/validator", path.join(repository, "packages", "validator"));
  for (const [name, target] of targets) {
    const link = path.join(folder, "node_modules", name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(target, link, "dir");
  }
  await run(node.program, ["describe-routes.mjs"], folder);
  await run(node.program, ["compile-ajv.mjs"], folder);
  for (const name of ["ajv-own", "ajv-any"]) await bundle(folder, { entry: `${name}.mjs` });
  return folder;
}

/** Bundles a module of the folder, and gives back the path of the bundle. What is imported later is in files of its own. */
export async function bundle(
  folder: string,
  { entry, minify = "readable" }: { readonly entry: string; readonly minify?: "minify" | "readable" },
): Promise<string> {
  const out = path.join("bundles", path.basename(entry, ".mjs"));
  const form = ["--bundle", "--splitting", "--format=esm", "--target=es2022", "--log-level=error"];
  const options = [
    ...form,
    `--outdir=${out}`,
    "--out-extension:.js=.mjs",
    ...(minify === "minify" ? ["--minify"] : []),
  ];
  await run(peerFile("esbuild", "bin/esbuild"), [entry, ...options], folder);
  return path.join(folder, out, entry);
}
