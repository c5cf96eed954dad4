import { own, text, type Encoders } from "./parameters.js";
import { refuse } from "./refuse.js";

/** One segment: text, a finite number or a boolean; throws for what is missing or would name another place. */
export function segment(name: string, value: unknown): string {
  if (!/^([bn]|st)/.test(typeof value) || /^(\.{0,2}|NaN|-?Infinity)$/.test(value as string)) refuse(`path ${name}`);
  // Dots, and what else a path may hold as it is, need no escape.
  return encodeURIComponent(value as string);
}

/** One or more segments: keeps slashes. */
export function severalSegments(name: string, value: unknown): string {
  return text(name, value)
    .split("/")
    .map((part) => segment(name, part))
    .join("/");
}

/**
 * Path parameters with encoders for some of them.
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
