import type { ReasonFormatter, UnknownFieldPolicy } from "../../http/index.js";
import type { JsonSchema } from "../schemas.js";

/** A schema that libraries accept: Standard Schema and Standard JSON Schema, both of version 1. */
export interface StandardSchema<Sent, Value = Sent> {
  readonly "~standard": StandardProps<Sent, Value>;
}

/** What libraries read of a schema. `Sent` is the type of a value before its defaults, `Value` that of a valid one. */
export interface StandardProps<Sent, Value = Sent> {
  readonly version: 1;
  readonly vendor: "plumbline";
  /** Validates and normalizes a value. Never asynchronous. Its `libraryOptions` are `StandardOptions`. */
  readonly validate: (
    value: unknown,
    options?: { readonly libraryOptions?: Readonly<Record<string, unknown>> | undefined },
  ) => StandardResult<Value>;
  readonly jsonSchema: StandardJsonSchema;
  readonly types?: { readonly input: Sent; readonly output: Value };
}

/** How a Standard Schema validates. The names are those of a validator's options. */
export interface StandardOptions {
  /**
   * What to do with undocumented properties of a body: `"ignore"` passes them on, `"strip"` removes them, `"reject"` adds an issue.
   * For inputs of operations and their parts: named schemas accept undocumented properties.
   *
   * @defaultValue "ignore"
   */
  readonly unknown?: UnknownFieldPolicy;
  /** Returns the message of an issue. Undefined keeps the default message. */
  readonly reason?: ReasonFormatter;
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

/** A function that describes a value as JSON Schema 2020-12, before or after validation. */
export type Describe = (side: keyof StandardJsonSchema) => JsonSchema;
