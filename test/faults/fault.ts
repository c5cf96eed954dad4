import type { ProxyResponse, ProxyRequest } from "./proxy.js";

/** One fault of a server, on one operation. It is injected by source edits, or by a proxy in front of the service. */
export type Fault = EditedFault | WiredFault;

export interface FaultInfo {
  /** Kind, operation and detail: `above-maximum/createInstance/label`. */
  readonly id: string;
  /** The number of its class, from `classes.ts`. */
  readonly class: number;
  readonly operation: string;
  /** The requirements that the fault breaks. For a rule that only an assumption states: those of the object or operation. */
  readonly requirements: readonly string[];
  /** What the faulty server does. */
  readonly description: string;
}

export interface EditedFault extends FaultInfo {
  readonly edits: readonly SourceEdit[];
}

export interface WiredFault extends FaultInfo {
  readonly wire: WireChange;
}

/** An edit of a file of the service. */
export interface SourceEdit {
  /** Path from the repository's root. */
  readonly file: string;
  /** A text that occurs once: the edit applies in the declaration or property that begins on its line. Absent: in the whole file. */
  readonly within?: string;
  /** Text that occurs there exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** Accepted Authorization headers: the last one of all, and the last one of each path. */
export interface SeenAuthorization {
  readonly last: string | undefined;
  readonly of: ReadonlyMap<string, string>;
}

/** Changes of the operation's requests and responses in the proxy. */
export interface WireChange {
  /** Also applies to requests of the operation's path with another method. */
  readonly anyMethod?: true;
  /** Returns the request for the service, or a response in its place. */
  readonly onRequest?: (asked: ProxyRequest, seen: SeenAuthorization) => ProxyRequest | ProxyResponse;
  readonly onResponse?: (
    answer: ProxyResponse,
    asked: ProxyRequest,
    ask: (asked: ProxyRequest) => Promise<ProxyResponse>,
  ) => ProxyResponse | Promise<ProxyResponse>;
}
