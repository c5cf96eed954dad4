/** Text in which nothing begins a heading or code, or is a link; HTML is the template's to escape. */
export function prose(text: string): string {
  return oneLine(text).replaceAll(/[[\]]/g, "\\$&");
}

/** Without halves of characters, which TypeScript takes amiss in a package.json. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Cs}/gu, "\ufffd")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
