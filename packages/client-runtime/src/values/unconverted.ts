import type { TemporalInstant, TemporalPlainDate } from "./temporal.js";

/**
 * A type with texts in place of dates, and numbers in place of `bigint`. Generated types use it where a union does not say whether a text is a date:
 * such values stay as they are in JSON.
 */
export type UnconvertedValue<T> = T extends Date | TemporalInstant | TemporalPlainDate
  ? string
  : T extends bigint
    ? number
    : T extends Blob
      ? T
      : T extends object
        ? { [Name in keyof T]: UnconvertedValue<T[Name]> }
        : T;
