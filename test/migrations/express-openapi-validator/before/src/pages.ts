import type { Response } from "express";

export interface Page {
  limit: number;
  offset: number;
}

/** Sends a page of a list, and the number of all entries in a header. */
export function sendPage<Entry>(res: Response, entries: Entry[], { limit, offset }: Page): void {
  res.set("X-Total-Count", String(entries.length)).json(entries.slice(offset, offset + limit));
}
