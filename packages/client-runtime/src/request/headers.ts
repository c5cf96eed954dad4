import { rejectUnsendable } from "./reject-unsendable.js";

/** Sets a header. Throws without quoting the value if it has characters other than visible Latin-1. */
export function setHeader(headers: Headers, name: string, value: string): void {
  if (/[^\t -~\x80-\xff]/.test(value)) rejectUnsendable(`header ${name}`);
  headers.set(name, value);
}
