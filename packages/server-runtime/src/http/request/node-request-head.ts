import type { NodeStream } from "./node-bytes.js";
import type { RequestHead } from "./request-head.js";

/** The part of Node's IncomingMessage that the adapter uses. */
export interface NodeRequest extends NodeStream {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawHeaders: readonly string[];
}

/** Passes on a request, or an error, to what comes after this middleware. */
export type Next = (error?: unknown) => void;

/** A Node request. */
export class NodeRequestHead implements RequestHead {
  readonly method: string;
  readonly target: string;
  readonly length: number | undefined;
  readonly #request: NodeRequest;

  constructor(request: NodeRequest, target: string) {
    const { headers, method = "GET" } = request;
    this.#request = request;
    this.method = method;
    this.target = target;
    this.length = headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : undefined;
  }

  header(name: string): string | undefined {
    const { headers, rawHeaders } = this.#request;
    const value = headers[name];
    // Node keeps the first of several content types. Another parser may use another one.
    if (name === "content-type" && isRepeated(rawHeaders, name)) return "";
    // Joined as in the Fetch standard: two credentials are then valid for no scheme.
    if (name === "authorization" && isRepeated(rawHeaders, name)) return `${String(value)}, `;
    return typeof value === "string" || value === undefined ? value : value.join(", ");
  }
}

function isRepeated(raw: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < raw.length; index += 2) {
    const each = raw[index];
    if (each?.length === name.length && each.toLowerCase() === name) count += 1;
  }
  return count > 1;
}
