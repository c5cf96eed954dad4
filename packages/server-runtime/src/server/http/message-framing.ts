import { utf8Length } from "../../validator/index.js";
import type { HttpResponse } from "./http-response.js";

/** A response with its message framing (RFC 9112). */
export interface FramedResponse {
  readonly status: number;
  /** The headers of the response, with the length of its body. */
  readonly headers: Record<string, string>;
  /** Absent for HEAD, and for statuses without a body. */
  readonly body: HttpResponse["body"];
  /** The length of a stream in bytes, if declared. */
  readonly declared: number | undefined;
}

/**
 * Adds message framing to a response. A declared length counts only for streams, whose bytes are counted, and for HEAD.
 *
 * @throws TypeError or RangeError for a response that cannot be sent, before any of it is sent
 */
export function frameResponse(answer: HttpResponse, method: string): FramedResponse {
  const { status, body } = answer;
  assertStatus(status);
  assertBody(body);
  const isBare = status === 204 || status === 304;
  // A copy in one step: adding header by header takes several times as long.
  const headers: Record<string, string> = { ...answer.headers };
  let declared: string | undefined;
  for (const name of Object.keys(headers)) {
    const value = headers[name] as string;
    assertHeader(name, value);
    const role = roleOf(name);
    if (role === undefined || (role === "type" && !isBare)) continue;
    if (role === "length" && /^\d{1,15}$/.test(value)) declared = value;
    delete headers[name];
  }
  if (isBare) return { status, headers, body: undefined, declared: undefined };
  const isHead = method === "HEAD";
  const isNothing = status === statusResetContent || (body === undefined && !isHead);
  const length = isNothing ? "0" : (lengthOf(body) ?? declared);
  if (length !== undefined) headers["content-length"] = length;
  return {
    status,
    headers,
    body: isHead || status === statusResetContent ? undefined : body,
    declared: length === undefined ? undefined : Number(length),
  };
}

/** Cancels a body that is not sent. */
export function cancelBody(body: HttpResponse["body"]): void {
  if (isStreamBody(body)) body.cancel().catch(() => {});
}

export function isStreamBody(body: HttpResponse["body"]): body is ReadableStream<Uint8Array> {
  return typeof body === "object" && body !== null && "getReader" in body;
}

// 205 has no body, and its Content-Length is 0.
const statusResetContent = 205;

function assertStatus(status: number): void {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return;
  throw new RangeError(`${status} is not a valid status of a response. Use one from 200 to 599.`);
}

function assertBody(body: HttpResponse["body"]): void {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array || isStreamBody(body)) return;
  throw new TypeError("The body of a response must be a string, a Uint8Array or a ReadableStream.");
}

/** Rejects names and values that some runtime does not accept: a line break would start another header. */
function assertHeader(name: string, value: string): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid header name.`);
  if (typeof value === "string" && !/[^\t\x20-\x7e\x80-\xff]/.test(value)) return;
  throw new TypeError(`The value of the header ${name} has characters that a header cannot have.`);
}

/** Recognizes the headers that frame the body by the length of their names, which is faster than comparing the names. */
function roleOf(name: string): "type" | "length" | "coding" | undefined {
  switch (name.length) {
    case 12:
      return name.toLowerCase() === "content-type" ? "type" : undefined;
    case 14:
      return name.toLowerCase() === "content-length" ? "length" : undefined;
    case 17:
      return name.toLowerCase() === "transfer-encoding" ? "coding" : undefined;
    default:
      return undefined;
  }
}

function lengthOf(body: HttpResponse["body"]): string | undefined {
  if (typeof body === "string") return String(utf8ByteCount(body));
  return body instanceof Uint8Array ? String(body.length) : undefined;
}

/** The length of a text in UTF-8, in bytes. */
export function utf8ByteCount(text: string): number {
  return node === undefined ? utf8Length(text) : node.byteLength(text);
}

/** Node counts bytes without encoding the text. */
const { Buffer: node } = globalThis as { readonly Buffer?: { byteLength(text: string): number } };
