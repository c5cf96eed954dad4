import type { Schema } from "../api.js";
import type { KeywordChange, NumericKeyword, NumericKeywordName, ValueTest } from "./keyword.js";
import { measures, type Measure, type MeasureName } from "./measure.js";

/** A keyword that limits the size of a value, or a number, in one direction. */
export interface BoundKeyword<Name extends NumericKeywordName = NumericKeywordName> extends NumericKeyword<Name> {
  readonly side: "lower" | "upper";
  /** Whether the limit itself is not allowed. */
  readonly isExclusive: boolean;
  /** What it counts. */
  readonly measure: MeasureName;
  /** Whether it counts the items that match `contains`, not all items. */
  readonly countsMatches: boolean;
  /** Returns the stricter of two limits. */
  readonly combine: (a: number, b: number) => number;
  /** Returns the limit that applies to a schema. Infinite, or 0 for a count, if there is none. */
  readonly limitOf: (schema: Schema) => EffectiveBound;
  /** Returns the outermost allowed size. `step` is the distance between two numbers. */
  readonly atLimit: (limit: number, step?: number) => number;
  /** Returns the size one step past that. */
  readonly pastLimit: (limit: number, step?: number) => number;
}

/** A limit that applies, from one keyword or several. */
export interface EffectiveBound {
  readonly value: number;
  /** Whether the value itself is not allowed. */
  readonly isExclusive: boolean;
}

interface BoundFacts {
  readonly measure: MeasureName;
  readonly isExclusive?: true;
  readonly countsMatches?: true;
  /** Default: what the keyword states. */
  readonly limitOf?: (schema: Schema) => EffectiveBound;
}

/** Defines a bound that values do not fall below. */
export function lowerBound<Name extends NumericKeywordName>(name: Name, facts: BoundFacts): BoundKeyword<Name> {
  return bound(name, "lower", facts);
}

/** Defines a bound that values do not exceed. */
export function upperBound<Name extends NumericKeywordName>(name: Name, facts: BoundFacts): BoundKeyword<Name> {
  return bound(name, "upper", facts);
}

function bound<Name extends NumericKeywordName>(
  name: Name,
  side: "lower" | "upper",
  facts: BoundFacts,
): BoundKeyword<Name> {
  const { measure, isExclusive = false, countsMatches = false } = facts;
  const measured = measures[measure] as Measure<unknown>;
  const inward = side === "lower" ? 1 : -1;
  const none = side === "lower" ? measured.least : Number.POSITIVE_INFINITY;
  const limitOf = facts.limitOf ?? ((schema: Schema): EffectiveBound => ({ value: schema[name] ?? none, isExclusive }));
  return {
    name,
    types: measured.types,
    side,
    isExclusive,
    measure,
    countsMatches,
    combine: side === "lower" ? Math.max : Math.min,
    limitOf,
    atLimit: (limit, step = 1) => (isExclusive ? limit + inward * step : limit),
    pastLimit: (limit, step = 1) => (isExclusive ? limit : limit - inward * step),
    changeOf: (old, next) => limitChange(limitOf(old), limitOf(next), inward),
    ...(countsMatches ? {} : { testOf: (schema) => sizeTest(schema[name], measured, { inward, isExclusive }) }),
  };
}

function sizeTest(
  limit: number | undefined,
  { isMeasured, compare }: Measure<unknown>,
  { inward, isExclusive }: { readonly inward: 1 | -1; readonly isExclusive: boolean },
): ValueTest | undefined {
  if (limit === undefined) return undefined;
  return isExclusive
    ? (value) => !isMeasured(value) || inward * compare(value, limit) > 0
    : (value) => !isMeasured(value) || inward * compare(value, limit) >= 0;
}

function limitChange(old: EffectiveBound, next: EffectiveBound, inward: 1 | -1): KeywordChange | undefined {
  const order = inward * (next.value - old.value) || Number(next.isExclusive) - Number(old.isExclusive);
  if (order === 0 || Number.isNaN(order)) return undefined;
  return order > 0 ? "tightened" : "loosened";
}
