import type { ts } from "ts-morph";
import type { ApiPart } from "./api-part.js";

/** A use of a part of an API in code. */
export type CodeUse = CallUse | ReadUse | WriteUse | CompareUse | ConstructUse | TypeUse | ImportUse;

interface UseBase {
  readonly part: ApiPart;
  readonly node: ts.Node;
}

/** The function of an operation is called, or passed on. */
export interface CallUse extends UseBase {
  readonly kind: "call";
  /** Absent where the function is passed on: the argument is not known then. */
  readonly call?: {
    /** The request of a call of the client; the init of one of openapi-fetch. Undefined: there is none. */
    readonly request: ts.Expression | undefined;
    readonly form: "client" | "paths";
  };
}

/** A property is read. */
export interface ReadUse extends UseBase {
  readonly kind: "read";
  /** Whether the code expects that the value is absent or null. */
  readonly isGuarded: boolean;
}

/** A property is written. */
export interface WriteUse extends UseBase {
  readonly kind: "write";
  readonly value: ts.Expression | undefined;
}

/** A property is compared with a text. */
export interface CompareUse extends UseBase {
  readonly kind: "compare";
  readonly value: string;
}

/** An object is written. */
export interface ConstructUse extends UseBase {
  readonly kind: "construct";
  readonly names: ReadonlySet<string>;
  /** Whether it also has the properties of another object. */
  readonly isOpen: boolean;
}

/** A type is named. */
export interface TypeUse extends UseBase {
  readonly kind: "type";
}

/** An operation or a type is imported. */
export interface ImportUse extends UseBase {
  readonly kind: "import";
}
