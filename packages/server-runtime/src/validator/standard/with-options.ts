import { ensureKnown } from "../../http/index.js";
import type { StandardOptions, StandardProps, StandardSchema } from "./standard-schema.js";

/**
 * Returns a Standard Schema, with its parts, that validates with options.
 *
 * @throws TypeError for an unknown option or value. Validation by a named schema throws one for `unknown`
 *
 * @example
 * const body = withOptions(createPetInput.body, { unknown: "reject" });
 */
export function withOptions<Schema extends StandardSchema<unknown>>(schema: Schema, options: StandardOptions): Schema {
  ensureKnown(options, { unknown: ["ignore", "strip", "reject"], reason: "any" });
  const withOwn =
    (validate: Validate): Validate =>
    (value, { libraryOptions } = {}) =>
      validate(value, { libraryOptions: { ...libraryOptions, ...options } });
  return replaceValidation(schema, withOwn) as Schema;
}

type Validate = StandardProps<unknown>["validate"];

/** Returns a Standard Schema, and the parts that the schema of an input has beside it, with another validation. */
export function replaceValidation(
  schema: StandardSchema<unknown>,
  replace: (validate: Validate) => Validate,
): StandardSchema<unknown> {
  const { "~standard": props, ...parts } = schema;
  const replaced = Object.entries<StandardSchema<unknown>>(parts).map(([name, part]) => [
    name,
    replaceValidation(part, replace),
  ]);
  return { ...Object.fromEntries(replaced), "~standard": { ...props, validate: replace(props.validate) } };
}
