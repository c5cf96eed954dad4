import path from "node:path";

/**
 * The module of a generated package that a part of it is exported from, such as `express`.
 *
 * @param target the name of the package, or the absolute path of the file that exports everything
 */
export function subpathModule(target: string, part: string): string {
  if (!path.isAbsolute(target)) return `${target}/${part}`;
  const folder = path.dirname(target);
  return path.join(path.basename(folder) === "gen" ? folder : path.join(folder, "gen"), `${part}.ts`);
}
