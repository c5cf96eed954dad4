import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { repository } from "./places.js";

/** Compiles the packages in a folder under the settings of the generated client. Returns the errors of TypeScript. */
export async function compileErrors(folder: string): Promise<readonly string[]> {
  const text = readFileSync(path.join(folder, "client", "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(text) as { readonly compilerOptions: Readonly<Record<string, unknown>> };
  const { rootDir: _root, outDir: _out, ...options } = compilerOptions;
  const packages = path.join(folder, "node_modules");
  if (!existsSync(packages)) await symlink(path.join(repository, "node_modules"), packages);
  await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
  const project = path.join(folder, "tsconfig.json");
  await writeFile(project, JSON.stringify({ compilerOptions: { ...options, noEmit: true }, include: ["*/src"] }));
  const compiler = path.join(repository, "node_modules", "typescript", "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", project], { encoding: "utf8" });
  const errors = stdout.split("\n").filter((line) => line.includes("error TS"));
  if (status !== 0 && errors.length === 0) throw new Error(`tsc ended with ${status}:\n${stdout}`);
  return errors;
}
