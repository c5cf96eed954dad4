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

/** Bundles one call of each of these operations, and returns the bytes as they are sent to a browser. */
export async function sizeOfCalls(
  consumer: Consumer,
  operations: readonly Operation[],
  folder: string,
): Promise<number> {
  const calls = operations.map((operation) => `  ${consumer.call(operation, { path: operation.values })},\n`);
  const text = `${consumer.setup(operations, ".")}export const calls = () => [\n${calls.join("")}];\n`;
  return compressedSize(
    await bundledText(text, { folder, name: `${consumer.key}-${operations.length}`, minify: true }),
  );
}

/** Bundles a module that exports `call`, and returns the path of the bundle. */
export async function bundled(
  consumer: Consumer,
  { operation, given, parameters, from }: Entry,
  { folder, minify }: { readonly folder: string; readonly minify: "minify" | "readable" },
): Promise<string> {
  const call = consumer.call(operation, given);
  const setup = consumer.setup([operation], from);
  const text = `${setup}export const call = (${parameters}): Promise<unknown> => ${call};\n`;
  const name = `${consumer.key}-${from === "." ? "ours" : path.basename(from)}`;
  return bundledText(text, { folder, name: `${name}.${minify}`, minify: minify === "minify" });
}

async function bundledText(
  text: string,
  { folder, name, minify }: { readonly folder: string; readonly name: string; readonly minify: boolean },
): Promise<string> {
  const entry = path.join(folder, `${name}-entry.ts`);
  await writeFile(entry, text);
  const out = path.join(folder, `${name}.mjs`);
  const options = ["--bundle", "--format=esm", "--target=es2022", "--log-level=error", `--outfile=${out}`];
  const esbuild = peerFile("esbuild", "bin/esbuild");
  await run(esbuild, [entry, ...options, ...(minify ? ["--minify"] : [])], folder);
  return out;
}

/** Bytes as they are sent to a browser. */
export async function compressedSize(file: string): Promise<number> {
  return gzipSync(await readFile(file), { level: 9 }).length;
}
