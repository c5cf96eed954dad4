import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import clientGenerator from "@plumbline/generators/client";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import { build } from "esbuild";
import { place } from "./pets.js";
import { repository, temporaryFolder } from "./places.js";

/** The options of values of a client. */
export interface ClientValues {
  readonly dates?: "string" | "Date" | "Temporal";
  readonly integers?: "number" | "bigint";
}

/** Generates a client in a temporary folder, and returns its files. */
export async function generateFiles(
  description: string,
  config: ClientValues,
): Promise<{ readonly folder: string; readonly files: Readonly<Record<string, string>> }> {
  const files = await testGenerator(clientGenerator, { description, config, package: "@example/client" });
  const folder = await temporaryFolder();
  await place(folder, files);
  return { folder, files };
}

/** Bundles code that uses a client from its folder. */
export async function bundleClient(folder: string, contents: string, minify = false): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: "ts" },
    alias: { "@plumbline/client-runtime": path.join(repository, "packages/client-runtime/dist/index.js") },
    bundle: true,
    minify,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
  });
  return outputFiles[0]?.text ?? "";
}

/** Generates a client, and loads all that it exports. */
export async function loadClient<Exports>(description: string, config: ClientValues): Promise<Exports> {
  const { folder } = await generateFiles(description, config);
  const file = path.join(folder, "client.mjs");
  await writeFile(file, await bundleClient(folder, 'export * from "./src/index.js";'));
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Exports;
}
