import type { UnformattedError } from "../errors/errors.js";

/** The methods of a path, as `Allow` lists them. The server responds to OPTIONS itself. */
export function allowedMethods(documented: Iterable<string>): string {
  return [...new Set([...documented, "OPTIONS"])].join(", ");
}

/** The 405 for a method that the path does not have. */
export function methodNotAllowed(shared: UnformattedError, allow: string): UnformattedError {
  return { ...shared, headers: { ...shared.headers, Allow: allow } };
}
