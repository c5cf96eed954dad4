import { builtinModules } from "node:module";

/** Why npm does not accept a name for a new package, as the end of a sentence; undefined for a name that it accepts. */
export function packageNameIssue(name: string): string | undefined {
  if (name.length > longestName) return `has more than ${longestName} characters`;
  if (!/^(?:@[a-z0-9_-][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(name))
    return "has other characters than npm accepts in the name of a package";
  return reserved.has(name) ? "is a name that npm keeps for itself" : undefined;
}

/** Characters; the registry rejects longer names. */
const longestName = 214;

const reserved: ReadonlySet<string> = new Set(["node_modules", "favicon.ico", ...builtinModules]);
