import type { ts } from "ts-morph";
import type { ApiPart } from "./api-part.js";

/** A use of a part of an API in code. */
export type CodeUse =
  | CallUse
  | ReadUse
  | WriteUse
  | CompareUse
  | ConstructUse
  | TypeUse
  | MentionUse
  | StatusUse
  | ResultUse;

interface UseBase {
  readonly part: ApiPart;
  readonly node: ts.Node;
}

/** The function of an operation is called, or passed on. */
export interface CallUse extends UseBase {
  readonly kind: "call";
  /** Absent where the function is passed on: the argument is not known then. */
  readonly call?: OperationCall;
}

export interface OperationCall {
  /** The request of a call of the client; the init of one of openapi-fetch. Undefined: there is none. */
  readonly request: ts.Expression | undefined;
  readonly form: "client" | "paths";
  /** Whether the request is passed later, as mutations do. */
  readonly isDeferred: boolean;
  /** Whether it sends the request of a mutation, whose operation is named elsewhere. */
  readonly isArgument?: true;
}

/** A property is read. */
export interface ReadUse extends UseBase {
  readonly kind: "read";
  /** Whether the code expects that the value is absent or null. */
  readonly isGuarded: boolean;
  /** Whether the code has another value for one that is absent, but not for null. */
  readonly hasDefault: boolean;
  /** Whether a type reads it, such as `Pet["name"]`. */
  readonly isType: boolean;
}

/** A property is written. */
export interface WriteUse extends UseBase {
  readonly kind: "write";
  readonly value: ts.Expression | undefined;
}

/** A property is compared with a text, or may be it: in a `case`, or as the name of an entry for each value. */
export interface CompareUse extends UseBase {
  readonly kind: "compare";
  readonly value: string;
  /** Whether other values have places of their own. */
  readonly isOneOfMany: boolean;
}

/** An object is written. */
export interface ConstructUse extends UseBase {
  readonly kind: "construct";
  readonly names: ReadonlySet<string>;
  /** The names that it may have, from objects that are spread into it. */
  readonly maybe: ReadonlySet<string>;
  /** Whether it may have any other name. */
  readonly isOpen: boolean;
}

/** A type is named. */
export interface TypeUse extends UseBase {
  readonly kind: "type";
  /** The name in the code. */
  readonly name: string;
}

/** An operation or a type is imported, exported, or an operation is named in a type. */
export interface MentionUse extends UseBase {
  readonly kind: "mention";
  /** The name in the code, or the path of an operation. */
  readonly name: string;
  readonly isPath: boolean;
}

/** The status of the response of an operation is compared. */
export interface StatusUse extends UseBase {
  readonly kind: "status";
  readonly status: string;
}

/** The result of an operation is read: one of its properties, or its items. */
export interface ResultUse extends UseBase {
  readonly kind: "result";
}
