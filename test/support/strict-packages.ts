import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { repository } from "./places.js";
import { compileProject, plumbline, runNode } from "./run.js";

type Kind = "client" | "validator" | "server" | "conformance";

export const allKinds: readonly Kind[] = ["client", "validator", "server", "conformance"];

/** A warning of the generator. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

/** A folder in which packages are generated, compiled together under their own strict settings, and imported. */
export class StrictPackages {
  readonly folder: string;
  readonly #kinds: readonly Kind[];
  readonly #names: string[] = [];

  private constructor(folder: string, kinds: readonly Kind[]) {
    this.folder = folder;
    this.#kinds = kinds;
  }

  static async in(folder: string, kinds: readonly Kind[] = allKinds): Promise<StrictPackages> {
    await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
    await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
    return new StrictPackages(folder, kinds);
  }

  /** Generates the packages of a description that its user cannot edit. Returns the warnings, or throws what the command printed. */
  async generate(name: string, spec: string): Promise<readonly Warning[]> {
    const args = [
      "generate",
      "--json",
      "--spec",
      spec,
      "--out",
      path.join(this.folder, name),
      "--only",
      this.#kinds.join(),
    ];
    const { code, out, error } = await plumbline(args, { in: this.folder });
    if (code !== 0) throw new Error(`${name}: ${out}${error}`);
    this.#names.push(name);
    return (JSON.parse(out) as { readonly warnings: readonly Warning[] }).warnings;
  }

  /** Compiles all packages. Returns the errors of TypeScript, each beginning with the path of its file. */
  async compile(): Promise<readonly string[]> {
    const text = await readFile(path.join(this.folder, this.#names[0] ?? "", "client", "tsconfig.json"), "utf8");
    const { compilerOptions } = JSON.parse(text) as { readonly compilerOptions: Readonly<Record<string, unknown>> };
    if (compilerOptions["strict"] !== true || compilerOptions["exactOptionalPropertyTypes"] !== true)
      throw new Error("the settings are not strict");
    const options = { ...compilerOptions, rootDir: ".", outDir: "out", declarationMap: false, sourceMap: false };
    const include = this.#names.flatMap((name) => this.#kinds.map((kind) => path.join(name, kind, "src")));
    const project = path.join(this.folder, "tsconfig.json");
    await writeFile(project, JSON.stringify({ compilerOptions: options, include }));
    const { out } = await compileProject(project, { in: this.folder });
    return out.split("\n").filter((line) => line !== "");
  }

  /** Imports what was compiled, in a process of its own. Returns what failed. */
  async importAll(): Promise<string> {
    const data = (name: string): string => path.join(name, "conformance", "data");
    for (const name of this.#kinds.includes("conformance") ? this.#names : [])
      await cp(path.join(this.folder, data(name)), path.join(this.folder, "out", data(name)), { recursive: true });
    const files = this.#names.flatMap((name) => this.#kinds.map((kind) => `./out/${name}/${kind}/src/index.js`));
    const program = `for (const file of ${JSON.stringify(files)}) await import(file).catch((error) => console.log(file, error.message));`;
    await writeFile(path.join(this.folder, "import.mjs"), program);
    const { code, out, error } = await runNode([path.join(this.folder, "import.mjs")], { in: this.folder });
    return code === 0 ? out : `${out}${error}`;
  }
}
