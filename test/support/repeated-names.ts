import type { Source } from "./read-source.js";

/**
 * Names that two files of a subpath of a package declare and export, as `name: files`. An entry is the source of a subpath. The files that no
 * subpath of their package leads to, such as those of its program, count as one more.
 */
export function findRepeatedNames(sources: readonly Source[], entries: readonly string[]): readonly string[] {
  const byFile = new Map(sources.map((source) => [source.file, source]));
  const subpaths = entries.map((entry) => filesFrom(entry, byFile));
  const reached = new Set(subpaths.flat());
  const others = sources.map(({ file }) => file).filter((file) => !reached.has(file));
  const packages = new Set(others.map(packageOf));
  const programs = [...packages].map((name) => others.filter((file) => packageOf(file) === name));
  return [...new Set([...subpaths, ...programs].flatMap((files) => repeatedIn(files, byFile)))].toSorted();
}

type SourcesByFile = ReadonlyMap<string, Source>;

function packageOf(file: string): string {
  return file.split("/", 2).join("/");
}

function filesFrom(entry: string, byFile: SourcesByFile): readonly string[] {
  const files = new Set([entry]);
  // A set that grows while it is visited has its new entries visited, too.
  for (const file of files)
    for (const { from } of byFile.get(file)?.imports ?? []) if (byFile.has(from)) files.add(from);
  return [...files];
}

function repeatedIn(files: readonly string[], byFile: SourcesByFile): readonly string[] {
  const declaring = new Map<string, readonly string[]>();
  for (const file of files.toSorted())
    for (const name of byFile.get(file)?.exportedNames ?? [])
      declaring.set(name, [...(declaring.get(name) ?? []), file]);
  return [...declaring].flatMap(([name, each]) => (each.length < 2 ? [] : [`${name}: ${each.join(", ")}`]));
}
