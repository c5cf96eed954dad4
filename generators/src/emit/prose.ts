/** Puts text on one line and escapes Markdown links. The template escapes HTML. */
export function prose(text: string): string {
  return oneLine(text).replaceAll(/[[\]]/g, "\\$&");
}

/** Puts text on one line, and replaces lone surrogates, which TypeScript rejects in a package.json. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Cs}/gu, "\ufffd")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
