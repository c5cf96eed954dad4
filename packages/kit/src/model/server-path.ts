/**
 * Returns the path of a server's URL as clients send it, percent-encoded and without a trailing slash. Empty if it has none, or if it is not
 * known: the base of a relative URL, and the values of variables.
 */
export function serverPath(url: string): string {
  const isComplete = /^((https?:)?\/)?\//i.test(url) && !/[{}]/.test(url) && URL.canParse(url, "https://localhost");
  const path = isComplete ? new URL(url, "https://localhost").pathname.replace(/\/+$/, "") : "";
  return path.split("/").slice(1).every(isPlainSegment) ? path : "";
}

/** Returns a path by which `/pets` and `/pets/` compare as one: without a slash at its end. */
export function trimTrailingSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Whether a segment is well-formed UTF-8 without characters at which servers cut or join segments. */
function isPlainSegment(segment: string): boolean {
  try {
    return /^[^/\\;\0-\x20\x7f]+$/.test(decodeURIComponent(segment).replaceAll(" ", "_"));
  } catch {
    return false;
  }
}
