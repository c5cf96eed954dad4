import type { Json } from "../suite.js";

/** The items of a streamed response, or why one of them cannot be read. */
export interface StreamItems {
  readonly items: readonly Json[];
  readonly error?: { readonly position: number; readonly expected: string; readonly received: string };
}

/** What is known about the text of a stream. */
export interface StreamText {
  readonly text: string;
  readonly mediaType: string;
  /** True if the run has stopped reading before the end: then the last item may be incomplete. */
  readonly isPartial: boolean;
  /** True if the `data` of events is JSON. */
  readonly hasJsonData: boolean;
}

/** True for the media types of streams: server-sent events, JSON Lines and JSON text sequences. */
export function isStreamMediaType(mediaType: string): boolean {
  return /^(?:text\/event-stream|application\/(?:(?:x-)?(?:jsonl|ndjson|jsonlines)|(?:[^/;\s]+\+)?json-seq))\s*(?:;|$)/i.test(
    mediaType,
  );
}

/** Reads the items of a stream. Events without data are left out, as clients do. */
export function parseStreamItems(stream: StreamText): StreamItems {
  return /^text\/event-stream/i.test(stream.mediaType) ? parseEvents(stream) : parseLines(stream);
}

function parseLines({ text, isPartial }: StreamText): StreamItems {
  const lines = text.split("\n");
  if (isPartial) lines.pop();
  const items: Json[] = [];
  for (const line of lines) {
    const json = line.replace(/^\u001e/, "").trim();
    if (json === "") continue;
    const item = parseJson(json);
    if (item === undefined)
      return { items, error: { position: items.length, expected: "JSON", received: json.slice(0, 100) } };
    items.push(item);
  }
  return { items };
}

/** The specification drops an event that no empty line ends, so a partial text needs nothing else. */
function parseEvents({ text, hasJsonData }: StreamText): StreamItems {
  const items: Json[] = [];
  for (const block of text
    .replace(/^\ufeff/, "")
    .split(/(?:\r\n|\r|\n){2}/)
    .slice(0, -1)) {
    const event: Record<string, Json> = {};
    for (const line of block.split(/\r\n|\r|\n/)) {
      const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (name === "data") event["data"] = typeof event["data"] === "string" ? `${event["data"]}\n${value}` : value;
      else if (name === "event" || name === "id") event[name] = value;
      else if (name === "retry" && /^\d+$/.test(value)) event[name] = Number(value);
    }
    const { data } = event;
    if (typeof data !== "string") continue;
    const value = hasJsonData ? parseJson(data) : data;
    if (value === undefined)
      return { items, error: { position: items.length, expected: "JSON in `data`", received: data.slice(0, 100) } };
    items.push({ ...event, data: value });
  }
  return { items };
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
