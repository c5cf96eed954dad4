import type { Operation } from "../model/api.js";
import { typesOf } from "../model/names.js";

/** The type of what a function takes. */
export function argumentsName(operation: Operation): string {
  return typesOf(operation.name)[0];
}

/** The type of how a function fails. */
export function failureName(operation: Operation): string {
  return typesOf(operation.name)[1];
}
