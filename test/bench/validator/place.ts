import path from "node:path";
import { makeFolder, ownPackage } from "../folder.js";
import { peerFile, run, type Node } from "../peers.js";

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

/** Creates a folder with the measured programs, the description, and their imports. */
export async function placePrograms(node: Node): Promise<string> {
  const packages = new Map(peers.map((name) => [name, peerFile(name, "")]));
  packages.set("@cloud-compute/validator", ownPackage("validator"));
  const folder = await makeFolder({ programs: ["validator/programs"], packages });
  await run(node.program, ["describe-routes.mjs"], folder);
  await run(node.program, ["compile-ajv.mjs"], folder);
  for (const name of ["ajv-own", "ajv-any"]) await bundle(folder, { entry: `${name}.mjs` });
  return folder;
}

/** Bundles a module of the folder, and returns the path of the bundle. Dynamic imports are separate files. */
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
