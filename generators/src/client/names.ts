import type { Operation } from "../model/api.js";
import { pascalCase, withoutAccents } from "../model/names.js";

/** The type of what a function takes. */
export function requestName(operation: Operation): string {
  return `${capitalised(operation)}Request`;
}

/** The type of how a function fails. */
export function failureName(operation: Operation): string {
  return `${capitalised(operation)}Failure`;
}

/** The file of an area, without its ending; areas that differ by case or signs only share one. */
export function areaFile(area: string): string {
  const words = withoutAccents(area).toLowerCase().split(/[^a-z0-9]+/);
  return words.filter((word) => word !== "").join("-") || "default";
}

function capitalised(operation: Operation): string {
  return pascalCase(operation.name) ?? operation.name;
}
