import { ConversionError, type ScalarConverter } from "./convert.js";
import { parseDateTime } from "./date-time.js";

/** Converts a date-time of RFC 3339 to a `Date`: the same moment, without its offset and what is below a millisecond. */
export const asDate: ScalarConverter = {
  decode(value) {
    if (typeof value !== "string") return value;
    const { epochMs, fraction } = parseDateTime(value);
    return new Date(epochMs + Number(`${fraction}000`.slice(0, 3)));
  },
  encode(value) {
    if (typeof value === "string") parseDateTime(value);
    if (Object.prototype.toString.call(value) !== "[object Date]") return value;
    const date = value as Date;
    const text = Number.isNaN(date.getTime()) ? "" : date.toISOString();
    // RFC 3339 has years of four digits.
    if (text.length !== 24) throw new ConversionError("is an invalid Date, or not in the years 0 to 9999");
    return text;
  },
};
