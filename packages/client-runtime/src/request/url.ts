import { rejectUnsendable } from "./reject-unsendable.js";

/** An HTTP URL without its fragment: the complete URL, what is before its query without a slash at the end, its origin, and its query with the question mark. */
export type HttpUrl = readonly [href: string, base: string, origin: string, query: string];

// Calls have the same base URL again and again, and to parse it takes longer than the rest of a call.
let lastText: string | undefined;
let lastUrl: unknown;

/** Parses an HTTP URL. Throws without quoting it if it is not valid. */
export function parseHttpUrl(text = ""): HttpUrl {
  if (text !== lastText)
    try {
      // Like for `fetch`, a relative URL is relative to the page, if there is one.
      const { href } = new URL(text, globalThis.location?.href);
      // "localhost:8080" would have a scheme of its own; an @ before the path ends user name and password.
      const parts = /^((https?:\/\/[^/@]+)(?=\/)(?:\/+[^/?#]+)*)\/*(\?[^#]*|)/.exec(href);
      // Without a match, there is nothing to spread, which is an error as well.
      lastUrl = [...(parts as RegExpExecArray)];
      lastText = text;
    } catch {
      // Not the engine's message, which may quote the URL.
      rejectUnsendable("URL");
    }
  return lastUrl as HttpUrl;
}
