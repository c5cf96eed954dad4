import type { Api, ErrorDefinition, Operation, Schema } from "./api.js";
import { findJsonContent } from "./media.js";
import { collectFields, schemaParts, type SchemaField } from "./schemas/schema-fields.js";

/** An error that a schema of a request states. */
export interface SchemaError {
  readonly error: ErrorDefinition;
  /** The place of the schema in the body. */
  readonly pointer: readonly string[];
  /** For conditions on the changed object: the fields of which the change has to include at least one. */
  readonly merged?: readonly string[];
}

/** Returns the errors of the schemas in the body, and of the schema of the changed object. */
export function schemaErrors(api: Api, { requestBody }: Operation): readonly SchemaError[] {
  const content = requestBody === undefined ? undefined : findJsonContent(requestBody.contents);
  const merged = requestBody?.input.merged;
  const rules = (fields: readonly SchemaField[]): readonly SchemaError[] =>
    fields.flatMap(({ pointer, schema }) => (schema.errors ?? []).map((error) => ({ error, pointer })));
  const sent = content === undefined ? [] : rules(collectFields(api, content.schema));
  if (merged === undefined) return sent;
  const whole: Schema = { ref: merged, types: [], origin: api.origin };
  const properties = schemaParts(api, whole).flatMap((part) => part.properties ?? []);
  const names = [...new Set(properties.map((property) => property.name))];
  return [
    ...sent,
    ...rules(collectFields(api, whole)).map((rule) => ({
      ...rule,
      merged: rule.pointer.length === 0 ? names : rule.pointer.slice(0, 1),
    })),
  ];
}

/** Returns the errors of an operation: its own, and those of the schemas in its body. The first of each id counts. */
export function operationErrors(api: Api, operation: Operation): readonly ErrorDefinition[] {
  return firstErrors([...operation.errors, ...schemaErrors(api, operation).map(({ error }) => error)]);
}

/** Returns the first error of each id. */
export function firstErrors(errors: readonly ErrorDefinition[]): readonly ErrorDefinition[] {
  return [...new Map(errors.toReversed().map((error) => [error.id, error] as const)).values()].toReversed();
}
