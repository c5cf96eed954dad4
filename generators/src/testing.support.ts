import * as fc from "fast-check";

/** What has ended comments, strings, lines and objects before, with code behind it. */
const nasty = [
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

/** Texts of all that Unicode has, halves of characters, and what is nasty. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes)),
  fc.array(fc.constantFrom(...nasty), { maxLength: 8 }).map((parts) => parts.join("")),
);

/** How often a property is tried: some hundred times, or as often as PROPERTY_RUNS says. */
export function runs(few: number): { readonly numRuns: number } {
  return { numRuns: Number(process.env["PROPERTY_RUNS"] ?? few) };
}
