import { ConversionError, type ScalarConverter } from "./convert.js";
import { isDate, parseDateTime } from "./date-time.js";

/** `Temporal.Instant` where TypeScript knows it, through its library `esnext.temporal` or a polyfill. Otherwise the part of it that generated types need. */
export type TemporalInstant = typeof globalThis extends {
  readonly Temporal: { readonly Instant: abstract new (...given: never) => infer Value };
}
  ? Value
  : InstantLike;

/** `Temporal.PlainDate` where TypeScript knows it. */
export type TemporalPlainDate = typeof globalThis extends {
  readonly Temporal: { readonly PlainDate: abstract new (...given: never) => infer Value };
}
  ? Value
  : PlainDateLike;

/** The part of `Temporal.Instant` that does not need other types of Temporal. */
export interface InstantLike {
  readonly epochMilliseconds: number;
  readonly epochNanoseconds: bigint;
  toString(): string;
  toJSON(): string;
}

/** The part of `Temporal.PlainDate` that does not need other types of Temporal. */
export interface PlainDateLike {
  readonly calendarId: string;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  toString(): string;
  toJSON(): string;
}

/** Converts a date-time of RFC 3339 to a `Temporal.Instant`: the same moment, without its offset and what is below a nanosecond. */
export const asInstant: ScalarConverter = {
  decode(value) {
    if (typeof value !== "string") return value;
    const { local, fraction, offset } = parseDateTime(value);
    return temporalType("Instant").from(`${local}.${`${fraction}0`.slice(0, 9)}${offset}`);
  },
  encode(value) {
    if (typeof value === "string") parseDateTime(value);
    if (!hasTag(value, "Instant")) return value;
    const text = String(value);
    if (!/^\d{4}-/.test(text)) throw new ConversionError("is not in the years 0 to 9999");
    return text;
  },
};

/** Converts a date of RFC 3339 to a `Temporal.PlainDate`. */
export const asPlainDate: ScalarConverter = {
  decode(value) {
    if (typeof value !== "string") return value;
    checkDate(value);
    return temporalType("PlainDate").from(value);
  },
  encode(value) {
    if (typeof value === "string") checkDate(value);
    if (!hasTag(value, "PlainDate")) return value;
    const text = value.toString({ calendarName: "never" });
    if (!/^\d{4}-/.test(text)) throw new ConversionError("is not in the years 0 to 9999");
    return text;
  },
};

interface TemporalType {
  from(text: string): unknown;
}

/** Looked up at each use: a polyfill may be imported later than this module. */
function temporalType(name: "Instant" | "PlainDate"): TemporalType {
  const { Temporal } = globalThis as { readonly Temporal?: Readonly<Record<typeof name, TemporalType>> };
  if (!Temporal) throw new ConversionError("needs Temporal, which is not there: import a polyfill");
  return Temporal[name];
}

/** A tag, not `instanceof`: several copies of a polyfill may be in use. */
function hasTag(value: unknown, name: string): value is { toString(options?: object): string } {
  return Object.prototype.toString.call(value) === `[object Temporal.${name}]`;
}

function checkDate(text: string): void {
  if (!isDate(text)) throw new ConversionError("is not a date of RFC 3339");
}
