import type { BodyEncoder } from "./bodies.js";
import type { Encoders } from "./parameters.js";
import type { ReplyDecoder } from "./replies.js";

/** What generated code says of an operation: plain data, and those encoders that it needs beside the usual ones. */
export interface Operation {
  readonly method: string;
  /** `{name}` stands for one segment, `{+name}` for one or more. */
  readonly path: string;
  /** Encoders of path parameters; without one: a scalar, or an array's items with commas. */
  readonly segments?: Encoders;
  /** Encoders of query parameters; without one: `form`. */
  readonly query?: Encoders;
  /** Encoders of header parameters; without one: a scalar, or an array's items with commas. */
  readonly headers?: Encoders;
  /** Encoders of cookies; without one: `form`. */
  readonly cookies?: Encoders;
  /** How the body is written; without one: as JSON. */
  readonly body?: BodyEncoder;
  /** How the body of a 2xx reply is read; without one: as JSON. */
  readonly reply?: ReplyDecoder;
  /** Whether credentials stay at home. */
  readonly public?: boolean;
  /** Alternatives, each naming the schemes that it takes together; read by `bySecurity`. */
  readonly security?: readonly (readonly string[])[];
}

/** What a call is given, by place, under the names of the wire; generated functions type it exactly. */
export interface Arguments {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly headers?: object | undefined;
  readonly cookies?: object | undefined;
  /** Undefined: no body. Null is JSON's null. */
  readonly body?: unknown;
}
