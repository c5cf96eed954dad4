import { ByteCollector, type SerializedError } from "../../../http/index.js";
import type { ValidateResponse } from "../host-validator.js";

/** The part of Node's ServerResponse that the adapter calls or replaces. */
export interface NodeResponse {
  statusCode: number;
  writeHead(status: number, headers: Record<string, string>): unknown;
  getHeader(name: string): number | string | readonly string[] | undefined;
  getHeaderNames(): string[];
  setHeader(name: string, value: number | string | readonly string[]): unknown;
  removeHeader(name: string): void;
  end(text: string | Uint8Array): unknown;
}

/** The headers of an error response, with the length of its body. */
export function errorHeaders({ headers, text }: SerializedError): Record<string, string> {
  return { ...headers, "content-length": String(new TextEncoder().encode(text).length) };
}

/**
 * Buffers a response until it is complete and validated. Its head is stored as single headers, so that another response can replace it: with those that
 * were set before, such as for CORS.
 */
export function watchResponse(response: NodeResponse, validate: ValidateResponse): void {
  const buffered = response as unknown as BufferedResponse;
  const before = buffered.getHeaderNames().map((name): Header => [name, buffered.getHeader(name) ?? ""]);
  const { end, write, writeHead } = buffered;
  const collected = new ByteCollector();
  const add = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === "string") collected.add(encodeText(chunk, encoding));
    else if (chunk instanceof Uint8Array) collected.add(chunk.slice());
  };
  buffered.writeHead = (status, ...value) => {
    buffered.statusCode = status;
    if (typeof value[0] === "string") buffered.statusMessage = value[0];
    setHeaders(buffered, headersIn(value.find((each) => typeof each === "object")));
    return buffered;
  };
  buffered.write = (chunk, encoding, done) => {
    add(chunk, encoding);
    callCallback(encoding, done);
    return true;
  };
  buffered.end = (chunk, encoding, done) => {
    if (typeof chunk !== "function") add(chunk, encoding);
    Object.assign(buffered, { end, write, writeHead });
    validateBuffered(buffered, { bytes: collected.bytes(), before, validate }).then(
      (body) => end.call(buffered, body, () => callCallback(chunk, encoding, done)),
      (error: unknown) => buffered.destroy(error as Error),
    );
    return buffered;
  };
}

interface BufferedResponse extends NodeResponse {
  statusMessage: string;
  end: (...value: unknown[]) => unknown;
  write: (...value: unknown[]) => boolean;
  writeHead: (status: number, ...value: unknown[]) => unknown;
  destroy: (error: Error) => unknown;
}

interface CompleteResponse {
  readonly bytes: Uint8Array;
  /** The headers from before the validator. */
  readonly before: readonly Header[];
  readonly validate: ValidateResponse;
}

async function validateBuffered(
  buffered: BufferedResponse,
  { bytes, before, validate }: CompleteResponse,
): Promise<Uint8Array | string> {
  const header = (name: string) => buffered.getHeader(name)?.toString();
  const replacement = await validate({
    status: buffered.statusCode,
    type: header("content-type"),
    encoding: header("content-encoding"),
    bytes,
    header,
  });
  if (replacement === undefined) return bytes;
  for (const name of buffered.getHeaderNames()) buffered.removeHeader(name);
  buffered.statusCode = replacement.status;
  buffered.statusMessage = "";
  setHeaders(buffered, before);
  setHeaders(buffered, Object.entries(errorHeaders(replacement)));
  return replacement.text;
}

type Header = readonly [name: string, value: string | number | readonly string[]];

/** Headers as a record, as pairs, or as alternating names and values. */
function headersIn(value: unknown): readonly Header[] {
  if (!Array.isArray(value)) return Object.entries((value ?? {}) as Record<string, string>);
  if (Array.isArray(value[0])) return value as Header[];
  return Array.from({ length: value.length / 2 }, (_, index) => [
    String(value[2 * index]),
    value[2 * index + 1] as string,
  ]);
}

/** A name that occurs twice in a list is sent twice. */
function setHeaders(buffered: BufferedResponse, headers: readonly Header[]): void {
  const names = new Set<string>();
  for (const [name, value] of headers) {
    const before = names.has(name.toLowerCase()) ? [buffered.getHeader(name) ?? []].flat().map(String) : [];
    buffered.setHeader(name, before.length === 0 ? value : [...before, ...[value].flat().map(String)]);
    names.add(name.toLowerCase());
  }
}

function encodeText(text: string, encoding: unknown): Uint8Array {
  if (typeof encoding !== "string" || /^utf-?8$/i.test(encoding)) return new TextEncoder().encode(text);
  // Node has a global Buffer.
  const { Buffer } = globalThis as unknown as { readonly Buffer: { from(text: string, encoding: string): Uint8Array } };
  return Buffer.from(text, encoding);
}

/** Calls the callback among the last arguments of a write. */
function callCallback(...value: readonly unknown[]): void {
  const done = value.find((each) => typeof each === "function") as (() => void) | undefined;
  done?.();
}
