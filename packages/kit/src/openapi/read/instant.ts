import type { Instant } from "../../model/index.js";

/** Parses a date, or a time in UTC. Undefined if the calendar does not have it. */
export function readInstant(text: string | undefined): Instant | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  // Some engines read February 30 as March 2.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(text.slice(0, 10)))
    return undefined;
  return { text, seconds: milliseconds / 1000 };
}
