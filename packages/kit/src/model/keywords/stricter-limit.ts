import type { Schema } from "../api.js";
import type { EffectiveBound } from "./bound.js";

/** Returns the stricter of an inclusive and an exclusive limit. For integers an exclusive limit becomes the inclusive one. */
export function stricterLimit(
  { types }: Schema,
  {
    inclusive,
    exclusive,
    sign,
  }: {
    readonly inclusive: number | undefined;
    readonly exclusive: number | undefined;
    /** 1 for lower limits, -1 for upper ones. */
    readonly sign: 1 | -1;
  },
): EffectiveBound {
  const isOut = exclusive !== undefined && (inclusive === undefined || sign * (exclusive - inclusive) >= 0);
  const isWhole = types.includes("integer") && types.every((type) => type === "integer" || type === "null");
  if (isOut && isWhole && Number.isSafeInteger(exclusive)) return { value: exclusive + sign, isExclusive: false };
  return { value: (isOut ? exclusive : inclusive) ?? sign * Number.NEGATIVE_INFINITY, isExclusive: isOut };
}
