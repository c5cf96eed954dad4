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

/** Streams server-sent events, each as it arrives. `timeout` and `signal` apply until the end. */
export function asEvents(response: Response, reading: DecodeContext): AsyncGenerator<ServerSentEvent, void, undefined> {
  return parseEvents(asStream(response, reading));
}

async function* parseJsonLines(
  stream: ReadableStream<Uint8Array>,
  parse: (text: string) => unknown,
): AsyncGenerator<unknown, void, undefined> {
  for await (const line of linesOf(stream)) {
    const text = line.replace(/^\u001e+/, ""); // the record separator of RFC 7464
    if (text.trim() === "") continue;
    yield parse(text);
  }
}

async function* parseEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent, void, undefined> {
  let fields: Record<string, string> = {};
  for await (const line of linesOf(stream)) {
    if (line === "") {
      // The specification drops an event without data, and an unfinished one at the end.
      if (fields["data"] !== undefined) yield toEvent(fields);
      fields = {};
      continue;
    }
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
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
