import type { Operation, ResourceReference, Schema, SchemaField } from "@plumbline/kit/model";
import { requirementIds, type ConformanceContext } from "../../context/context.js";
import { findErrorOf, pathReferences } from "../../requests/object-chains.js";

/** A body field that references an object. */
export interface ReferenceField {
  readonly operation: Operation;
  readonly body: Schema;
  readonly field: SchemaField;
  readonly reference: ResourceReference;
  /** The requirements of the field. */
  readonly requirements: readonly string[];
  /** The parameter that names the required parent. */
  readonly parent: string | undefined;
}

/** The reference of a body field, if it has one. */
export function referenceFields(
  context: ConformanceContext,
  operation: Operation,
  { schema, field }: { readonly schema: Schema; readonly field: SchemaField },
): readonly ReferenceField[] {
  const { reference } = field.schema;
  if (reference === undefined || !context.resources.has(reference.to) || field.property?.readOnly === true) return [];
  if (field.pointer.length === 0 || field.pointer.length > 6) return [];
  const error = findErrorOf(context, operation, reference.onNotFound);
  const stated = [...requirementIds(field.schema.sources), ...requirementIds(field.property?.schema.sources)];
  const around = fieldAncestors(context, schema, field.pointer);
  const requirements = stated.length > 0 ? stated : around;
  return [
    {
      operation,
      body: schema,
      field,
      reference,
      requirements: [...requirements, ...requirementIds(error?.sources)],
      parent: pathReferences(operation).find(({ name }) => name === reference.of?.name)?.reference.to,
    },
  ];
}

/** The requirements of the enclosing list. */
function fieldAncestors(context: ConformanceContext, schema: Schema, pointer: readonly string[]): readonly string[] {
  let at: readonly Schema[] = [schema];
  let requirements: readonly string[] = [];
  for (const token of pointer) {
    at = at.flatMap((each) => childrenAt(context, each, token));
    const ids = at.flatMap(({ sources }) => requirementIds(sources));
    if (ids.length > 0) requirements = ids;
  }
  return requirements;
}

function childrenAt({ schemas }: ConformanceContext, schema: Schema, token: string): readonly Schema[] {
  const whole = [schema, ...(schema.allOf ?? []), ...(schema.oneOf ?? [])].flatMap((each) => {
    const target = each.ref === undefined ? undefined : schemas.get(each.ref);
    return target === undefined ? [each] : [each, target];
  });
  return whole.flatMap(({ properties = [], items }) =>
    token === "*" && items !== undefined
      ? [items]
      : properties.filter(({ name }, index) => name === token || (token === "*" && index === 0)).map((p) => p.schema),
  );
}
