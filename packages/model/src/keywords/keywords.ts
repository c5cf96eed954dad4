import type { Schema } from "../api.js";
import type { BoundKeyword } from "./bound.js";
import { format } from "./format.js";
import type { Assertion, NumericKeyword, NumericKeywordName } from "./keyword.js";
import type { SubschemaKeyword } from "./subschemas.js";
import { constant } from "./validation/const.js";
import { dependentRequired } from "./validation/dependent-required.js";
import { enumeration } from "./validation/enum.js";
import { exclusiveMaximum } from "./validation/exclusive-maximum.js";
import { exclusiveMinimum } from "./validation/exclusive-minimum.js";
import { maxContains } from "./validation/max-contains.js";
import { maximum } from "./validation/maximum.js";
import { maxItems } from "./validation/max-items.js";
import { maxLength } from "./validation/max-length.js";
import { maxProperties } from "./validation/max-properties.js";
import { minContains } from "./validation/min-contains.js";
import { minimum } from "./validation/minimum.js";
import { minItems } from "./validation/min-items.js";
import { minLength } from "./validation/min-length.js";
import { minProperties } from "./validation/min-properties.js";
import { multipleOf } from "./validation/multiple-of.js";
import { pattern } from "./validation/pattern.js";
import { uniqueItems } from "./validation/unique-items.js";

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
