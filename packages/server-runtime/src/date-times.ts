import { scalar } from "./shown.js";

/**
 * A point in time as it is sent: ISO 8601 in UTC, with `Z`. A text of another offset is converted, one without an offset is in UTC already,
 * and what is no point in time stays as it is.
 */
export function dateTime(value: unknown): unknown {
  const written = scalar(value);
  return typeof written === "string" && !written.endsWith("Z") ? inUtc(written) : written;
}

/** A day as it is sent: of a Date, that in UTC. */
export function date(value: unknown): unknown {
  const written = scalar(value);
  return value instanceof Date && typeof written === "string" ? written.slice(0, 10) : written;
}

/** A date-time that names no zone is in UTC; JavaScript takes it for a local one. */
export function withZone(text: string): string {
  return /[Tt ][^Zz+-]*$/.test(text) ? `${text}Z` : text;
}

const local = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?$/;

// Offsets are whole minutes, so that seconds stay as they are written: a Date would cut them to three digits, and knows no leap second.
function inUtc(text: string): string {
  const [, day, minutes, seconds = ":00", sign, hoursOff = "0", minutesOff = "0"] = local.exec(text) ?? [];
  if (day === undefined) return text;
  const offset = (Number(hoursOff) * 60 + Number(minutesOff)) * (sign === "-" ? -60_000 : 60_000);
  const moment = new Date(Date.parse(`${day}T${minutes}Z`) - offset);
  return Number.isNaN(moment.getTime()) ? text : `${moment.toISOString().slice(0, -8)}${seconds}Z`;
}
