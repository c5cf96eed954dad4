import type { Schema } from "@plumbline/model";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";

/** Compares bounds of lengths, numbers and counts. */
export function compareBounds(old: Schema, next: Schema, at: ComparisonContext): void {
  for (const { bound, says } of lowerBounds)
    compareBound(bound(old), bound(next), { says: (value) => `${says} ${value}`, sign: 1 });
  for (const { bound, says } of upperBounds)
    compareBound(bound(old), bound(next), { says: (value) => `${says} ${value}`, sign: -1 });
  compareMultipleOf(old, next, at);

  function compareBound(
    before: Bound,
    after: Bound,
    { says, sign }: { readonly says: (value: number) => string; readonly sign: 1 | -1 },
  ): void {
    const order = sign * (after.value - before.value) || Number(after.isExclusive) - Number(before.isExclusive);
    if (order === 0 || Number.isNaN(order)) return;
    const shown = ({ value, isExclusive }: Bound) =>
      Number.isFinite(value) ? `${says(value)}${isExclusive ? " exclusive" : ""}` : "none";
    const code = order > 0 ? "bound-tightened" : "bound-loosened";
    reportDifference(at, `${at.direction}-${code}`, { old: shown(before), new: shown(after), newOrigin: next.origin });
  }
}

interface Bound {
  /** Infinite where there is none. */
  readonly value: number;
  /** Whether the bound excludes the value itself. */
  readonly isExclusive: boolean;
}

type BoundReader = { readonly says: string; readonly bound: (schema: Schema) => Bound };

const lowerBounds: readonly BoundReader[] = [
  ...inclusiveBounds(["minLength", "minItems", "minProperties"], 0),
  // Without `minContains`, `contains` requires one item; without `contains`, `minContains` has no meaning.
  {
    says: "minContains",
    bound: ({ minContains = 1, contains }) => ({ value: contains === undefined ? 0 : minContains, isExclusive: false }),
  },
  { says: "minimum", bound: (schema) => stricterBound(schema, [schema.minimum, schema.exclusiveMinimum], 1) },
];

const upperBounds: readonly BoundReader[] = [
  ...inclusiveBounds(["maxLength", "maxItems", "maxProperties"], Number.POSITIVE_INFINITY),
  {
    says: "maxContains",
    bound: ({ maxContains = Number.POSITIVE_INFINITY, contains }) => ({
      value: contains === undefined ? Number.POSITIVE_INFINITY : maxContains,
      isExclusive: false,
    }),
  },
  { says: "maximum", bound: (schema) => stricterBound(schema, [schema.maximum, schema.exclusiveMaximum], -1) },
];

function inclusiveBounds(
  keys: readonly ("minLength" | "minItems" | "minProperties" | "maxLength" | "maxItems" | "maxProperties")[],
  none: number,
): readonly BoundReader[] {
  return keys.map((key) => ({
    says: key,
    bound: (schema): Bound => ({ value: schema[key] ?? none, isExclusive: false }),
  }));
}

/** The stricter of an inclusive and an exclusive bound. For integers an exclusive bound becomes the inclusive one. */
function stricterBound(
  { types }: Schema,
  [within, out]: readonly [within: number | undefined, out: number | undefined],
  sign: 1 | -1,
): Bound {
  const isOut = out !== undefined && (within === undefined || sign * (out - within) >= 0);
  const isWhole = types.includes("integer") && types.every((type) => type === "integer" || type === "null");
  if (isOut && isWhole && Number.isSafeInteger(out)) return { value: out + sign, isExclusive: false };
  return { value: (isOut ? out : within) ?? sign * Number.NEGATIVE_INFINITY, isExclusive: isOut };
}

/** A multiple of the old step is tighter. A step that is neither multiple nor divisor counts as tighter. */
function compareMultipleOf(
  { multipleOf: old }: Schema,
  { multipleOf: next, origin }: Schema,
  at: ComparisonContext,
): void {
  if (old === next) return;
  const isLoose = next === undefined || (old !== undefined && isMultipleOf(old, next));
  const shown = (value: number | undefined) => (value === undefined ? "none" : `a multiple of ${value}`);
  reportDifference(at, `${at.direction}-bound-${isLoose ? "loosened" : "tightened"}`, {
    old: shown(old),
    new: shown(next),
    newOrigin: origin,
  });
}

/** Tolerates the error of binary fractions: 0.07 / 0.01 is slightly more than 7. */
function isMultipleOf(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) < times * 1e-9;
}
