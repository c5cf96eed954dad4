import type { EntityId } from "../../server/index.js";
import type { MockResource } from "../mock-definition.js";

/**
 * Returns the identifier of the object with a number: the number itself, or a text like the sample in which the last run of letters and digits
 * is counted up.
 */
export function identifierOf({ type, sample }: MockResource["identifier"], number: number): EntityId {
  return type === "number" ? number : countUp(String(sample), number);
}

function countUp(sample: string, number: number): string {
  const [digits = ""] = /\d+$/.exec(sample) ?? [];
  const [hexadecimal = ""] = /[0-9a-f]+$/.exec(sample) ?? [];
  if (hexadecimal.length > digits.length) {
    const counted = hexadecimal.slice(-12);
    return sample.slice(0, -counted.length) + increase(counted, 16, number);
  }
  if (digits === "") return `${sample}${sample === "" ? "" : "-"}${number}`;
  return sample.slice(0, -digits.length) + increase(digits, 10, number);
}

/** Keeps the number of characters as long as they suffice. */
function increase(text: string, radix: number, by: number): string {
  const start = Array.from(text).reduce(
    (value, digit) => value * BigInt(radix) + BigInt(Number.parseInt(digit, radix)),
    0n,
  );
  return (start + BigInt(by)).toString(radix).padStart(text.length, "0");
}
