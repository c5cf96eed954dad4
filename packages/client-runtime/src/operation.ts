import type { Fetch, OutgoingRequest } from "./client.js";
import type { ReplyDecoder } from "./replies.js";

/**
 * What generated code says of an operation: plain data, and the functions that it needs. What no operation names is in
 * no bundle.
 */
export interface Operation {
  readonly method: string;
  /** `{name}` stands for a parameter. */
  readonly path: string;
  /** Writes path parameters; without it: a scalar each. */
  readonly segment?: (name: string, value: unknown) => string;
  /** What writes the rest of the arguments, in this order: `query`, `headers`, `cookies`, a body encoder. */
  readonly write?: readonly Writer[];
  /** How the body of a 2xx reply is read; without one: as JSON. */
  readonly reply?: ReplyDecoder;
  /** Whether credentials stay at home. */
  readonly public?: boolean;
  /** Alternatives, each naming the schemes that it takes together; read by `bySecurity`. */
  readonly security?: readonly (readonly string[])[];
}

/** Puts some of the arguments into a request that has its URL and the headers of the options, and will be sent by `send`. */
export type Writer = (request: OutgoingRequest, given: Arguments, send: Fetch) => void;

/** What a call is given, by place, under the names of the wire; generated functions type it exactly. */
export interface Arguments {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly headers?: object | undefined;
  readonly cookies?: object | undefined;
  /** Undefined: no body. Null is JSON's null. */
  readonly body?: unknown;
}
