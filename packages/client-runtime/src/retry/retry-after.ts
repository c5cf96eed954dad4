/**
 * Parses `Retry-After`, in seconds or as a date, into the milliseconds to wait. Undefined if it is absent or malformed.
 * A date is relative to the response's `Date`, so that the two clocks may differ.
 */
export function parseRetryAfter(headers: Headers): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // JavaScript parses other texts as dates, too: "1.5", or "5, 5" where two proxies add one each.
  if (!/[a-z]/i.test(text)) return undefined;
  const sent = Date.parse(headers.get("date") ?? "");
  const pause = Date.parse(text) - (Number.isNaN(sent) ? Date.now() : sent);
  return Number.isNaN(pause) ? undefined : Math.max(0, pause);
}
