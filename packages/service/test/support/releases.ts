import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { onTestFinished } from "vitest";
import type { openPostgres } from "../../src/store/postgres.js";
import type { openSqlite } from "../../src/store/sqlite.js";
import type { Tables } from "../../src/store/tables.js";

/** The program as an earlier or a later release has it. */
export interface Release {
  /** The tables that it knows. */
  readonly tables: Tables;
  /** The migrations that it has, from those of this program. */
  readonly migrations: { readonly until: number } | { readonly add: readonly PlantedMigration[] };
}

/** A migration as data, which a release can have besides those of this program. */
export interface PlantedMigration {
  readonly name: string;
  readonly oldest: number;
  readonly statements: readonly string[];
  /** The tables as programs of the version before know them. */
  readonly tablesBefore: Tables;
}

/** How a release opens its stores. */
export interface PackedStores {
  readonly openSqlite: typeof openSqlite;
  readonly openPostgres: typeof openPostgres;
}

/** Packs the stores of a release. */
export async function packStores(release: Release): Promise<PackedStores> {
  const folder = await pack(release, {
    stores: 'export { openSqlite } from "./sqlite.js"; export { openPostgres } from "./postgres.js";',
  });
  return (await import(join(folder, "dist", "stores.js"))) as PackedStores;
}

/** Packs the program of a release. Returns the path of the program. */
export async function packProgram(release: Release): Promise<string> {
  const folder = await pack(release, { program: 'export { main } from "../main.js";' });
  mkdirSync(join(folder, "bin"));
  for (const file of ["package.json", "bin/cloud-compute.js"]) copyFileSync(join(service, file), join(folder, file));
  return join(folder, "bin", "cloud-compute.js");
}

const service = fileURLToPath(new URL("../../", import.meta.url));

async function pack(release: Release, sources: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-release-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Packages are those of this repository.
  symlinkSync(join(service, "..", "..", "node_modules"), join(folder, "node_modules"));
  for (const [name, contents] of Object.entries(sources))
    await build({
      stdin: { contents, resolveDir: join(service, "src", "store"), loader: "ts" },
      outdir: join(folder, "dist"),
      entryNames: name,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      packages: "external",
      plugins: [pluginOf(release)],
    });
  return folder;
}

/** Replaces the tables and the migrations of this program. */
function pluginOf({ tables, migrations }: Release): Plugin {
  const list =
    "until" in migrations
      ? `migrations.splice(migrations.findIndex((each) => versionOf(each) === ${migrations.until}) + 1);`
      : `migrations.push(${migrations.add.map(sourceOf).join()});`;
  const edits = {
    tables: ["export const tables: Tables = {", `export const tables: Tables = ${JSON.stringify(tables)};\nvoid {`],
    migrations: ["/** The version of a schema,", `${list}\n/** The version of a schema,`],
  } as const;
  return {
    name: "release",
    setup: (builder) => {
      for (const [name, [find, replace]] of Object.entries(edits))
        builder.onLoad({ filter: new RegExp(`/store/${name}\\.ts$`) }, ({ path }) => {
          const text = readFileSync(path, "utf8");
          if (!text.includes(find)) throw new Error(`${path} has no ${find}`);
          return { contents: text.replace(find, () => replace), loader: "ts" };
        });
    },
  };
}

function sourceOf({ name, oldest, statements, tablesBefore }: PlantedMigration): string {
  const [steps, before] = [JSON.stringify(statements), JSON.stringify(tablesBefore)];
  return `{ name: ${JSON.stringify(name)}, oldest: ${oldest}, up: (schema) => schema.run(...${steps}), before: () => (${before}) }`;
}
