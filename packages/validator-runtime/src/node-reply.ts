import { joined } from "./node-bytes.js";
import type { Watching } from "./web-reply.js";

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

/** Buffers a response until it is complete and validated. Its head is stored as single headers, so that another response can replace it. */
export function watchReply(response: NodeResponse, watching: Watching): void {
  const held = response as unknown as Held;
  const { end, write, writeHead } = held;
  const chunks: Uint8Array[] = [];
  const add = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === "string") chunks.push(encoded(chunk, encoding));
    else if (chunk instanceof Uint8Array) chunks.push(chunk.slice());
  };
  held.writeHead = (status, ...given) => {
    held.statusCode = status;
    if (typeof given[0] === "string") held.statusMessage = given[0];
    setHeaders(held, headersIn(given.find((each) => typeof each === "object")));
    return held;
  };
  held.write = (chunk, encoding, done) => {
    add(chunk, encoding);
    called(encoding, done);
    return true;
  };
  held.end = (chunk, encoding, done) => {
    if (typeof chunk !== "function") add(chunk, encoding);
    Object.assign(held, { end, write, writeHead });
    const bytes = joined(
      chunks,
      chunks.reduce((length, each) => length + each.length, 0),
    );
    judge(held, bytes, watching).then(
      (reply) => end.call(held, reply, () => called(chunk, encoding, done)),
      (error: unknown) => held.destroy(error as Error),
    );
    return held;
  };
}

interface Held extends NodeResponse {
  statusMessage: string;
  end: (...given: unknown[]) => unknown;
  write: (...given: unknown[]) => boolean;
  writeHead: (status: number, ...given: unknown[]) => unknown;
  destroy: (error: Error) => unknown;
}

async function judge(
  held: Held,
  bytes: Uint8Array,
  { accepted, replies, tell }: Watching,
): Promise<Uint8Array | string> {
  const type = held.getHeader("content-type");
  const reply = { status: held.statusCode, type: type === undefined ? undefined : String(type), bytes };
  const refusal = await replies.judge(accepted, reply);
  if (refusal === undefined) return bytes;
  const { status, headers, text } = tell(refusal);
  for (const name of held.getHeaderNames()) if (name.startsWith("content-") || name === "etag") held.removeHeader(name);
  held.statusCode = status;
  held.statusMessage = "";
  setHeaders(held, Object.entries(headers));
  return text;
}

type Header = readonly [name: string, value: string | number | readonly string[]];

/** Headers as a record, as pairs, or as alternating names and values. */
function headersIn(given: unknown): readonly Header[] {
  if (!Array.isArray(given)) return Object.entries((given ?? {}) as Record<string, string>);
  if (Array.isArray(given[0])) return given as Header[];
  return Array.from({ length: given.length / 2 }, (_, index) => [
    String(given[2 * index]),
    given[2 * index + 1] as string,
  ]);
}

/** A name that occurs twice in a list is sent twice. */
function setHeaders(held: Held, headers: readonly Header[]): void {
  const seen = new Set<string>();
  for (const [name, value] of headers) {
    const before = seen.has(name.toLowerCase()) ? [held.getHeader(name) ?? []].flat().map(String) : [];
    held.setHeader(name, before.length === 0 ? value : [...before, ...[value].flat().map(String)]);
    seen.add(name.toLowerCase());
  }
}

function encoded(text: string, encoding: unknown): Uint8Array {
  if (typeof encoding !== "string" || /^utf-?8$/i.test(encoding)) return new TextEncoder().encode(text);
  // Node has a global Buffer.
  const { Buffer } = globalThis as unknown as { readonly Buffer: { from(text: string, encoding: string): Uint8Array } };
  return Buffer.from(text, encoding);
}

/** Calls the callback among the last arguments of a write. */
function called(...given: readonly unknown[]): void {
  const done = given.find((each) => typeof each === "function") as (() => void) | undefined;
  done?.();
}
