import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { peerFile, run } from "../peers.js";
import type { Consumer, Given } from "./consumers.js";
import type { Operation } from "./operations.js";

/** One call of one operation, as an exported function `call`. */
export interface Entry {
  readonly operation: Operation;
  readonly given: Given;
  /** The parameters of `call`, with their types. */
  readonly parameters: string;
  /** Where the generated clients are, seen from the folder. */
  readonly from: string;
}

/** Bundles a module that exports `call`, and returns the path of the bundle. */
export async function bundled(
  consumer: Consumer,
  { operation, given, parameters, from }: Entry,
  { folder, minify }: { readonly folder: string; readonly minify: "minify" | "readable" },
): Promise<string> {
  const entry = path.join(folder, `${consumer.key}-entry.ts`);
  const call = consumer.call(operation, given);
  const setup = consumer.setup([operation], from);
  await writeFile(entry, `${setup}export const call = (${parameters}): Promise<unknown> => ${call};\n`);
  const out = path.join(folder, `${consumer.key}-${from === "." ? "ours" : path.basename(from)}.${minify}.mjs`);
  const options = ["--bundle", "--format=esm", "--target=es2022", "--log-level=error", `--outfile=${out}`];
  const esbuild = peerFile("esbuild", "bin/esbuild");
  await run(esbuild, [entry, ...options, ...(minify === "minify" ? ["--minify"] : [])], folder);
  return out;
}

/** Bytes as they are sent to a browser. */
export async function compressedSize(file: string): Promise<number> {
  return gzipSync(await readFile(file), { level: 9 }).length;
}
