import type { InputGroups } from "../../http/index.js";

/** The data against which conditions and expressions are evaluated. */
export interface EvaluationContext {
  readonly caller: unknown;
  /** Parameters by location. */
  readonly input: InputGroups;
  /** The normalized body: defaults filled in, and ignored nulls removed. */
  readonly body: unknown;
  /** The stored object that the path names. */
  readonly target: unknown;
  readonly refs: LoadedRows;
  readonly response?: unknown;
  /** The value on which a rule stands, and its location in the body. Absent for the body itself. */
  readonly self?: { readonly value: unknown; readonly at: readonly (string | number)[] };
}

/** Rows that the request references. */
export interface LoadedRows {
  /** Rows by id, for a field of the body such as `disks/*`. Undefined if the field is not a reference. */
  at(pointer: string): ReadonlyMap<unknown, unknown> | undefined;
  /** The row that a path parameter names. */
  parameter(name: string): readonly unknown[] | undefined;
}

export const noRows: LoadedRows = { at: () => undefined, parameter: () => undefined };

/** The same data with another body. */
export function withBody({ caller, input, target, refs }: EvaluationContext, body: unknown): EvaluationContext {
  return { caller, input, body, target, refs };
}

/** The same data for a rule that stands on a part of the body. */
export function withSelf(
  { caller, input, body, target, refs, response }: EvaluationContext,
  self: NonNullable<EvaluationContext["self"]>,
): EvaluationContext {
  return { caller, input, body, target, refs, response, self };
}
