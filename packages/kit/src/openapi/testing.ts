import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DiagnosticsError, type Api } from "../model/index.js";
import { buildApi, type BuildOptions } from "./build/build.js";
import { loadRequirements } from "./build/sources.js";
import { loadDescription, type Description } from "./read/load.js";

/** Texts by file name. A single text is `openapi.yaml`. */
export type FixtureFiles = string | Readonly<Record<string, string>>;

/** Writes the files into a temporary folder, runs a function with it, and removes the folder. */
export async function withFixtureFolder<T>(texts: FixtureFiles, story: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "plumbline-"));
  try {
    for (const [name, text] of Object.entries(typeof texts === "string" ? { "openapi.yaml": texts } : texts)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    return await story(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Builds the model of a description, with `requirements.yaml` if the texts include it. */
export async function buildFixtureApi(
  texts: FixtureFiles,
  names: BuildOptions["names"] = {},
  keywords: readonly string[] = [],
): Promise<Api> {
  return (await buildFixture(texts, { names, keywords, ruleset: "strict" })).api;
}

/** Builds the model of a description that its user cannot edit, and returns its warnings, each as `file:line:column code message fix`. */
export async function buildForeignFixture(
  texts: FixtureFiles,
  names: BuildOptions["names"] = {},
): Promise<{ readonly api: Api; readonly warnings: readonly string[] }> {
  const { api, description } = await buildFixture(texts, { names, ruleset: "minimal" });
  const warnings = description.diagnostics.map(
    ({ code, message, fix = "", origin: { file, line, column } }) =>
      `${file}:${line}:${column} ${code} ${message} ${fix}`,
  );
  return { api, warnings };
}

async function buildFixture(
  texts: FixtureFiles,
  options: Pick<BuildOptions, "names" | "keywords" | "ruleset">,
): Promise<{ readonly api: Api; readonly description: Description }> {
  return withFixtureFolder(texts, async (folder) => {
    const description = await loadDescription(path.join(folder, "openapi.yaml"));
    const has = typeof texts !== "string" && texts["requirements.yaml"] !== undefined;
    const requirements = has ? await loadRequirements(path.join(folder, "requirements.yaml"), folder) : undefined;
    return { api: buildApi(description, { ...options, requirements }), description };
  });
}

/** Returns the diagnostics of a description, each as `file:line:column code message`. */
export async function buildDiagnostics(
  texts: FixtureFiles,
  names: BuildOptions["names"] = {},
): Promise<readonly string[]> {
  try {
    await buildFixtureApi(texts, names);
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return error.diagnostics.map(
      ({ code, message, origin: { file, line, column } }) => `${file}:${line}:${column} ${code} ${message}`,
    );
  }
  return [];
}

/** A 3.1 description without operations, with these lines under `components.schemas`. */
export function withSchemas(schemas: string, version: "3.0.3" | "3.1.0" = "3.1.0"): string {
  return `openapi: ${version}\ninfo: {title: Pets, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n${indented(schemas, 4)}\n`;
}

/** A 3.1 description with these lines under `paths`, followed by the rest. */
export function withPaths(paths: string, rest = ""): string {
  return `openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\npaths:\n${indented(paths, 2)}\n${rest}`;
}

/** Returns a part of the model without its origins, for short assertions. */
export function withoutOrigins(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each: unknown) => (key === "origin" ? undefined : each)));
}

/** Returns the schemas of a description by name, without origins. */
export async function readFixtureSchemas(
  schemas: string,
  version: "3.0.3" | "3.1.0" = "3.1.0",
): Promise<Record<string, unknown>> {
  const api = await buildFixtureApi(withSchemas(schemas, version));
  return Object.fromEntries(api.schemas.map(({ name, schema }) => [name, withoutOrigins(schema)] as const));
}

function indented(text: string, by: number): string {
  return text.replace(/^\n+|\s+$/g, "").replaceAll(/^(?=.)/gm, " ".repeat(by));
}
