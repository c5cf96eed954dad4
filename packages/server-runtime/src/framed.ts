import { bytesOf } from "@plumbline/validator-runtime";
import type { Answer } from "./answer.js";

/** A response with its message framing (RFC 9112). */
export interface Framed {
  readonly status: number;
  /** The headers of the response, with the length of its body. */
  readonly headers: Record<string, string>;
  /** Absent for HEAD, and for statuses without a body. */
  readonly body: Answer["body"];
  /** The length of a stream in bytes, if declared. */
  readonly declared: number | undefined;
}

/**
 * Adds message framing to a response. A declared length counts only for streams, whose bytes are counted, and for HEAD.
 *
 * @throws TypeError or RangeError for a response that cannot be sent, before any of it is sent
 */
export function framed(answer: Answer, method: string): Framed {
  const { status, body } = answer;
  assertStatus(status);
  assertBody(body);
  const isBare = status === 204 || status === 304;
  const headers: Record<string, string> = {};
  let said: string | undefined;
  for (const name of Object.keys(answer.headers)) {
    const value = answer.headers[name] as string;
    assertHeader(name, value);
    const role = roleOf(name);
    if (role === undefined || (role === "type" && !isBare)) headers[name] = value;
    else if (role === "length" && /^\d{1,15}$/.test(value)) said = value;
  }
  if (isBare) return { status, headers, body: undefined, declared: undefined };
  const isHead = method === "HEAD";
  const isNothing = status === resetContent || (body === undefined && !isHead);
  const length = isNothing ? "0" : (lengthOf(body) ?? said);
  if (length !== undefined) headers["content-length"] = length;
  return {
    status,
    headers,
    body: isHead || status === resetContent ? undefined : body,
    declared: length === undefined ? undefined : Number(length),
  };
}

/** Cancels a body that is not sent. */
export function drop(body: Answer["body"]): void {
  if (isStream(body)) body.cancel().catch(() => {});
}

export function isStream(body: Answer["body"]): body is ReadableStream<Uint8Array> {
  return typeof body === "object" && body !== null && "getReader" in body;
}

// 205 has no body, and its Content-Length is 0.
const resetContent = 205;

function assertStatus(status: number): void {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return;
  throw new RangeError(`${status} is not a valid status of a response. Use one from 200 to 599.`);
}

function assertBody(body: Answer["body"]): void {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array || isStream(body)) return;
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

function lengthOf(body: Answer["body"]): string | undefined {
  if (typeof body === "string") return String(bytesIn(body));
  return body instanceof Uint8Array ? String(body.length) : undefined;
}

/** The length of a text in UTF-8, in bytes. */
export function bytesIn(text: string): number {
  return node === undefined ? bytesOf(text) : node.byteLength(text);
}

/** Node counts bytes without encoding the text. */
const { Buffer: node } = globalThis as { readonly Buffer?: { byteLength(text: string): number } };
