import { type NumericKeywordName, numericKeywords, type Schema } from "../../../model/index.js";
import type { SpecNode } from "../../read/spec-node.js";

/** Reads keywords with numbers. */
export function readNumbers(place: SpecNode): Partial<Schema> {
  const read: { [Name in NumericKeywordName]?: number } = {};
  for (const { name } of numericKeywords) {
    const value = place.number(name);
    if (value === undefined) continue;
    const flag = exclusiveFlags[name];
    read[flag !== undefined && place.isTrue(flag) ? flag : name] = value;
  }
  return read;
}

/** The keywords that OpenAPI 3.0 writes as a flag, which makes the plain bound exclusive. */
const exclusiveFlags: { readonly [Name in NumericKeywordName]?: NumericKeywordName } = {
  minimum: "exclusiveMinimum",
  maximum: "exclusiveMaximum",
};
