import type { Operation } from "./api.js";

/** True if an operation allows anonymous callers. */
export function allowsAnonymous({ security }: Pick<Operation, "security">): boolean {
  return security.length === 0 || security.some((requirement) => requirement.length === 0);
}
