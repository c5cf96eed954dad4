import type { Answer, Asked } from "./proxy.js";

/** One fault of a server, on one operation. It is injected by source edits, or by a proxy in front of the service. */
export type Fault = EditedFault | WiredFault;

export interface FaultFacts {
  /** Kind, operation and detail: `above-maximum/createInstance/label`. */
  readonly id: string;
  /** The number of its class, from `classes.ts`. */
  readonly class: number;
  readonly operation: string;
  /** The requirements that the fault breaks. For a rule that only an assumption states: those of the object or operation. */
  readonly requirements: readonly string[];
  /** What the faulty server does. */
  readonly says: string;
}

export interface EditedFault extends FaultFacts {
  readonly edits: readonly Edit[];
}

export interface WiredFault extends FaultFacts {
  readonly wire: Wire;
}

/** An edit of a file of the service. */
export interface Edit {
  /** Path from the repository's root. */
  readonly file: string;
  /** A text that occurs once: the edit applies in the declaration or property that begins on its line. Absent: in the whole file. */
  readonly within?: string;
  /** Text that occurs there exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** Accepted Authorization headers: the last one of all, and the last one of each path. */
export interface Seen {
  readonly last: string | undefined;
  readonly of: ReadonlyMap<string, string>;
}

/** Changes of the operation's requests and responses in the proxy. */
export interface Wire {
  /** Also applies to requests of the operation's path with another method. */
  readonly anyMethod?: true;
  /** Returns the request for the service, or a response in its place. */
  readonly onRequest?: (asked: Asked, seen: Seen) => Asked | Answer;
  readonly onAnswer?: (
    answer: Answer,
    asked: Asked,
    ask: (asked: Asked) => Promise<Answer>,
  ) => Answer | Promise<Answer>;
}
