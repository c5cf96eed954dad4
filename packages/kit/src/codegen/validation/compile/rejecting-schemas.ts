import { type Api, type Schema, type SchemasByName, memoize, schemasByName } from "../../../model/index.js";
import { declaredProperties } from "./declared-properties.js";
import { allowedValues } from "./values.js";

/** Whether the check of a schema can reject unknown fields: those of fields and items, in itself or in what it refers to. */
export function canReject(api: Api, schema: Schema): boolean {
  const { refs, isRejecting } = visitChecked(schema, schemasByName(api));
  return isRejecting || [...refs].some((ref) => rejectingSchemas(api).has(ref));
}

const rejectingSchemas = memoize((api): ReadonlySet<string> => {
  const users = new Map<string, string[]>();
  const rejecting = new Set<string>();
  for (const { name, schema } of api.schemas) {
    const { refs, isRejecting } = visitChecked(schema, schemasByName(api));
    if (isRejecting) rejecting.add(name);
    for (const ref of refs) users.set(ref, [...(users.get(ref) ?? []), name]);
  }
  const queue = [...rejecting];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const user of users.get(name) ?? []) {
      if (rejecting.has(user)) continue;
      rejecting.add(user);
      queue.push(user);
    }
  }
  return rejecting;
});

interface CheckedParts {
  /** The schemas whose checks are called. */
  readonly refs: Set<string>;
  /** Whether a field or an item may not have other fields. */
  isRejecting: boolean;
}

/** Visits the schemas that the check of a schema applies with its argument `reject`. `not` and conditions are called without. */
function visitChecked(
  schema: Schema,
  schemas: SchemasByName,
  parts: CheckedParts = { refs: new Set(), isRejecting: false },
): CheckedParts {
  if (schema.never) return parts;
  const { ref, allOf = [], anyOf = [], oneOf = [], dependentSchemas = {} } = schema;
  if (ref !== undefined) parts.refs.add(ref);
  const branches = schema.if === undefined ? [] : [schema.then, schema.else].filter((each) => each !== undefined);
  const applied = [...allOf, ...anyOf, ...oneOf, ...branches, ...Object.values(dependentSchemas)];
  for (const each of applied) visitChecked(each, schemas, parts);
  for (const each of childSchemas(schema)) {
    visitChecked(each, schemas, parts);
    parts.isRejecting ||= declaredProperties(schemas, each) !== undefined;
  }
  return parts;
}

/** The schemas of fields and items. */
function childSchemas(schema: Schema): readonly Schema[] {
  const { types, properties = [], patternProperties = {}, additionalProperties, unevaluatedProperties } = schema;
  const allows = (type: "object" | "array"): boolean =>
    types.length === 0 || types.includes(type) || allowedValues(schema) !== undefined;
  const fields = [
    ...properties.map((property) => property.schema),
    ...Object.values(patternProperties),
    additionalProperties ?? unevaluatedProperties,
  ];
  const items = [...(schema.prefixItems ?? []), schema.items ?? schema.unevaluatedItems];
  return [...(allows("object") ? fields : []), ...(allows("array") ? items : [])].filter((each) => each !== undefined);
}
