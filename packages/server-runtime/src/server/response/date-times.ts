import { serializeScalar } from "./serializers.js";

/**
 * Serializes a point in time as ISO 8601 in UTC, with `Z`. Converts a text with another offset. A text without an offset is in UTC already.
 * Returns any other text unchanged.
 */
export function serializeDateTime(value: unknown): unknown {
  const written = serializeScalar(value);
  return typeof written === "string" && !written.endsWith("Z") ? toUtc(written) : written;
}

/** Serializes a date. A `Date` gives its day in UTC. */
export function serializeDate(value: unknown): unknown {
  const written = serializeScalar(value);
  return value instanceof Date && typeof written === "string" ? written.slice(0, 10) : written;
}

const localPattern = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?$/;

// Offsets are whole minutes, so seconds keep their digits. A Date would cut them to three, and has no leap seconds.
function toUtc(text: string): string {
  const [, day, minutes, seconds = ":00", sign, hoursOff = "0", minutesOff = "0"] = localPattern.exec(text) ?? [];
  if (day === undefined) return text;
  const offset = (Number(hoursOff) * 60 + Number(minutesOff)) * (sign === "-" ? -60_000 : 60_000);
  const moment = new Date(Date.parse(`${day}T${minutes}Z`) - offset);
  return Number.isNaN(moment.getTime()) ? text : `${moment.toISOString().slice(0, -8)}${seconds}Z`;
}
