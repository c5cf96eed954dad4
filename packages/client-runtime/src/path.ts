import { own, text, type Encoders } from "./parameters.js";
import { refuse } from "./refuse.js";

/** Encodes one segment: text, a finite number or a boolean. Throws for a missing value, and for `.` and `..`, which would change the path. */
export function segment(name: string, value: unknown): string {
  if (!/^([bn]|st)/.test(typeof value) || /^(\.{0,2}|NaN|-?Infinity)$/.test(value as string)) refuse(`path ${name}`);
  // Periods, and other characters that a path may have, need no escape.
  return encodeURIComponent(value as string);
}

/** Encodes one or more segments. Keeps slashes. */
export function severalSegments(name: string, value: unknown): string {
  return text(name, value)
    .split("/")
    .map((part) => segment(name, part))
    .join("/");
}

/**
 * Encodes path parameters, with other encoders for some of them.
 *
 * @example
 * call(client, { method: "GET", path: "/images/{id}", segment: segmentsWith({ id: severalSegments }) }, { path: { id: "a/b" } })
 */
export function segmentsWith(encoders: Encoders): (name: string, value: unknown) => string {
  return (name, value) => {
    const encoder = own<(name: string, value: unknown) => string>(encoders, name);
    if (!encoder) return segment(name, value);
    const written = value == null || value === "" ? "" : encoder(name, value);
    return /^\.{0,2}$/.test(written) ? refuse(`path ${name}`) : written;
  };
}
