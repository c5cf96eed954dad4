import type { Fetch, OutgoingRequest } from "./client.js";
import type { ReplyDecoder } from "./replies.js";

/** An operation as generated code describes it: plain data, and the functions that it needs. A bundle drops the functions that no operation uses. */
export interface Operation {
  readonly method: string;
  /** `{name}` stands for a parameter. */
  readonly path: string;
  /** Encodes path parameters. Default: one scalar each. */
  readonly segment?: (name: string, value: unknown) => string;
  /** Encodes the other arguments, in this order: `query`, `headers`, `cookies`, the body. */
  readonly write?: readonly Writer[];
  /** Decodes the body of a 2xx response. Default: JSON. */
  readonly reply?: ReplyDecoder;
  /** True if credentials are not sent. */
  readonly public?: boolean;
  /** The security requirements, each with the schemes that it needs together. `bySecurity` uses them. */
  readonly security?: readonly (readonly string[])[];
}

/** Encodes some arguments into a request that has its URL and the headers of the options. `send` will send it. */
export type Writer = (request: OutgoingRequest, given: Arguments, send: Fetch) => void;

/** The arguments of a call by location, with the names of the description. Generated functions type them exactly. */
export interface Arguments {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly headers?: object | undefined;
  readonly cookies?: object | undefined;
  /** Undefined: no body. Null: the JSON value null. */
  readonly body?: unknown;
}
