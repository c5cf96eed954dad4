import type { Json, Schema } from "../../../model/index.js";
import type { SpecNode } from "../../read/spec-node.js";

/** Reads the custom keywords of a schema. References in their values are not resolved: a value is data. */
export function readCustomKeywords(place: SpecNode, names: readonly string[]): Pick<Schema, "keywords"> {
  const stated = names.filter((name) => place.has(name));
  if (stated.length === 0) return {};
  return { keywords: Object.fromEntries(stated.map((name) => [name, place.object[name] as Json] as const)) };
}
