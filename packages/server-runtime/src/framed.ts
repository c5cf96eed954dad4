import { bytesOf } from "@plumbline/validator-runtime";
import type { Answer } from "./answer.js";

/** An answer as it goes over the wire. */
export interface Framed {
  readonly status: number;
  /** What the answer says, and how long its body is. */
  readonly headers: Record<string, string>;
  /** What follows: nothing for HEAD, and for statuses that have no body. */
  readonly body: Answer["body"];
  /** How many bytes a stream has, where that is said. */
  readonly declared: number | undefined;
}

/**
 * Where a body ends is said here alone: a length that somebody gave is believed of streams, whose bytes are counted, and
 * of what GET would send. Throws for what cannot be sent, before any of it is.
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

/** Lets go of a body that nobody will read. */
export function drop(body: Answer["body"]): void {
  if (isStream(body)) body.cancel().catch(() => {});
}

export function isStream(body: Answer["body"]): body is ReadableStream<Uint8Array> {
  return typeof body === "object" && body !== null && "getReader" in body;
}

// It has no body, and says so.
const resetContent = 205;

function assertStatus(status: number): void {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return;
  throw new RangeError(`an answer has a status of 200 to 599, not ${status}`);
}

function assertBody(body: Answer["body"]): void {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array || isStream(body)) return;
  throw new TypeError("the body of an answer is neither text nor bytes nor a stream");
}

/** Names and values that every host takes: a value beyond these characters would begin a header of its own, or be mangled. */
function assertHeader(name: string, value: string): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a header`);
  if (typeof value === "string" && !/[^\t\x20-\x7e\x80-\xff]/.test(value)) return;
  throw new TypeError(`the header ${name} has a value that cannot be sent`);
}

/** Headers that frame the body are known by how long their names are, which is said faster than what they are. */
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

/** Bytes of a text in UTF-8. */
export function bytesIn(text: string): number {
  return node === undefined ? bytesOf(text) : node.byteLength(text);
}

/** Node's counts without encoding. */
const { Buffer: node } = globalThis as { readonly Buffer?: { byteLength(text: string): number } };
