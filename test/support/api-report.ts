import path from "node:path";
import { expect } from "vitest";
import { repository } from "./places.js";
import { runNode } from "./run.js";

/** A declaration file of a package that its users import. */
export interface EntryPoint {
  /** What users write in an import. */
  readonly name: string;
  /** From the folder of the package. */
  readonly types: string;
}

/** The entry points of a package that have types, in the order of its `exports`. */
export function entryPointsOf(manifest: { readonly name: string; readonly exports?: object }): readonly EntryPoint[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([key, target]: [string, unknown]) => {
    const types = typeof target === "object" && target !== null && "types" in target ? target.types : undefined;
    return typeof types === "string" ? [{ name: path.posix.join(manifest.name, key), types }] : [];
  });
}

/**
 * Reports the public API of a built package as Markdown: a section for each entry point, with its declarations by name.
 *
 * @param folder absolute path of the package
 * @param scratch an empty folder
 */
export async function reportApi(folder: string, entryPoints: readonly EntryPoint[], scratch: string): Promise<string> {
  const program = path.join(repository, "test", "tools", "api-report.mjs");
  const { code, out, error } = await runNode([program, folder, scratch, JSON.stringify(entryPoints)], { in: scratch });
  expect({ code, error }).toEqual({ code: 0, error: "" });
  return out;
}
