import { code, type Code } from "../printer.js";
import { segmentsOf, textOf, type JsonObject } from "./document.js";
import { elementType, unknown } from "./properties.js";

/** The types that a reference can lead to. */
const roots: Readonly<Record<string, Code>> = {
  paths: code`paths`,
  webhooks: code`webhooks`,
  components: code`components`,
  operations: code`operations`,
  $defs: code`$defs`,
};

/**
 * The type of a reference, such as `components["schemas"]["Pet"]`.
 *
 * @param parameter - The parameter to which it leads, if it leads to one: in the types of an operation, parameters have names.
 */
export function referenceType(reference: string, parameter?: JsonObject): Code {
  const [root = "", ...segments] = segmentsOf(reference) ?? [];
  const start = Object.hasOwn(roots, root) ? roots[root] : undefined;
  if (start === undefined || segments.length === 0) return unknown;
  const isDeep = segments.length > 2;
  const place = textOf(parameter?.["in"]);
  const name = textOf(parameter?.["name"]);
  const keys = segments.flatMap((segment, index) => {
    if (index > 1 && segment === "properties") return [];
    if (isDeep && index === segments.length - 1 && place !== undefined && name !== undefined) return [place, name];
    return [segment];
  });
  return keys.reduce(elementType, start);
}
