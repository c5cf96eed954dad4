import { rejectUnsendable } from "./reject-unsendable.js";

/** Sets a header. Throws without quoting the value if it has characters other than visible Latin-1. */
export function setHeader(headers: Headers, name: string, value: string): void {
  if (/[^\t -~\x80-\xff]/.test(value)) rejectUnsendable(`header ${name}`);
  headers.set(name, value);
}

/** A text in a header. Throws for what separates it from others, and for spaces at its ends, which are lost. */
export function headerText(name: string, text: string, separators?: RegExp): string {
  return separators?.test(text) || text.trim() !== text ? rejectUnsendable(`header ${name}`) : text;
}
