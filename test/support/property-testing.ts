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
  anyText(40),
  fc.array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes)),
  fc.array(fc.constantFrom(...untrustedFragments), { maxLength: 8 }).map((parts) => parts.join("")),
);

/** Texts of any characters. `fc.string` with all of Unicode as its unit would build a table of a million characters first. */
export function anyText(maxLength = 10): fc.Arbitrary<string> {
  const ascii = fc.integer({ min: 0, max: 0x7f });
  const points = fc.oneof(ascii, fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10_ff_ff }));
  return fc.array(points, { maxLength }).map((all) => String.fromCodePoint(...all));
}

const { MODE, PROPERTY_RUNS, SEED } = process.env;

/** What tests draw from: the same in each run of the loop, other things each time in the full form, and those of `SEED` where it is set. */
export const seed: number = Number(SEED ?? (MODE === "full" ? Date.now() % 1_000_000 : 1));

/** How often to check a property, and from which seed: `few` times in the loop, `many` times in full mode, or `PROPERTY_RUNS` times. */
export function propertyRuns(few: number, many: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: Number(PROPERTY_RUNS ?? (MODE === "full" ? many : few)), seed };
}
