import type { Shape } from "../model/api.js";
import { report, type At } from "./comparison.js";

/** Compares bounds of lengths, numbers and counts. */
export function bounds(old: Shape, next: Shape, at: At): void {
  for (const { bound, says } of lowest) tell(bound(old), bound(next), { says: (value) => `${says} ${value}`, sign: 1 });
  for (const { bound, says } of highest)
    tell(bound(old), bound(next), { says: (value) => `${says} ${value}`, sign: -1 });
  steps(old, next, at);

  function tell(
    before: Bound,
    after: Bound,
    { says, sign }: { readonly says: (value: number) => string; readonly sign: 1 | -1 },
  ): void {
    const order = sign * (after.value - before.value) || Number(after.isOut) - Number(before.isOut);
    if (order === 0 || Number.isNaN(order)) return;
    const shown = ({ value, isOut }: Bound) =>
      Number.isFinite(value) ? `${says(value)}${isOut ? " exclusive" : ""}` : "none";
    const code = order > 0 ? "bound-tightened" : "bound-loosened";
    report(at, `${at.direction}-${code}`, { old: shown(before), new: shown(after), here: next.origin });
  }
}

interface Bound {
  /** Infinite where there is none. */
  readonly value: number;
  /** Whether the bound excludes the value itself. */
  readonly isOut: boolean;
}

type Reader = { readonly says: string; readonly bound: (shape: Shape) => Bound };

const lowest: readonly Reader[] = [
  ...plain(["minLength", "minItems", "minProperties"], 0),
  // Without `minContains`, `contains` requires one item; without `contains`, `minContains` has no meaning.
  {
    says: "minContains",
    bound: ({ minContains = 1, contains }) => ({ value: contains === undefined ? 0 : minContains, isOut: false }),
  },
  { says: "minimum", bound: (shape) => stricter(shape, [shape.minimum, shape.exclusiveMinimum], 1) },
];

const highest: readonly Reader[] = [
  ...plain(["maxLength", "maxItems", "maxProperties"], Number.POSITIVE_INFINITY),
  {
    says: "maxContains",
    bound: ({ maxContains = Number.POSITIVE_INFINITY, contains }) => ({
      value: contains === undefined ? Number.POSITIVE_INFINITY : maxContains,
      isOut: false,
    }),
  },
  { says: "maximum", bound: (shape) => stricter(shape, [shape.maximum, shape.exclusiveMaximum], -1) },
];

function plain(
  keys: readonly ("minLength" | "minItems" | "minProperties" | "maxLength" | "maxItems" | "maxProperties")[],
  none: number,
): readonly Reader[] {
  return keys.map((key) => ({ says: key, bound: (shape): Bound => ({ value: shape[key] ?? none, isOut: false }) }));
}

/** The stricter of an inclusive and an exclusive bound. For integers an exclusive bound becomes the inclusive one. */
function stricter(
  { types }: Shape,
  [within, out]: readonly [within: number | undefined, out: number | undefined],
  sign: 1 | -1,
): Bound {
  const isOut = out !== undefined && (within === undefined || sign * (out - within) >= 0);
  const isWhole = types.includes("integer") && types.every((type) => type === "integer" || type === "null");
  if (isOut && isWhole && Number.isSafeInteger(out)) return { value: out + sign, isOut: false };
  return { value: (isOut ? out : within) ?? sign * Number.NEGATIVE_INFINITY, isOut };
}

/** A multiple of the old step is tighter. A step that is neither multiple nor divisor counts as tighter. */
function steps({ multipleOf: old }: Shape, { multipleOf: next, origin }: Shape, at: At): void {
  if (old === next) return;
  const isLoose = next === undefined || (old !== undefined && isMultiple(old, next));
  const shown = (value: number | undefined) => (value === undefined ? "none" : `a multiple of ${value}`);
  report(at, `${at.direction}-bound-${isLoose ? "loosened" : "tightened"}`, {
    old: shown(old),
    new: shown(next),
    here: origin,
  });
}

/** Tolerates the error of binary fractions: 0.07 / 0.01 is slightly more than 7. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) < times * 1e-9;
}
