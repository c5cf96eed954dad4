import { textsOf } from "./parameters.js";

/**
 * Sets a header to a scalar, or an array's items with commas; throws, not showing it, when a character is no visible
 * one of Latin-1.
 */
export function setHeader(headers: Headers, name: string, value: unknown): void {
  const line = textsOf(name, value).join();
  if (/[^\t\x20-\x7e\x80-\xff]/.test(line)) throw new TypeError(`header ${name} has a forbidden character`);
  headers.set(name, line);
}
