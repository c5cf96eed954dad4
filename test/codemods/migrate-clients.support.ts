import { execFile } from "node:child_process";
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import clientGenerator from "@plumbline/generators/client";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import { build } from "esbuild";
import { startAllotmentsServer } from "../migrations/allotments-server.js";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";

const migrations = path.join(repository, "test/migrations");
const execute = promisify(execFile);

/** A copy of a sample application, beside the generated client of its API. */
export interface Application {
  readonly folder: string;
  /** Compiles the application, and runs its checks against a server. Returns the requests that the server has received. */
  readonly check: () => Promise<readonly string[]>;
  /** Runs `plumbline migrate --from --json`. Returns what it reports, each step as `file:line message`. */
  readonly migrate: (...args: readonly string[]) => Promise<ReportedMigration>;
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
export async function openApplication(tool: string): Promise<Application> {
  const top = await temporaryFolder();
  const folder = path.join(top, "app");
  await cp(path.join(migrations, tool, "before"), folder, { recursive: true });
  await symlink(path.join(repository, "node_modules"), path.join(top, "node_modules"));
  const description = await readFile(path.join(migrations, "allotments.yaml"), "utf8");
  await writeFile(path.join(top, "allotments.yaml"), description);
  const files = await testGenerator(clientGenerator, { description, config: {}, package: "@allotments/client" });
  await place(path.join(top, "client"), files);
  const command = path.join(repository, "packages/plumbline/bin/plumbline.js");
  const code = ["src", "app.check.ts"].map((each) => path.join("app", each)).join(",");
  return {
    folder,
    check: () => checkApplication(folder),
    migrate: async (...args) => {
      const given = ["migrate", "allotments.yaml", "--from", tool, "--client", "@allotments/client", "--code", code];
      const { stdout } = await execute(process.execPath, [command, ...given, "--json", ...args], { cwd: top });
      const steps = JSON.parse(stdout) as Readonly<Record<keyof ReportedMigration, readonly Step[]>>;
      const format = (all: readonly Step[]): readonly string[] =>
        all.map(({ file, line, message }) => `${file}:${line} ${message}`);
      const { done, toDecide, notUnderstood } = steps;
      return { done: format(done), toDecide: format(toDecide), notUnderstood: format(notUnderstood) };
    },
    read: (file) => readFile(path.join(folder, file), "utf8"),
    write: (file, text) => writeFile(path.join(folder, file), text),
  };
}

async function checkApplication(folder: string): Promise<readonly string[]> {
  await compile(folder);
  const bundle = path.join(folder, "bundle.mjs");
  await build({
    entryPoints: [path.join(folder, "app.check.ts")],
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    alias: {
      "@allotments/client": path.join(folder, "../client/src/index.ts"),
      "@plumbline/client-runtime": path.join(repository, "packages/client-runtime/dist/index.js"),
    },
  });
  const server = await startAllotmentsServer();
  try {
    const env = { ...process.env, ALLOTMENTS_URL: server.url, ALLOTMENTS_TOKEN: "spade" };
    const { stdout } = await execute(process.execPath, [bundle], { env, timeout: 60_000 });
    if (stdout !== "passed\n") throw new Error(`The checks did not end: ${stdout}`);
    // Requests that are sent together arrive in any order.
    return [...server.requests].sort();
  } finally {
    await server.close();
  }
}

/** Compiles an application with the options of its tsconfig.json, and the generated client as a package. */
async function compile(folder: string): Promise<void> {
  const file = path.join(folder, "tsconfig.check.json");
  const paths = { "@allotments/client": ["../client/src/index.ts"] };
  await writeFile(file, JSON.stringify({ extends: "./tsconfig.json", compilerOptions: { paths } }));
  const tsc = path.join(repository, "node_modules/typescript/bin/tsc");
  await execute(process.execPath, [tsc, "-p", file]).catch((error: unknown) => {
    throw new Error((error as { readonly stdout: string }).stdout);
  });
}
