import { decodeResponse, isJsonMediaType, type DecodedResponse } from "../http/decode-response.js";
import { isObject } from "../values/json.js";

/**
 * What a matcher of responses returns: a promise for a response whose body it has to read, such as that of `fetch`. Await it. A value without
 * a known type may be either.
 */
export type MatchReturn<Received> = Received extends UnreadResponse ? Promise<void> : void;

/** A response whose body is not read yet: of `fetch`, of undici, of Playwright, or of `node:http`. */
type UnreadResponse = { text(): Promise<string> } | { body: { text(): Promise<string> } } | { httpVersion: string };

/**
 * Reads a response of any HTTP client. An unread body is read: that of `fetch` from a clone, so that the test can read it, too.
 *
 * @throws TypeError for a value that is not a response, or whose body was read before.
 */
export function readReceivedResponse(received: unknown): DecodedResponse | Promise<DecodedResponse> {
  const response = isObject(received) ? received : {};
  const status = call(response, "status") ?? response["statusCode"];
  const headers = call(response, "headers");
  if (typeof status !== "number" || headers === undefined)
    throw new TypeError(
      "The received value is not a response. Pass the response of an HTTP client, or an object with `status`, `headers` and `body`.",
    );
  const normalized = normalizeHeaders(headers);
  const complete = (text: string): DecodedResponse =>
    decodeResponse({ status, headers: normalized, text, durationMs: 0 });
  const body = readBody(response, isJsonMediaType(normalized["content-type"] ?? ""));
  return typeof body === "string" ? complete(body) : body.then(complete);
}

type Fields = { readonly [name: string]: unknown };

function readBody(response: Fields, isJson: boolean): string | Promise<string> {
  if (isTextReader(response)) return readUnread(response);
  if (isObject(response["body"]) && isTextReader(response["body"])) return readUnread(response["body"]);
  if (isIncomingMessage(response)) return readMessage(response);
  // supertest has the text beside a parsed body, which is `{}` for a response without one.
  if (typeof response["text"] === "string") return response["text"];
  const { data } = response;
  // axios and the generated client parse JSON: a text that is not an object or an array is then a value.
  if (isJson && typeof data === "string" && data !== "" && !/^\s*[[{]/.test(data)) return JSON.stringify(data);
  return toBodyText(data ?? response["body"] ?? response["payload"]);
}

interface TextReader {
  text(): Promise<string>;
  readonly clone?: () => TextReader;
  readonly bodyUsed?: boolean;
}

function isTextReader(value: object): value is TextReader {
  return "text" in value && typeof value.text === "function";
}

function readUnread(reader: TextReader): Promise<string> {
  if (reader.bodyUsed === true)
    throw new TypeError(
      "The body of the response was read before. Match the response first, or pass an object with `status`, `headers` and `body`.",
    );
  return (reader.clone?.() ?? reader).text();
}

function isIncomingMessage(response: Fields): response is Fields & AsyncIterable<Uint8Array> {
  return !("body" in response) && typeof response["httpVersion"] === "string" && Symbol.asyncIterator in response;
}

async function readMessage(message: Fields & AsyncIterable<Uint8Array>): Promise<string> {
  if (message["readableEnded"] === true || message["readableDidRead"] === true)
    throw new TypeError(
      "The body of the response was read before. Pass an object with `statusCode`, `headers` and `body`.",
    );
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks).toString();
}

/** A client may have parsed the body. */
function toBodyText(body: unknown): string {
  if (typeof body === "string") return body;
  if (body === undefined || body === null) return "";
  if (body instanceof ArrayBuffer) return Buffer.from(body).toString();
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return JSON.stringify(body);
}

/** Returns a field, or the result of the method of this name: Playwright has methods. */
function call(response: Fields, name: string): unknown {
  const value = response[name];
  return typeof value === "function" ? (value.call(response) as unknown) : value;
}

/** Headers with names in lower case, of `Headers`, of a record, or of pairs. */
function normalizeHeaders(given: unknown): Readonly<Record<string, string>> {
  const headers = Object.create(null) as Record<string, string>;
  for (const [name, value] of headerEntries(given)) {
    const texts = [value].flat().filter(isHeaderValue);
    if (texts.length === 0) continue;
    const text = texts.join(", ");
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? text : `${headers[key]}, ${text}`;
  }
  return headers;
}

function headerEntries(headers: unknown): readonly (readonly [string, unknown])[] {
  if (typeof headers !== "object" || headers === null) return [];
  if (Symbol.iterator in headers) return [...(headers as Iterable<readonly [string, unknown]>)];
  // The headers of axios have methods beside the values.
  const values = "toJSON" in headers && typeof headers.toJSON === "function" ? (headers.toJSON() as object) : headers;
  return Object.entries(values);
}

function isHeaderValue(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
