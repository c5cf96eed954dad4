import type { Api, Operation, SecurityScheme } from "./api.js";
import { memoize } from "./memoize.js";

/** True if an operation allows anonymous callers. */
export function allowsAnonymous({ security }: Pick<Operation, "security">): boolean {
  return security.length === 0 || security.some((requirement) => requirement.length === 0);
}

/** Returns the security scheme that most operations accept, the first of several; undefined for an API without schemes. */
export const findPrimaryScheme: (api: Api) => SecurityScheme | undefined = memoize(
  ({ operations, securitySchemes }) => {
    const uses = new Map<string, number>();
    for (const { security } of operations)
      for (const name of new Set(security.flat().map(({ scheme }) => scheme)))
        uses.set(name, (uses.get(name) ?? 0) + 1);
    return securitySchemes.toSorted((a, b) => (uses.get(b.name) ?? 0) - (uses.get(a.name) ?? 0))[0];
  },
);
