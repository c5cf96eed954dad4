import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

export interface GeneratorRequest {
  /** The name of the artifact in plumbline.yaml. */
  readonly name: string;
  /** Absolute path of the new folder. */
  readonly folder: string;
}

/** The folder of a new generator has files. */
export class ExistingFolderError extends Error {
  constructor(folder: string) {
    super(`${path.basename(folder)} exists and is not empty. Remove it, or choose another name.`);
    this.name = "ExistingFolderError";
  }
}

/**
 * Creates a package with a generator, a golden-file test and an example.
 *
 * @returns The paths of the files in the folder, with forward slashes.
 * @throws ExistingFolderError for a folder with files.
 */
export async function createGenerator({ name, folder }: GeneratorRequest): Promise<readonly string[]> {
  if ((await entriesOf(folder)).length > 0) throw new ExistingFolderError(folder);
  const version = await readOwnVersion();
  const files = await templateFiles();
  for (const file of files) {
    const text = await readFile(path.join(templateFolder, file), "utf8");
    const target = path.join(folder, ...targetOf(file).split("/"));
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text.replaceAll("GENERATOR_NAME", name).replaceAll("PLUMBLINE_VERSION", version), {
      flag: "wx",
    });
  }
  return files.map(targetOf);
}

const templateFolder = fileURLToPath(new URL("../template", import.meta.url));

async function templateFiles(): Promise<readonly string[]> {
  const entries = await readdir(templateFolder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return files.map((file) => path.relative(templateFolder, file).split(path.sep).join("/")).toSorted(compareText);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function targetOf(file: string): string {
  return renamed[file] ?? file;
}

/** npm renames a .gitignore in a package, and takes a nested package.json for a package. */
const renamed: Readonly<Record<string, string>> = { gitignore: ".gitignore", "manifest.json": "package.json" };

async function entriesOf(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    if (error.code === "ENOTDIR") return [path.basename(folder)];
    throw error;
  });
}

/** The packages of the kit have the version of this one. */
async function readOwnVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return manifest.version;
}
