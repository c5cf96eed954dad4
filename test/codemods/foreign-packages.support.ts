import { cp, mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import typesGenerator from "@plumbline/generators/types";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import { repository, temporaryFolder } from "../support/places.js";
import { compileProject, type Ended, plumblineProgram, runNode } from "../support/run.js";

const packages = path.join(repository, "node_modules");

/** A package of others with TypeScript sources, and two versions of the API that it uses. */
export interface ForeignPackage {
  readonly name: string;
  /** The description of an API: the path of a file in the repository, with replacements. */
  readonly old: DescriptionSource;
  readonly next: DescriptionSource;
  /**
   * The file in `src` with types in the form of openapi-typescript, if it has one. `from` is the package with this file for the next version.
   * Default: the types are generated from the descriptions.
   */
  readonly types?: { readonly file: string; readonly from?: string };
}

/** A description in the repository, with changes of its text. */
export interface DescriptionSource {
  readonly file: string;
  readonly changes?: readonly (readonly [from: string, to: string])[];
}

/** A copy of a package of others. */
export interface ForeignProject {
  readonly folder: string;
  /** Runs the command beside the copy. */
  readonly run: (...args: readonly string[]) => Promise<Ended>;
  /** The texts of all files in `src`, by their paths there. */
  readonly read: () => Promise<Readonly<Record<string, string>>>;
  /** Puts the types of a version in place. */
  readonly putTypes: (version: "old" | "next") => Promise<void>;
  /** The errors of the compiler, without positions, sorted. */
  readonly compile: () => Promise<readonly string[]>;
}

/** Copies the sources of an installed package into a temporary folder, with `old.yaml` and `next.yaml` beside them. */
export async function openForeignPackage({ name, old, next, types }: ForeignPackage): Promise<ForeignProject> {
  const folder = await temporaryFolder();
  const project = path.join(folder, "project");
  await mkdir(project);
  await symlink(packages, path.join(folder, "node_modules"));
  await cp(path.join(packages, name, "src"), path.join(project, "src"), { recursive: true });
  await cp(path.join(packages, name, "package.json"), path.join(project, "package.json"));
  const descriptions = { old: await readDescription(old), next: await readDescription(next) };
  await writeFile(path.join(folder, "old.yaml"), descriptions.old);
  await writeFile(path.join(folder, "next.yaml"), descriptions.next);
  await writeFile(path.join(project, "tsconfig.json"), JSON.stringify(tsconfig));
  const read = async (): Promise<Readonly<Record<string, string>>> => {
    const names = (await readdir(path.join(project, "src"), { recursive: true })).filter((each) =>
      each.endsWith(".ts"),
    );
    const texts = names
      .toSorted()
      .map(async (each) => [each, await readFile(path.join(project, "src", each), "utf8")] as const);
    return Object.fromEntries(await Promise.all(texts));
  };
  return {
    folder,
    read,
    run: (...args) => runNode([plumblineProgram, ...args], { in: folder }),
    putTypes: async (version) => {
      if (types === undefined) return;
      const text =
        types.from === undefined
          ? (await testGenerator(typesGenerator, { description: descriptions[version], config: {} }))[
              "src/gen/paths.ts"
            ]
          : await readFile(path.join(packages, version === "old" ? name : types.from, "src", types.file), "utf8");
      await writeFile(path.join(project, "src", types.file), text ?? "");
    },
    compile: async () => {
      const { out } = await compileProject(project, { in: project });
      const errors = out.split("\n").filter((line) => line.includes("error TS"));
      return errors.map((line) => line.replace(/\(\d+,\d+\)/, "")).toSorted();
    },
  };
}

const tsconfig = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "ES2022",
    module: "ESNext",
    moduleResolution: "Bundler",
    resolveJsonModule: true,
    esModuleInterop: true,
    skipLibCheck: true,
    lib: ["ES2023", "DOM", "DOM.Iterable"],
    types: ["node"],
    typeRoots: [path.join(packages, "@types")],
  },
  include: ["src"],
};

async function readDescription({ file, changes = [] }: DescriptionSource): Promise<string> {
  const text = await readFile(path.join(repository, file), "utf8");
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`${file} does not contain ${from}.`);
    return changed.replaceAll(from, to);
  }, text);
}
