import { isObject } from "../../json.js";
import type { Json } from "../../model/api.js";
import { withEntry } from "./json-text.js";

/** A package.json that has what generated packages beside it need. */
export interface Prepared {
  readonly text: string;
  /** What was not there, such as `scripts.generate`. */
  readonly added: readonly string[];
}

/** By name, where there is none of that name yet. */
export interface Wanted {
  /** Which folders are packages of the repository; none where that is said elsewhere. */
  readonly workspaces: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** What a manifest says that is of use here. */
export interface Manifest {
  /** The text; undefined where there is no such file. */
  readonly text: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Where generated packages go. */
export const workspace = "packages/*";

/** Adds what is missing. Nothing that is there changes, nor how it is written. Throws a FieldError for fields that are not what they should be. */
export function prepare({ text: given, fields }: Manifest, wanted: Wanted): Prepared {
  const added: string[] = [];
  let text = given ?? "{}\n";
  const add = (keys: readonly string[], { key, value }: { readonly key: string; readonly value: Json }): void => {
    text = withEntry(text, keys, { key, value });
    added.push([...keys, key].join("."));
  };
  if (given === undefined) add([], { key: "private", value: true });
  if (wanted.workspaces.length > 0) addWorkspaces(globsOf(fields["workspaces"]));
  const scripts = recordOf(fields, "scripts");
  addAll("scripts", { there: scripts, known: scripts ?? {}, values: wanted.scripts });
  const devDependencies = recordOf(fields, "devDependencies");
  const installed = { ...recordOf(fields, "dependencies"), ...devDependencies };
  addAll("devDependencies", { there: devDependencies, known: installed, values: wanted.devDependencies });
  return { text, added };

  function addWorkspaces([at, globs]: ReturnType<typeof globsOf>): void {
    const missing = wanted.workspaces.filter(
      (each) => globs?.includes(each) !== true && globs?.includes(`./${each}`) !== true,
    );
    if (globs === undefined) return add(at.slice(0, -1), { key: at.at(-1) ?? "", value: missing });
    for (const value of missing) text = withEntry(text, at, { value });
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
    if (there === undefined) text = withEntry(text, [], { key, value: {} });
    for (const [name, value] of missing) add([key], { key: name, value });
  }
}

/** A field of package.json is not of the kind that npm reads. */
export class FieldError extends Error {}

/** Where the globs of workspaces stand, and which there are. */
function globsOf(workspaces: unknown): readonly [at: readonly string[], globs: readonly unknown[] | undefined] {
  if (workspaces === undefined) return [["workspaces"], undefined];
  if (Array.isArray(workspaces)) return [["workspaces"], workspaces];
  const packages = isObject(workspaces) ? workspaces["packages"] : null;
  if (packages === undefined) return [["workspaces", "packages"], undefined];
  if (Array.isArray(packages)) return [["workspaces", "packages"], packages];
  throw new FieldError("`workspaces` is no list.");
}

function recordOf(
  fields: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> | undefined {
  const value = fields[key];
  if (value === undefined || isObject(value)) return value;
  throw new FieldError(`\`${key}\` is no object.`);
}
