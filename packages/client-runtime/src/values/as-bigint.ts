import { ConversionError, type ScalarConverter } from "./convert.js";

/** Converts a 64-bit integer to a `bigint`. Encodes one that a number represents exactly as a number. */
export const asBigInt: ScalarConverter = {
  decode(value, exact) {
    if (typeof value !== "number") return value;
    return checkRange(Array.isArray(exact) ? parseInteger(String(exact[0])) : toBigInt(value));
  },
  encode(value) {
    if (typeof value === "number" && !Number.isSafeInteger(value))
      throw new ConversionError("is a number that is not an exact integer: pass a bigint");
    if (typeof value !== "bigint") return value;
    const number = Number(checkRange(value));
    return Number.isSafeInteger(number) ? number : value;
  },
};

function checkRange(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new ConversionError("is an integer beyond 64 bits");
  return value;
}

function toBigInt(value: number): bigint {
  if (!Number.isInteger(value)) throw new ConversionError("is not an integer");
  return BigInt(value);
}

/** The exact value of a JSON number, such as `12e2`. Never computes more digits than 64 bits have. */
function parseInteger(text: string): bigint {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^(-?)(\d+)\.?(\d*)[eE]?(.*)/.exec(text) ?? [];
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === "0") start++;
  if (start === end) return 0n;
  while (digits[end - 1] === "0") end--;
  const zeros = Number(exponent || 0) - fraction.length + (digits.length - end);
  if (zeros < 0) throw new ConversionError("is not an integer");
  // 2^63 has 19 digits.
  if (end - start + zeros > 19) throw new ConversionError("is an integer beyond 64 bits");
  return BigInt(sign + digits.slice(start, end) + "0".repeat(zeros));
}
