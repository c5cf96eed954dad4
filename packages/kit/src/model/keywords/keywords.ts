import type { Schema } from "../api.js";
import { constant, dependentRequired, enumeration, format, multipleOf, pattern, uniqueItems } from "./assertions.js";
import type { BoundKeyword } from "./bound.js";
import {
  exclusiveMaximum,
  exclusiveMinimum,
  maxContains,
  maximum,
  maxItems,
  maxLength,
  maxProperties,
  minContains,
  minimum,
  minItems,
  minLength,
  minProperties,
} from "./bounds.js";
import type { Assertion, NumericKeyword, NumericKeywordName } from "./keyword.js";
import type { SubschemaKeyword } from "./subschemas.js";

/**
 * All keywords without subschemas, in the order in which generated schemas have them. The list is total: a keyword that
 * is added to `Schema` does not compile until it has an entry here, in `subschemaKeywords`, or in `OtherField`.
 */
const assertionTable = {
  enum: enumeration,
  const: constant,
  format,
  pattern,
  minLength,
  maxLength,
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
  minContains,
  maxContains,
  minItems,
  maxItems,
  uniqueItems,
  minProperties,
  maxProperties,
  dependentRequired,
} as const satisfies { readonly [Name in AssertionName]: AssertionOf<Name> };

export type AssertionName = Exclude<keyof Schema, SubschemaKeyword | OtherField>;

export const assertions: readonly Assertion<AssertionName>[] = Object.values(assertionTable);

/** The keywords that hold a number. */
export const numericKeywords: readonly NumericKeyword[] = assertions.filter(isNumeric);

/** The keywords that limit a size or a number in one direction. */
export const bounds: readonly BoundKeyword[] = numericKeywords.filter(isBound);

type AssertionOf<Name extends AssertionName> = Name extends NumericKeywordName ? NumericKeyword<Name> : Assertion<Name>;

/** What is not a statement about values, or has a shape of its own in the model. */
type OtherField =
  | "ref"
  | "types"
  | "never"
  | "properties"
  | "required"
  | "discriminator"
  | "keywords"
  | "title"
  | "description"
  | "deprecated"
  | "default"
  | "examples"
  | "contentEncoding"
  | "contentMediaType"
  | "limits"
  | "valueRules"
  | "reference"
  | "visibility"
  | "filterable"
  | "scopeCeiling"
  | "errors"
  | "sources"
  | "origin";

function isNumeric(keyword: Assertion<AssertionName>): keyword is NumericKeyword {
  return "combine" in keyword;
}

function isBound(keyword: NumericKeyword): keyword is BoundKeyword {
  return "side" in keyword;
}
