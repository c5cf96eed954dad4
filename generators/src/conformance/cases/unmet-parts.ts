import type { Template } from "@plumbline/conformance-runtime";
import { collectFields, type ErrorDefinition, type Operation, type Schema } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { bodySchema } from "../requests/object-in-state.js";
import { valueAt, withValue } from "../values/body-mutations.js";

/** A body that meets a condition but for one flag. */
export interface UnmetPart {
  /** The flag and its value: `enabled-false`. */
  readonly name: string;
  readonly body: Template;
}

/** The bodies for which an error's condition is false in one flag alone, from a body that meets it. */
export function unmetParts(
  { api }: ConformanceContext,
  {
    operation,
    error,
    body,
  }: { readonly operation: Operation; readonly error: ErrorDefinition; readonly body: Template },
): readonly UnmetPart[] {
  const schema = bodySchema(operation);
  const { sent, body: whole } = error.when ?? {};
  const condition = sent ?? whole;
  if (schema === undefined || condition === undefined) return [];
  const holder = sent && collectFields(api, schema).find((each) => hasError(each.schema, error));
  const isUpdate = operation.method === "PUT" || operation.method === "PATCH";
  return flagsOf(condition).flatMap(({ pointer, value }) => {
    const place = [...(holder?.pointer ?? []), ...pointer];
    // The stored object has the flag of an update that does not send it.
    if (valueAt(body, place) !== value && !isUpdate) return [];
    return [{ name: `${place.at(-1) ?? ""}-${!value}`, body: withValue(body, place, !value) }];
  });
}

function hasError({ errors = [] }: Schema, { id }: ErrorDefinition): boolean {
  return errors.some((each) => each.id === id);
}

interface Flag {
  readonly pointer: readonly string[];
  readonly value: boolean;
}

/** The flags that a condition names, with the values that it needs. */
function flagsOf({ properties = [] }: Schema): readonly Flag[] {
  return properties.flatMap(({ name, schema }) =>
    typeof schema.const === "boolean"
      ? [{ pointer: [name], value: schema.const }]
      : flagsOf(schema).map(({ pointer, value }) => ({ pointer: [name, ...pointer], value })),
  );
}
