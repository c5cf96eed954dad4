import { refuse } from "./refuse.js";

/** A URL that requests may go to, in full and without its fragment; throws, not showing it, for others. */
export function locate(url = ""): string {
  try {
    // As for `fetch`, a relative one belongs to the page, where there is one.
    const target = new URL(url, globalThis.location?.href);
    target.hash = "";
    // "localhost:8080" would be a scheme of its own; an @ before the path ends user and password.
    if (/^https?:\/\/[^/@]+\//.test(target.href)) return target.href;
  } catch {
    // Not the engine's words, some of which quote the URL.
  }
  return refuse("URL");
}
