import { type Api, callersOf } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";
import { shorten } from "../shorten.js";

/** Compares the attributes and owners of callers, and who needs no grant. */
export function compareCallers(old: Api, next: Api, at: ComparisonContext): void {
  const [before, after] = [callersOf(old), callersOf(next)];
  const pairs: readonly (readonly [what: string, before: unknown, after: unknown])[] = [
    ["owners", before.owners, after.owners],
    ["needNoGrants", before.needNoGrants, after.needNoGrants],
    ["namedGrants", before.namedGrants, after.namedGrants],
    ...[...new Set([...Object.keys(before.attributes), ...Object.keys(after.attributes)])].map(
      (name) => [name, before.attributes[name], after.attributes[name]] as const,
    ),
  ];
  for (const [what, one, other] of pairs)
    if (!isDeepEqual(one, other))
      reportDifference(at, "callers-changed", {
        old: `${what} ${shorten(one ?? "absent")}`,
        new: `${what} ${shorten(other ?? "absent")}`,
        newOrigin: (next.callers ?? next).origin,
      });
}
