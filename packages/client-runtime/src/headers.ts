import { refuse } from "./refuse.js";

/** Sets a header; throws, not showing it, when a character is no visible one of Latin-1. */
export function setHeader(headers: Headers, name: string, value: string): void {
  if (/[^\t -~\x80-\xff]/.test(value)) refuse(`header ${name}`);
  headers.set(name, value);
}
