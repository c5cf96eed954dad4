import type { Json } from "../api.js";
import type { SourceRef } from "../diagnostic.js";
import type { FilterExpression } from "./json-path.js";
import type { RuntimeExpression } from "./runtime-expressions.js";

/** A workflow of an Arazzo description: a sequence of requests, each with its expected response. */
export interface Workflow {
  readonly id: string;
  readonly summary: string;
  /** The operation that the workflow is about. */
  readonly operation: string;
  readonly requirements: readonly string[];
  readonly inputs: readonly WorkflowInput[];
  readonly steps: readonly WorkflowStep[];
  /** True if no other requests may run at the same time. */
  readonly exclusive: boolean;
  readonly origin: SourceRef;
}

/** An input of a workflow: the token of a caller, a unique value, or a time. */
export type WorkflowInput = { readonly name: string } & (
  | { readonly caller: "main" | "user" | "other-account" }
  | { readonly unique: string }
  | { readonly time: string }
);

export interface WorkflowStep {
  readonly id: string;
  readonly operation: string;
  /** True for a test control of the server. */
  readonly isControl: boolean;
  /** The token that is sent. Absent if the step has none. */
  readonly caller?: RuntimeExpression;
  readonly path: Readonly<Record<string, WorkflowValue>>;
  readonly query: Readonly<Record<string, WorkflowValue>>;
  readonly headers: Readonly<Record<string, WorkflowValue>>;
  readonly body?: WorkflowValue;
  readonly status: number;
  readonly criteria: readonly WorkflowCriterion[];
  readonly outputs: Readonly<Record<string, RuntimeExpression>>;
  /** True if the step is repeated until its criteria hold. */
  readonly retriesUntilMet: boolean;
  readonly requirements: readonly string[];
}

/** JSON with references in strings. A string that is a single reference stands for the value itself. */
export type WorkflowValue =
  | { readonly literal: Json }
  | { readonly text: readonly (string | RuntimeExpression)[] }
  | { readonly items: readonly WorkflowValue[] }
  | { readonly fields: Readonly<Record<string, WorkflowValue>> };

/** A condition on the response body. `pointer` leads to the value. */
export type WorkflowCriterion =
  | { readonly pointer: readonly string[]; readonly operator: CriterionOperator; readonly value: WorkflowValue }
  | { readonly pointer: readonly string[]; readonly pattern: string }
  | { readonly pointer: readonly string[]; readonly filter: FilterExpression };

export type CriterionOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";
