import type { JsonSchema } from "../schemas.js";

/** A schema that libraries accept: Standard Schema and Standard JSON Schema, both of version 1. */
export interface StandardSchema<Value> {
  readonly "~standard": StandardProps<Value>;
}

export interface StandardProps<Value> {
  readonly version: 1;
  readonly vendor: "plumbline";
  /** Validates and normalizes a value. Never asynchronous. */
  readonly validate: (value: unknown) => StandardResult<Value>;
  readonly jsonSchema: StandardJsonSchema;
  readonly types?: { readonly input: Value; readonly output: Value };
}

export type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** Returns a schema for a target: `draft-2020-12` or `draft-07`. Throws for others, and for keywords that a target lacks. */
export interface StandardJsonSchema {
  readonly input: (options: { readonly target: string }) => Record<string, unknown>;
  readonly output: (options: { readonly target: string }) => Record<string, unknown>;
}

/** The value of a Standard Schema. */
export type StandardValue<Schema extends StandardSchema<unknown>> = NonNullable<Schema["~standard"]["types"]>["output"];

/** A function that describes a value as JSON Schema 2020-12. */
export type Describe = () => JsonSchema;
