import { asStream, type DecodeContext } from "./responses.js";

/** An event of `text/event-stream`. */
export interface ServerSentEvent {
  readonly data?: string;
  readonly event?: string;
  readonly id?: string;
  /** Milliseconds. */
  readonly retry?: number;
}

/**
 * Streams the items of JSON Lines (`application/jsonl`, `application/x-ndjson`) or of a JSON text sequence (`application/json-seq`), each as
 * it arrives. `timeout` and `signal` apply until the end. An item that is not valid JSON is an error with code `decode`.
 */
export function asJsonLines(response: Response, reading: DecodeContext): AsyncGenerator<unknown, void, undefined> {
  return parseJsonLines(asStream(response, reading), (text) => parseItem(text, response, reading));
}

/** What a server has said about connecting again, so far. */
export interface EventConnection {
  /** The id to send as `Last-Event-ID`, also of an event without data. */
  lastEventId?: string;
  /** Milliseconds before the next connection. */
  retry?: number;
}

/** The events of one response. */
export interface EventStream<E> extends AsyncGenerator<E, void, undefined> {
  readonly connection: EventConnection;
}

/** A server-sent event whose data are JSON: `data` is the parsed value. */
export interface JsonEvent extends Omit<ServerSentEvent, "data"> {
  readonly data: unknown;
}

/** Streams server-sent events, each as it arrives. `timeout` and `signal` apply until the end. */
export function asEvents(response: Response, reading: DecodeContext): EventStream<ServerSentEvent> {
  const connection: EventConnection = {};
  return Object.assign(parseEvents(asStream(response, reading), connection), { connection });
}

/** Streams server-sent events whose data are JSON, as `asEvents` does. Data that are not valid JSON are an error with code `decode`. */
export function asJsonEvents(response: Response, reading: DecodeContext): EventStream<JsonEvent> {
  const events = asEvents(response, reading);
  const parsed = async function* (): AsyncGenerator<JsonEvent, void, undefined> {
    for await (const event of events) yield { ...event, data: parseItem(event.data ?? "", response, reading) };
  };
  return Object.assign(parsed(), { connection: events.connection });
}

export async function* parseJsonLines(
  stream: ReadableStream<Uint8Array>,
  parse: (text: string) => unknown,
): AsyncGenerator<unknown, void, undefined> {
  for await (const line of linesOf(stream)) {
    const text = line.replace(/^\u001e+/, ""); // the record separator of RFC 7464
    if (text.trim() === "") continue;
    yield parse(text);
  }
}

async function* parseEvents(
  stream: ReadableStream<Uint8Array>,
  connection: EventConnection,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let fields: Record<string, string> = {};
  for await (const line of linesOf(stream)) {
    if (line === "") {
      if (fields["id"] !== undefined) connection.lastEventId = fields["id"];
      // The specification drops an event without data, and an unfinished one at the end.
      if (fields["data"] !== undefined) yield toEvent(fields);
      fields = {};
      continue;
    }
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === "retry" && /^\d+$/.test(value)) connection.retry = Number(value);
    if (name === "data" && fields["data"] !== undefined) fields["data"] += `\n${value}`;
    else if (eventFields.has(name)) fields[name] = value;
  }
}

const eventFields: ReadonlySet<string> = new Set(["data", "event", "id", "retry"]);

function toEvent({ retry, ...fields }: Record<string, string>): ServerSentEvent {
  return { ...fields, ...(retry !== undefined && /^\d+$/.test(retry) && { retry: Number(retry) }) };
}

function parseItem(text: string, { status, headers }: Response, reading: DecodeContext): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw reading.toError("decode", { text: "item is malformed JSON", status, headers, body: text.slice(0, 4096) });
  }
}

/** The lines of a text, whatever their line ends. An unfinished last line counts if it has text. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest: string[] = []; // joined once a line: a long one arrives in many chunks
  let endsWithReturn = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      const [first = "", ...lines] = (endsWithReturn ? text.replace(/^\n/, "") : text).split(/\r\n|\r|\n/);
      if (text !== "") endsWithReturn = text.endsWith("\r");
      rest.push(first);
      for (const line of lines) {
        yield rest.join("");
        rest = [line];
      }
      if (done) break;
    }
    const last = rest.join("");
    if (last !== "") yield last;
  } finally {
    await reader.cancel().catch(() => undefined); // the caller has left the loop; after the end it does nothing
  }
}
