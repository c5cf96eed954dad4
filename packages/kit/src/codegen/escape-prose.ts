/** Puts text on one line and escapes Markdown links and backslashes. The template escapes HTML. */
export function escapeProse(text: string): string {
  return toSingleLine(text).replaceAll(/[[\]\\]/g, "\\$&");
}

/** Puts text on one line, and replaces lone surrogates, which TypeScript rejects in a package.json. */
export function toSingleLine(text: string): string {
  return text
    .replaceAll(/\p{Cs}/gu, "\ufffd")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
