import { existsSync } from "node:fs";
import path from "node:path";

/**
 * Returns the start of paths that generated files mention, such as `spec/`, for a folder with a description: the way from its package or its
 * repository, which is the same in every checkout. Empty for the folder of the package itself, and outside of packages and repositories.
 */
export function sourceFolder(folder: string): string {
  for (let root = folder; path.dirname(root) !== root; root = path.dirname(root))
    if (["package.json", ".git"].some((name) => existsSync(path.join(root, name))))
      return root === folder ? "" : `${path.relative(root, folder).split(path.sep).join("/")}/`;
  return "";
}
