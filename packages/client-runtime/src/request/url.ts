import { rejectUnsendable } from "./reject-unsendable.js";

/** Parses an HTTP URL, and removes its fragment. Throws without quoting it if it is not valid. */
export function parseHttpUrl(url = ""): string {
  try {
    // Like for `fetch`, a relative URL is relative to the page, if there is one.
    const target = new URL(url, globalThis.location?.href);
    target.hash = "";
    // "localhost:8080" would have a scheme of its own; an @ before the path ends user name and password.
    if (/^https?:\/\/[^/@]+\//.test(target.href)) return target.href;
  } catch {
    // Not the engine's message, which may quote the URL.
  }
  return rejectUnsendable("URL");
}
