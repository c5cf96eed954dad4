import { builtinModules } from "node:module";

/** The reason why npm rejects the name of a new package, as the end of a sentence; undefined for a valid name. */
export function findPackageNameIssue(name: string): string | undefined {
  if (name.length > maxNameLength) return `has more than ${maxNameLength} characters`;
  if (!/^(?:@[a-z0-9_-][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(name))
    return "has characters that npm rejects in a package name";
  return reservedNames.has(name) ? "is a name that npm reserves" : undefined;
}

/** Length limit in characters; the registry rejects longer names. */
const maxNameLength = 214;

const reservedNames: ReadonlySet<string> = new Set(["node_modules", "favicon.ico", ...builtinModules]);
