import type { Groups } from "@plumbline/validator-runtime/serving";

/** What conditions and expressions are judged by. */
export interface Facts {
  readonly caller: unknown;
  /** Parameters by their place. */
  readonly input: Groups;
  /** What was sent, without nulls that count as nothing and with what is filled in. */
  readonly body: unknown;
  /** The stored object that the path names. */
  readonly target: unknown;
  readonly refs: Found;
  readonly response?: unknown;
  /** What a rule stands on, and where that is in the body; the body itself where it is absent. */
  readonly self?: { readonly value: unknown; readonly at: readonly (string | number)[] };
}

/** Rows that were loaded since the request names them. */
export interface Found {
  /** By what names them, where a field of the body does: `disks/*`. Undefined where no reference stands there. */
  at(pointer: string): ReadonlyMap<unknown, unknown> | undefined;
  /** The row that a parameter of the path names. */
  parameter(name: string): readonly unknown[] | undefined;
}

export const nothingFound: Found = { at: () => undefined, parameter: () => undefined };
