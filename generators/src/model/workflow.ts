import type { Origin } from "../problem.js";
import type { Json } from "./api.js";
import type { Filter } from "./json-path.js";
import type { Reference } from "./runtime-expressions.js";

/** A story of requests in order, with what has to come of each: a workflow of an Arazzo description. */
export interface Workflow {
  readonly id: string;
  readonly summary: string;
  /** The operation that the story is about. */
  readonly operation: string;
  readonly requirements: readonly string[];
  readonly inputs: readonly Input[];
  readonly steps: readonly WorkflowStep[];
  /** Nobody else may be at work meanwhile. */
  readonly alone: boolean;
  readonly origin: Origin;
}

/** What a story is given: who calls, something new, or a time. */
export type Input = { readonly name: string } & (
  | { readonly caller: "main" | "user" | "stranger" }
  | { readonly unique: string }
  | { readonly time: string }
);

export interface WorkflowStep {
  readonly id: string;
  readonly operation: string;
  /** It is one of the server's test controls. */
  readonly isControl: boolean;
  /** Whose token is sent; absent where the step says nothing. */
  readonly caller?: Reference;
  readonly path: Readonly<Record<string, Value>>;
  readonly query: Readonly<Record<string, Value>>;
  readonly headers: Readonly<Record<string, Value>>;
  readonly body?: Value;
  readonly status: number;
  readonly criteria: readonly Criterion[];
  readonly outputs: Readonly<Record<string, Reference>>;
  /** Asked again until it is as it should be. */
  readonly waits: boolean;
  readonly requirements: readonly string[];
}

/** JSON in which texts may have references in them; a text that is one reference stands for the value itself. */
export type Value =
  | { readonly literal: Json }
  | { readonly text: readonly (string | Reference)[] }
  | { readonly items: readonly Value[] }
  | { readonly fields: Readonly<Record<string, Value>> };

/** What has to be so of the answer's body; pointers lead into it. */
export type Criterion =
  | { readonly pointer: readonly string[]; readonly operator: Operator; readonly value: Value }
  | { readonly pointer: readonly string[]; readonly pattern: string }
  | { readonly pointer: readonly string[]; readonly filter: Filter };

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";
