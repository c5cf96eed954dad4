import { execFile } from "node:child_process";
import { cp, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { migrateFromTool, type MigratedTool } from "@plumbline/codemods/migrate";
import clientGenerator from "@plumbline/generators/client";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import { buildForeignFixture } from "@plumbline/kit/openapi/testing";
import { build } from "esbuild";
import { Project } from "ts-morph";
import { startAllotmentsServer } from "../migrations/allotments-server.js";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";

const migrations = path.join(repository, "test/migrations");
const execute = promisify(execFile);
const packageName = "@allotments/client";

/** A copy of a sample application, beside the generated client of its API. */
export interface Application {
  readonly folder: string;
  /** The files that a person has written, sorted. */
  readonly files: readonly string[];
  /** Compiles the application, and runs its checks against a server. Returns the requests that the server has received. */
  readonly check: () => Promise<readonly string[]>;
  /** Runs `plumbline migrate --from --json`. Returns what it reports, each step as `file:line message`. */
  readonly migrate: (...args: readonly string[]) => Promise<ReportedMigration>;
  /** Migrates some files, as the command does. Returns the files that have changed. */
  readonly migrateFiles: (files: readonly string[]) => Promise<readonly string[]>;
  readonly read: (file: string) => Promise<string>;
  readonly write: (file: string, text: string) => Promise<void>;
}

/** What the command reports. */
export interface ReportedMigration {
  readonly done: readonly string[];
  readonly toDecide: readonly string[];
  readonly notUnderstood: readonly string[];
}

interface Step {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Copies the sample application of a tool into a temporary folder. */
export async function openApplication(tool: MigratedTool): Promise<Application> {
  const top = await temporaryFolder();
  const folder = path.join(top, "app");
  await cp(path.join(migrations, tool, "before"), folder, { recursive: true });
  await symlink(path.join(repository, "node_modules"), path.join(top, "node_modules"));
  const description = await readFile(path.join(migrations, "allotments.yaml"), "utf8");
  await writeFile(path.join(top, "allotments.yaml"), description);
  await placeClient(path.join(folder, "node_modules", packageName), description);
  const { api } = await buildForeignFixture(description);
  const command = path.join(repository, "packages/plumbline/bin/plumbline.js");
  const files = await writtenFiles(folder);
  const compile = createCompiler(folder);
  return {
    folder,
    files,
    async check() {
      await compile();
      return runChecks(folder);
    },
    migrate: async (...args) => {
      const code = ["src", "app.check.ts", "board.check.tsx"].map((each) => path.join("app", each)).join(",");
      const given = ["migrate", "allotments.yaml", "--from", tool, "--client", packageName, "--code", code];
      const { stdout } = await execute(process.execPath, [command, ...given, "--json", ...args], { cwd: top });
      return formatReport(JSON.parse(stdout) as Readonly<Record<keyof ReportedMigration, readonly Step[]>>);
    },
    async migrateFiles(some) {
      const code = some.map((each) => path.join(folder, each));
      const migration = migrateFromTool(tool, { api, code, target: packageName });
      for (const each of migration.files) await writeFile(each.file, each.text);
      return migration.files.map(({ file }) => path.relative(folder, file));
    },
    read: (file) => readFile(path.join(folder, file), "utf8"),
    write: (file, text) => writeFile(path.join(folder, file), text),
  };
}

/** Writes the generated client as an installed package. */
async function placeClient(folder: string, description: string): Promise<void> {
  const config = { query: true };
  await place(folder, await testGenerator(clientGenerator, { description, config, package: packageName }));
  const exports = { ".": "./src/index.ts", "./query": "./src/gen/query.ts" };
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name: packageName, type: "module", exports }));
}

/** The files of an application that no tool has generated. */
async function writtenFiles(folder: string): Promise<readonly string[]> {
  const all = await readdir(path.join(folder, "src"));
  const inSource = all.filter((each) => /\.tsx?$/.test(each)).map((each) => `src/${each}`);
  return [...inSource, "app.check.ts", "board.check.tsx"].sort();
}

function formatReport(report: Readonly<Record<keyof ReportedMigration, readonly Step[]>>): ReportedMigration {
  const format = (all: readonly Step[]): readonly string[] =>
    all.map(({ file, line, message }) => `${file}:${line} ${message}`);
  return {
    done: format(report.done),
    toDecide: format(report.toDecide),
    notUnderstood: format(report.notUnderstood),
  };
}

/** Bundles the checks of an application, and runs them against a server. */
async function runChecks(folder: string): Promise<readonly string[]> {
  const bundle = path.join(folder, "bundle.mjs");
  await build({
    entryPoints: [path.join(folder, "app.check.ts")],
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    jsx: "automatic",
    external: ["@tanstack/*", "openapi-*", "react", "react/*", "react-test-renderer", "msw", "msw/*"],
    alias: { "@plumbline/client-runtime": path.join(repository, "packages/client-runtime/dist/index.js") },
  });
  const server = await startAllotmentsServer();
  try {
    const env = { ...process.env, ALLOTMENTS_URL: server.url, ALLOTMENTS_TOKEN: "spade" };
    const { stdout } = await execute(process.execPath, [bundle], { env, timeout: 60_000 });
    if (!stdout.endsWith("passed\n")) throw new Error(`The checks did not end: ${stdout}`);
    // Requests that are sent together arrive in any order.
    return [...server.requests].sort();
  } finally {
    await server.close();
  }
}

/** Compiles an application with the options of its tsconfig.json. What has not changed is not parsed again. */
function createCompiler(folder: string): () => Promise<void> {
  const config = path.join(folder, "tsconfig.json");
  const project = new Project({ tsConfigFilePath: config });
  return async () => {
    project.addSourceFilesFromTsConfig(config);
    const written = project.getSourceFiles().filter((each) => each.getFilePath().startsWith(`${folder}/`));
    for (const each of written) await each.refreshFromFileSystem();
    const problems = project.getPreEmitDiagnostics();
    if (problems.length > 0) throw new Error(project.formatDiagnosticsWithColorAndContext(problems));
  };
}
