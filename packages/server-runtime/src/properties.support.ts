import * as fc from "fast-check";

/**
 * How often a property is checked: `few` times in the loop, `many` times in full mode, or `PROPERTY_RUNS` times. A failure prints its seed;
 * `SEED` repeats it.
 */
export function runs(few: number, many: number): { readonly numRuns: number; readonly seed?: number } {
  const { MODE, PROPERTY_RUNS, SEED } = process.env;
  return {
    numRuns: Number(PROPERTY_RUNS ?? (MODE === "full" ? many : few)),
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  };
}

/** Texts of any characters. `fc.string` with all of Unicode as its unit would build a table of a million characters first. */
export function anyText(maxLength = 10): fc.Arbitrary<string> {
  const ascii = fc.integer({ min: 0, max: 0x7f });
  const points = fc.oneof(ascii, fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10_ff_ff }));
  return fc.array(points, { maxLength }).map((all) => String.fromCodePoint(...all));
}
