import type { Operation, Reference, Shape } from "../model/api.js";
import type { Field } from "../model/fields.js";
import { requirementsOf, type Context } from "./context.js";
import { failureOf, namingOf } from "./resource-paths.js";

/** A body field that references an object. */
export interface Naming {
  readonly operation: Operation;
  readonly body: Shape;
  readonly field: Field;
  readonly reference: Reference;
  /** The requirements of the field. */
  readonly requirements: readonly string[];
  /** The parameter that names the required parent. */
  readonly parent: string | undefined;
}

/** The reference of a body field, if it has one. */
export function namedBy(
  context: Context,
  operation: Operation,
  { shape, field }: { readonly shape: Shape; readonly field: Field },
): readonly Naming[] {
  const { reference } = field.shape;
  if (reference === undefined || !context.resources.has(reference.to) || field.property?.readOnly === true) return [];
  if (field.pointer.length === 0 || field.pointer.length > 6) return [];
  const failure = failureOf(context, operation, reference.missing);
  const own = [...requirementsOf(field.shape.sources), ...requirementsOf(field.property?.shape.sources)];
  const around = fieldsAround(context, shape, field.pointer);
  const requirements = own.length > 0 ? own : around;
  return [
    {
      operation,
      body: shape,
      field,
      reference,
      requirements: [...requirements, ...requirementsOf(failure?.sources)],
      parent: namingOf(operation).find(({ name }) => name === reference.of?.name)?.reference.to,
    },
  ];
}

/** The requirements of the enclosing list. */
function fieldsAround(context: Context, shape: Shape, pointer: readonly string[]): readonly string[] {
  let at: readonly Shape[] = [shape];
  let found: readonly string[] = [];
  for (const token of pointer) {
    at = at.flatMap((each) => childrenAt(context, each, token));
    const ids = at.flatMap(({ sources }) => requirementsOf(sources));
    if (ids.length > 0) found = ids;
  }
  return found;
}

function childrenAt({ shapes }: Context, shape: Shape, token: string): readonly Shape[] {
  const whole = [shape, ...(shape.allOf ?? []), ...(shape.oneOf ?? [])].flatMap((each) => {
    const named = each.ref === undefined ? undefined : shapes.get(each.ref);
    return named === undefined ? [each] : [each, named];
  });
  return whole.flatMap(({ properties = [], items }) =>
    token === "*" && items !== undefined
      ? [items]
      : properties.filter(({ name }, index) => name === token || (token === "*" && index === 0)).map((p) => p.shape),
  );
}
