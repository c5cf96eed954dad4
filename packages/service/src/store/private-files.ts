import { closeSync, mkdirSync, openSync, statSync } from "node:fs";

/**
 * Creates a folder that only its owner can access (0700), with its parents. An existing folder stays unchanged.
 *
 * @returns the permissions of other users on an existing folder, such as `0o055`, else 0
 */
export function privateFolder(path: string): number {
  const isCreated = mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined;
  // Windows has no such permissions.
  if (isCreated || process.platform === "win32") return 0;
  return statSync(path).mode & 0o077;
}

/**
 * Creates a file that only its owner can access (0600), before a library would create it with more permissions. An existing file stays unchanged.
 */
export function privateFile(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}
