/**
 * The milliseconds that a reply asks to wait, in seconds or up to a date; undefined when it asks for nothing that can be
 * read. A date counts from the reply's own `Date`, so that clocks which differ do no harm.
 */
export function retryAfter(headers: Headers): number | undefined {
  const asked = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  // What engines take for a date is more: "1.5", or "5, 5" of two proxies.
  if (!/[a-z]/i.test(asked)) return undefined;
  const sent = Date.parse(headers.get("date") ?? "");
  const pause = Date.parse(asked) - (Number.isNaN(sent) ? Date.now() : sent);
  return Number.isNaN(pause) ? undefined : Math.max(0, pause);
}
