import type { Answer, Asked } from "./proxy.js";

/** One mistake of a server, on a named operation. It is made by edits of what the service runs, or on the wire in front of it. */
export type Fault = EditedFault | WiredFault;

export interface FaultFacts {
  /** What, where, and what of it: `above-maximum/createInstance/label`. */
  readonly id: string;
  /** The number of its class, from `classes.ts`. */
  readonly class: number;
  readonly operation: string;
  /** The requirements that the faulty server breaks. Where an assumption alone states it, those of the object or the operation around it. */
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

/** A change of a file that the service runs. */
export interface Edit {
  /** From the top of the repository. */
  readonly file: string;
  /** Text that the file has once: what is looked for is in the declaration, or the property, that begins on its line. Absent: anywhere. */
  readonly within?: string;
  /** Text that occurs there exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** Authorization headers that were admitted: the last one of all, and the last one of each path. */
export interface Seen {
  readonly last: string | undefined;
  readonly of: ReadonlyMap<string, string>;
}

/** What happens to requests and answers of the operation on their way. */
export interface Wire {
  /** Also for requests with the path of the operation and another method. */
  readonly anyMethod?: true;
  /** The request that the service gets, or an answer in its place. */
  readonly onRequest?: (asked: Asked, seen: Seen) => Asked | Answer;
  readonly onAnswer?: (
    answer: Answer,
    asked: Asked,
    ask: (asked: Asked) => Promise<Answer>,
  ) => Answer | Promise<Answer>;
}
