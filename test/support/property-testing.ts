import * as fc from "fast-check";

/** Fragments that end comments, strings, lines and objects, or inject code. */
const untrustedFragments = [
  "*/",
  "/*",
  "//",
  "`",
  "${",
  "}",
  '"',
  "'",
  "\\",
  "\r",
  "\n",
  "\u2028",
  "\u2029",
  "\u0085",
  "\u0000",
  "\u001b[2J",
  "\u202e",
  "\u200f",
  "\ufeff",
  "\ud800",
  "\udc00",
  "__proto__",
  "constructor",
  "then",
  "../",
  "%2e%2e%2f",
  "{",
  "{id}",
  "|",
  "```",
  "<script>",
  "](javascript:",
  "@ts-ignore",
  "globalThis.canary()",
  ");globalThis.canary();(",
  "a",
  "Pet",
  "default",
  "1e400",
  "#/components/schemas/Pet",
];

/** Texts of any Unicode characters, lone surrogates and dangerous fragments. */
export const untrustedText: fc.Arbitrary<string> = fc.oneof(
  // Not `fc.string` with all of Unicode as its unit, which makes a table of a million characters first.
  fc
    .array(
      fc.oneof(
        fc.integer({ max: 0x7f, min: 0 }),
        fc.integer({ min: 0, max: 0xd7ff }),
        fc.integer({ min: 0xe000, max: 0x10_ff_ff }),
      ),
      {
        maxLength: 40,
      },
    )
    .map((points) => String.fromCodePoint(...points)),
  fc.array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes)),
  fc.array(fc.constantFrom(...untrustedFragments), { maxLength: 8 }).map((parts) => parts.join("")),
);

/**
 * How often to check a property: `few` times by default, `many` times in full mode, or `PROPERTY_RUNS` times. A failure prints its seed;
 * `SEED` repeats it.
 */
export function propertyRuns(few: number, many: number): { readonly numRuns: number; readonly seed?: number } {
  const { MODE, PROPERTY_RUNS, SEED } = process.env;
  return {
    numRuns: Number(PROPERTY_RUNS ?? (MODE === "full" ? many : few)),
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  };
}
