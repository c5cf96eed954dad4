import type { SourceLocation } from "@plumbline/kit/model";
import type { SpecNode } from "@plumbline/kit/openapi/files";

/** A generator, as plumbline.yaml lists it. */
export interface GeneratorEntry {
  readonly name: string;
  /** A path that begins with a dot, relative to plumbline.yaml, or the name of a package. */
  readonly module: string;
  /** Absolute path of plumbline.yaml. */
  readonly config: string;
  /** The position of its entry in plumbline.yaml. */
  readonly location: SourceLocation;
}

/** Reads the generators of a plumbline.yaml by name, and reports invalid entries. */
export function readGeneratorEntries(
  place: SpecNode | undefined,
  config: string,
  builtIn: readonly string[],
): ReadonlyMap<string, GeneratorEntry> {
  const entries = new Map<string, GeneratorEntry>();
  for (const [name, each] of place?.entries() ?? []) {
    if (builtIn.includes(name))
      each.report(
        "generator/name",
        `"${name}" is the name of a built-in artifact.`,
        "Give the generator another name.",
      );
    else if (!/^[a-z][a-z0-9-]*$/.test(name))
      each.report("generator/name", `"${name}" is not a valid name.`, "Use lower-case letters, digits and hyphens.");
    if (typeof each.raw !== "string")
      each.report("generator/missing", `"${name}" has no module.`, `Write ${name}: ./${name}.mjs, or a package.`);
    else entries.set(name, { name, module: each.raw, config, location: each.located });
  }
  return entries;
}
