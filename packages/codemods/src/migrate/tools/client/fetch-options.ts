/** The options of `fetch` that calls of generated clients have under the same names. */
export const fetchOptions: ReadonlySet<string> = new Set([
  "cache",
  "credentials",
  "keepalive",
  "mode",
  "next",
  "priority",
  "redirect",
]);
