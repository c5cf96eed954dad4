import { type Schema, sizeLimits } from "../../model/index.js";

/** How many numbers are tried in each direction. */
const maxSteps = 100;

/** Numbers within the bounds of schemas that are multiples of all their steps, the one nearest to 1 first. */
export function* numberSamples(layers: readonly Schema[], isInteger: boolean): Generator<number> {
  const { least = -Infinity, most = Infinity } = sizeLimits("number", layers);
  const { least: above = -Infinity, most: below = Infinity } = sizeLimits("exclusiveNumber", layers);
  const formats = layers.flatMap(({ format }) => (format === undefined ? [] : (integerFormats.get(format) ?? [])));
  const low = Math.max(least, above, ...formats.map((each) => each.least));
  const high = Math.min(most, below, ...formats.map((each) => each.most));
  const isFit = (value: number): boolean => value >= low && value <= high && value > above && value < below;
  const steps = [
    ...layers.flatMap(({ multipleOf }) => multipleOf ?? []),
    ...(isInteger || formats.length > 0 ? [1] : []),
  ];
  const start = Math.min(Math.max(1, low), high);
  const candidates =
    steps.length === 0
      ? spreadNumbers({ low, high, start })
      : multiples(steps.reduce(leastCommonMultiple), { start, isUp: start < high });
  for (const value of candidates) if (isFit(value)) yield value;
}

/** The formats of whole numbers, which a value of type `number` may have, too. */
const integerFormats: ReadonlyMap<string, { readonly least: number; readonly most: number }> = new Map([
  ["int32", { least: -(2 ** 31), most: 2 ** 31 - 1 }],
  ["int64", { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER }],
]);

/** Numbers in a range that may be narrow or open. */
function* spreadNumbers({
  low,
  high,
  start,
}: {
  readonly low: number;
  readonly high: number;
  readonly start: number;
}): Generator<number> {
  yield start;
  for (let step = 1; step <= maxSteps; step += 1) yield start + step;
  if (Number.isFinite(high)) yield* [high, high - 1];
  if (Number.isFinite(low) && Number.isFinite(high))
    for (let part = 2; part < maxSteps; part += 1) yield low + (high - low) / part;
  // Beside numbers so large that one more is the same.
  yield* [start * 2, start / 2, 0];
  for (let step = 1; step <= maxSteps; step += 1) yield start - step;
}

/** Multiples of a step, from the first that is not below the start. */
function* multiples(
  step: number,
  { start, isUp }: { readonly start: number; readonly isUp: boolean },
): Generator<number> {
  const count = isUp ? Math.ceil(start / step) : Math.floor(start / step);
  // The shortest decimal: 3 * 0.1 is 0.30000000000000004.
  const at = (index: number): number => Number(((count + index) * step).toPrecision(15));
  for (let index = 0; index <= maxSteps; index += 1) yield at(index) + 0;
  for (let index = 1; index <= maxSteps; index += 1) yield at(-index) + 0;
}

function leastCommonMultiple(a: number, b: number): number {
  const scale = 10 ** Math.max(decimals(a), decimals(b));
  const [first, second] = [Math.round(a * scale), Math.round(b * scale)];
  const common = greatestCommonDivisor(first, second);
  return common === 0 ? a : (first / common) * (second / scale);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 || !Number.isSafeInteger(a) || !Number.isSafeInteger(b) ? a : greatestCommonDivisor(b, a % b);
}

/** Digits after the point. */
function decimals(value: number): number {
  const [, fraction = "", exponent = "0"] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}
