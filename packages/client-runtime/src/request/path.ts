import { ownProperty, scalarToText, type Encoders } from "./parameters.js";
import { rejectUnsendable } from "./reject-unsendable.js";

/** Encodes one segment: text, a finite number or a boolean. Throws for a missing value, and for `.` and `..`, which would change the path. */
export function encodeSegment(name: string, value: unknown): string {
  // The type, then the value: an empty text, `.` and `..`, `NaN` and infinities, and what is not a scalar.
  if (/^(string\.{0,2}$|number-?[NI]|[fosu][^t])/.test(typeof value + String(value))) rejectUnsendable(`path ${name}`);
  // Periods, and other characters that a path may have, need no escape.
  return encodeURIComponent(value as string);
}

/** Encodes one or more segments. Keeps slashes. Throws for a segment that `encodeSegment` throws for. */
export function multiSegment(name: string, value: unknown): string {
  return scalarToText(name, value ?? "")
    .split("/")
    .map((part) => encodeSegment(name, part))
    .join("/");
}

/**
 * Encodes path parameters, with other encoders for some of them.
 *
 * @example
 * callOperation(client, { method: "GET", path: "/images/{id}", pathEncoder: pathEncoder({ id: multiSegment }) }, { path: { id: "a/b" } })
 */
export function pathEncoder(encoders: Encoders): (name: string, value: unknown) => string {
  return (name, value) => {
    const encoder = ownProperty<(name: string, value: unknown) => string>(encoders, name);
    if (!encoder) return encodeSegment(name, value);
    const written = value == null || value === "" ? "" : encoder(name, value);
    return /^\.{0,2}$/.test(written) ? rejectUnsendable(`path ${name}`) : written;
  };
}
