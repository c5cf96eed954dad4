import type { JsonSchema } from "../schemas.js";

/** A schema that libraries accept: Standard Schema and Standard JSON Schema, both of version 1. */
export interface StandardSchema<Sent, Value = Sent> {
  readonly "~standard": StandardProps<Sent, Value>;
}

/** What libraries read of a schema. `Sent` is the type of a value before its defaults, `Value` that of a valid one. */
export interface StandardProps<Sent, Value = Sent> {
  readonly version: 1;
  readonly vendor: "plumbline";
  /** Validates and normalizes a value. Never asynchronous. */
  readonly validate: (value: unknown) => StandardResult<Value>;
  readonly jsonSchema: StandardJsonSchema;
  readonly types?: { readonly input: Sent; readonly output: Value };
}

export type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/**
 * Returns a schema for a target: `draft-2020-12`, `draft-07` or `openapi-3.0`. Throws for others. Its root has no `$ref`.
 * Where a target lacks a keyword, the schema accepts more than the validation, and never less.
 */
export interface StandardJsonSchema {
  readonly input: (options: { readonly target: string }) => Record<string, unknown>;
  readonly output: (options: { readonly target: string }) => Record<string, unknown>;
}

/** The value of a Standard Schema, with its defaults. */
export type StandardValue<Schema extends StandardSchema<unknown>> = NonNullable<Schema["~standard"]["types"]>["output"];

/** A function that describes a value as JSON Schema 2020-12. */
export type Describe = () => JsonSchema;
