import type { Origin } from "../problem.js";
import type { Json } from "./api.js";
import type { Filter } from "./json-path.js";
import type { Reference } from "./runtime-expressions.js";

/** A workflow of an Arazzo description: a sequence of requests, each with its expected response. */
export interface Workflow {
  readonly id: string;
  readonly summary: string;
  /** The operation that the workflow is about. */
  readonly operation: string;
  readonly requirements: readonly string[];
  readonly inputs: readonly Input[];
  readonly steps: readonly WorkflowStep[];
  /** True if no other requests may run at the same time. */
  readonly alone: boolean;
  readonly origin: Origin;
}

/** An input of a workflow: the token of a caller, a unique value, or a time. */
export type Input = { readonly name: string } & (
  | { readonly caller: "main" | "user" | "stranger" }
  | { readonly unique: string }
  | { readonly time: string }
);

export interface WorkflowStep {
  readonly id: string;
  readonly operation: string;
  /** True for a test control of the server. */
  readonly isControl: boolean;
  /** The token that is sent. Absent if the step has none. */
  readonly caller?: Reference;
  readonly path: Readonly<Record<string, Value>>;
  readonly query: Readonly<Record<string, Value>>;
  readonly headers: Readonly<Record<string, Value>>;
  readonly body?: Value;
  readonly status: number;
  readonly criteria: readonly Criterion[];
  readonly outputs: Readonly<Record<string, Reference>>;
  /** True if the step is repeated until its criteria hold. */
  readonly waits: boolean;
  readonly requirements: readonly string[];
}

/** JSON with references in strings. A string that is a single reference stands for the value itself. */
export type Value =
  | { readonly literal: Json }
  | { readonly text: readonly (string | Reference)[] }
  | { readonly items: readonly Value[] }
  | { readonly fields: Readonly<Record<string, Value>> };

/** A condition on the response body. `pointer` leads to the value. */
export type Criterion =
  | { readonly pointer: readonly string[]; readonly operator: Operator; readonly value: Value }
  | { readonly pointer: readonly string[]; readonly pattern: string }
  | { readonly pointer: readonly string[]; readonly filter: Filter };

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";
