import { ts } from "ts-morph";

/** Returns the path of the file that a relative import names; undefined for packages. */
export function resolveModule(from: string, module: string): string | undefined {
  if (!/^\.\.?\//.test(module)) return undefined;
  const segments = from.split("/").slice(0, -1);
  for (const segment of module.split("/")) {
    if (segment === "..") {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== ".") segments.push(segment);
  }
  const path = segments.join("/");
  return /\.[cm]?tsx?$/.test(path) ? path : `${path.replace(/\.([cm]?)jsx?$/, "")}.ts`;
}

/**
 * Returns the relative import of a file in another.
 *
 * @param like - A file whose relative imports have the extension to use.
 * @defaultValue `.js` without such a file
 */
export function relativeModule(from: string, to: string, like?: ts.SourceFile): string {
  const folders = from.split("/").slice(0, -1);
  const other = to.split("/");
  let shared = 0;
  while (shared < folders.length && shared < other.length - 1 && folders[shared] === other[shared]) shared++;
  const up = folders.length - shared;
  const path = [...(up === 0 ? ["."] : Array.from({ length: up }, () => "..")), ...other.slice(shared)].join("/");
  return path.replace(/\.ts$/, extensionOf(like));
}

function extensionOf(tree: ts.SourceFile | undefined): string {
  for (const statement of tree?.statements ?? []) {
    const module =
      ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) ? statement.moduleSpecifier : undefined;
    if (module === undefined || !ts.isStringLiteral(module) || !module.text.startsWith(".")) continue;
    return /\.[cm]?[jt]s$/.exec(module.text)?.[0] ?? "";
  }
  return ".js";
}
