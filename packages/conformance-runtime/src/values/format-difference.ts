import type { Difference } from "../results.js";
import { parsePointer } from "./json-pointer.js";

/** Formats a difference: `status: "provisioning", expected "running"`, `HTTP status: 201, expected 400`. */
export function formatDifference({ part, at, kind, expected, received }: Difference): string {
  const name = formatDifferenceLocation({ part, at });
  const texts = {
    different: `${name}: ${received}, expected ${expected}`,
    missing: `${name} is missing`,
    undocumented: part === "status" ? `${name} ${received} is not documented` : `${name} is not documented`,
    unexpected: `${name}: ${received}, expected none`,
  } satisfies Record<Difference["kind"], string>;
  return texts[kind];
}

/** Where a difference is: `HTTP status`, `header ETag`, `node_pools.0.count`. */
export function formatDifferenceLocation({ part, at }: Pick<Difference, "part" | "at">): string {
  const names = {
    status: "HTTP status",
    outcomes: "HTTP statuses",
    header: `header ${at}`,
    "media-type": "media type",
    body: at === "" ? "body" : parsePointer(at).join("."),
    value: at === "" ? "value" : parsePointer(at).join("."),
    connection: "response",
  } satisfies Record<Difference["part"], string>;
  return names[part];
}
