import type { JsonType, Schema } from "@plumbline/kit/model";
import { isUnconstrained, type FlattenedPosition } from "./positions.js";
import type { TaggedUnion } from "./unions.js";

/** The kinds of values that a position allows. */
export interface PositionKinds {
  /** True for unconstrained values, which are passed through. */
  readonly isOpen: boolean;
  readonly isObject: boolean;
  readonly isList: boolean;
  /** True for an object without declared fields, such as preferences. It is passed through. */
  readonly isAnyObject: boolean;
  readonly isAnyList: boolean;
}

export function positionKinds(described: FlattenedPosition): PositionKinds {
  const { parts, union, isFree } = described;
  const types = new Set(parts.flatMap(typesOf));
  const isUnknown = types.size === 0 && union === undefined;
  const isObject = isUnknown || union !== undefined || types.has("object");
  const isList = isUnknown || types.has("array");
  const { places, rest } = positionItems(described);
  const isAnyList = isList && places.length === 0 && rest.every((schema) => isUnconstrained(schema));
  const { matching, rest: others } = additionalFields(described);
  const isAnyObject =
    isObject &&
    union === undefined &&
    // Without its `writeOnly` properties, an object may have none left; it is not free-form.
    !parts.some((part) => part.maxProperties === 0 || part.properties !== undefined) &&
    matching.length === 0 &&
    others.every((schema) => isUnconstrained(schema));
  const isOpen = isFree || (isAnyObject && (isAnyList || !isList)) || (isAnyList && !isObject);
  return { isOpen, isObject, isList, isAnyObject, isAnyList };
}

/** Returns the types that a schema allows, explicitly or by its keywords. */
function typesOf(schema: Schema): readonly JsonType[] {
  if (schema.types.length > 0) return schema.types;
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined) return values.map(typeOfValue);
  return [
    ...(objectKeys.some((key) => schema[key] !== undefined) ? (["object"] as const) : []),
    ...(listKeys.some((key) => schema[key] !== undefined) ? (["array"] as const) : []),
    ...(schema.format === undefined ? [] : (["string"] as const)),
  ];
}

const objectKeys = [
  "properties",
  "additionalProperties",
  "patternProperties",
  "unevaluatedProperties",
  "maxProperties",
] as const;
const listKeys = ["items", "prefixItems", "unevaluatedItems"] as const;

function typeOfValue(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "object" ? "object" : typeof value === "string" ? "string" : "number";
}

/** Returns the runtime's serializer for values that are neither objects nor arrays. */
export function scalarSerializer({
  parts,
}: FlattenedPosition): "serializeDateTime" | "serializeDate" | "serializeScalar" {
  if (parts.some((part) => part.format === "date-time")) return "serializeDateTime";
  return parts.some((part) => part.format === "date") ? "serializeDate" : "serializeScalar";
}

export interface PositionField {
  readonly name: string;
  /** The schemas that the parts have for it. */
  readonly schemas: readonly Schema[];
}

/**
 * Returns every declared field, and every field that is only required, in the order of the description. Responses have
 * no `writeOnly` fields.
 */
export function positionFields({ parts, union }: FlattenedPosition): readonly PositionField[] {
  const fields = new Map<string, Schema[]>();
  for (const { name, schema } of parts.flatMap((part) => part.properties ?? [])) {
    if (!schema.never) fields.set(name, [...(fields.get(name) ?? []), schema]);
  }
  const others = parts.flatMap(({ required = [], origin }) =>
    required.map((name) => ({ name, schema: { types: [], origin } })),
  );
  const tags = union === undefined ? [] : [{ name: union.property, schema: textOf(union) }];
  for (const { name, schema } of [...tags, ...others]) if (!fields.has(name)) fields.set(name, [schema]);
  return [...fields].map(([name, schemas]) => ({ name, schemas }));
}

function textOf({ schema }: TaggedUnion): Schema {
  return { types: ["string"], origin: schema.origin };
}

/** Schemas of fields by pattern, and of all other fields. */
export interface AdditionalFields {
  readonly matching: readonly { readonly pattern: string; readonly schema: Schema }[];
  readonly rest: readonly Schema[];
  readonly isNone: boolean;
}

export function additionalFields({ parts }: FlattenedPosition): AdditionalFields {
  const matching = parts
    .flatMap((part) => Object.entries(part.patternProperties ?? {}).map(([pattern, schema]) => ({ pattern, schema })))
    .filter(({ schema }) => !schema.never);
  const rest = parts
    .flatMap((part) => [part.additionalProperties, part.unevaluatedProperties])
    .filter((schema) => schema !== undefined)
    .filter((schema) => !schema.never);
  return { matching, rest, isNone: matching.length === 0 && rest.length === 0 };
}

/** Returns the schemas of the leading items by index, and of the remaining items. */
export function positionItems({ parts }: FlattenedPosition): {
  readonly places: readonly (readonly Schema[])[];
  readonly rest: readonly Schema[];
} {
  const rest = parts.flatMap((part) => [part.items, part.unevaluatedItems]).filter((schema) => schema !== undefined);
  const everywhere = parts.filter((part) => part.prefixItems === undefined).flatMap((part) => part.items ?? []);
  const longest = Math.max(0, ...parts.map((part) => part.prefixItems?.length ?? 0));
  const places = Array.from({ length: longest }, (_, index) => [
    ...parts.flatMap((part) => part.prefixItems?.[index] ?? []),
    ...everywhere,
  ]);
  return { places, rest: rest.filter((schema) => !schema.never) };
}
