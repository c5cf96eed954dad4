import { closeSync, mkdirSync, openSync, statSync } from "node:fs";

/**
 * Creates a folder that is its owner's alone (0700), with those above it. A folder that is there stays as it is.
 *
 * @returns the permissions that others have on a folder that was there, such as `0o055`; 0 for none
 */
export function privateFolder(path: string): number {
  const isCreated = mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined;
  // Windows has no such permissions.
  if (isCreated || process.platform === "win32") return 0;
  return statSync(path).mode & 0o077;
}

/** Creates a file that is its owner's alone (0600), before something writes to it that would ask for more. One that is there stays as it is. */
export function privateFile(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}
