import { ConversionError } from "./convert.js";

/** The parts of a date-time. */
export interface DateTimeParts {
  /** Milliseconds since 1970, without what is below a second. */
  readonly epochMs: number;
  /** Date, time and seconds. A leap second is the second before it, as for Temporal. */
  readonly local: string;
  /** The digits after the decimal point. */
  readonly fraction: string;
  /** `Z`, or `+hh:mm`. */
  readonly offset: string;
}

/**
 * Parses a date-time of RFC 3339.
 *
 * @throws ConversionError for other texts, for days that no calendar has, and for leap seconds that are not at the end of a day
 */
export function parseDateTime(text: string): DateTimeParts {
  const [, date = "", minute = "", second = "", fraction = "", offset = ""] = dateTime.exec(text) ?? [];
  const isLeap = second === "60";
  const local = `${date}T${minute}:${isLeap ? "59" : second}`;
  const behind = offset.length > 1 ? Number(`${offset.charAt(0)}1`) * minutesOf(offset.slice(1)) : 0;
  const epochMs = Date.parse(`${local}Z`) - behind * 60_000;
  if (!isDate(date) || (isLeap && (epochMs + 1000) % 86_400_000 !== 0))
    throw new ConversionError("is not a date-time of RFC 3339");
  return { epochMs, local, fraction, offset: offset.toUpperCase() };
}

const dateTime =
  /^(\d{4}-\d\d-\d\d)[Tt]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** True for `YYYY-MM-DD` with a day that the calendar has. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  // Engines differ in whether they reject 30 February, or read it as a day in March.
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
