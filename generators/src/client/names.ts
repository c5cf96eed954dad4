import type { Operation } from "../model/api.js";
import { typesOf, withoutAccents } from "../model/names.js";

/** The type of what a function takes. */
export function argumentsName(operation: Operation): string {
  return typesOf(operation.name)[0];
}

/** The type of how a function fails. */
export function failureName(operation: Operation): string {
  return typesOf(operation.name)[1];
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
