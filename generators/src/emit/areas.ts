import type { Operation } from "../model/api.js";
import { withoutAccents } from "../model/names.js";

/** The operations of each file, by its name without ending, in the order of the description. */
export function byAreaFile(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const files = new Map<string, Operation[]>();
  for (const operation of operations) {
    const file = areaFile(operation.area);
    const found = files.get(file);
    if (found === undefined) files.set(file, [operation]);
    else found.push(operation);
  }
  return files;
}

/** The file of an area, without its ending; areas that differ by case or signs only share one, and so do those that begin alike for long. */
export function areaFile(area: string): string {
  const words = withoutAccents(area)
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const name = words.filter((word) => word !== "").join("-");
  return name.slice(0, longest) || "default";
}

const longest = 100; // characters; file systems allow 255, and the ending and a temporary one come behind
