import { isJsonObject, type Json } from "@plumbline/kit/model";
import { addJsonEntry } from "./json-text.js";

/** A package.json with everything that generated packages need. */
export interface ManifestUpdate {
  readonly text: string;
  /** The added entries, such as `scripts.generate`. */
  readonly added: readonly string[];
}

/** The required entries of a package.json. */
export interface ManifestRequirements {
  /** The globs of workspaces; empty where another file lists them. */
  readonly workspaces: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** A package.json. */
export interface Manifest {
  /** The text; undefined where there is no file. */
  readonly text: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The glob of generated packages. */
export const workspaceGlob = "packages/*";

/** Adds missing entries. Existing text stays unchanged. Throws a FieldError for fields of another type. */
export function updateManifest({ text: args, fields }: Manifest, required: ManifestRequirements): ManifestUpdate {
  const added: string[] = [];
  let text = args ?? "{}\n";
  const add = (keys: readonly string[], { key, value }: { readonly key: string; readonly value: Json }): void => {
    text = addJsonEntry(text, keys, { key, value });
    added.push([...keys, key].join("."));
  };
  if (args === undefined) add([], { key: "private", value: true });
  if (required.workspaces.length > 0) addWorkspaces(readGlobs(fields["workspaces"]));
  const scripts = readRecord(fields, "scripts");
  addAll("scripts", { there: scripts, known: scripts ?? {}, values: required.scripts });
  const dependencies = readRecord(fields, "dependencies");
  const devDependencies = readRecord(fields, "devDependencies");
  const installed = { ...dependencies, ...devDependencies };
  addAll("dependencies", { there: dependencies, known: installed, values: required.dependencies });
  addAll("devDependencies", { there: devDependencies, known: installed, values: required.devDependencies });
  return { text, added };

  function addWorkspaces([at, globs]: ReturnType<typeof readGlobs>): void {
    const missing = required.workspaces.filter(
      (each) => globs?.includes(each) !== true && globs?.includes(`./${each}`) !== true,
    );
    if (globs === undefined) return add(at.slice(0, -1), { key: at.at(-1) ?? "", value: missing });
    for (const value of missing) text = addJsonEntry(text, at, { value });
    if (missing.length > 0) added.push(at.join("."));
  }

  function addAll(
    key: string,
    {
      there,
      known,
      values,
    }: {
      readonly there: object | undefined;
      readonly known: object;
      readonly values: Readonly<Record<string, string>>;
    },
  ): void {
    const missing = Object.entries(values).filter(([name]) => !Object.hasOwn(known, name));
    if (missing.length === 0) return;
    if (there === undefined) text = addJsonEntry(text, [], { key, value: {} });
    for (const [name, value] of missing) add([key], { key: name, value });
  }
}

/** A field of package.json has the wrong type. */
export class ManifestFieldError extends Error {
  override readonly name = "ManifestFieldError";
}

/** The keys that lead to the globs of workspaces, and the globs. */
function readGlobs(workspaces: unknown): readonly [at: readonly string[], globs: readonly unknown[] | undefined] {
  if (workspaces === undefined) return [["workspaces"], undefined];
  if (Array.isArray(workspaces)) return [["workspaces"], workspaces];
  const packages = isJsonObject(workspaces) ? workspaces["packages"] : null;
  if (packages === undefined) return [["workspaces", "packages"], undefined];
  if (Array.isArray(packages)) return [["workspaces", "packages"], packages];
  throw new ManifestFieldError("`workspaces` is not a list.");
}

function readRecord(
  fields: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> | undefined {
  const value = fields[key];
  if (value === undefined || isJsonObject(value)) return value;
  throw new ManifestFieldError(`\`${key}\` is not an object.`);
}
