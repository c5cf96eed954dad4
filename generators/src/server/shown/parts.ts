import type { JsonType, Shape } from "../../model/api.js";
import { isAnything, type Described } from "./positions.js";
import type { TaggedUnion } from "./unions.js";

/** The kinds of values that a position allows. */
export interface Kinds {
  /** True for unconstrained values, which are passed through. */
  readonly isOpen: boolean;
  readonly isObject: boolean;
  readonly isList: boolean;
  /** True for an object without declared fields, such as preferences. It is passed through. */
  readonly isAnyObject: boolean;
  readonly isAnyList: boolean;
}

export function kindsOf(described: Described): Kinds {
  const { parts, union, isFree } = described;
  const types = new Set(parts.flatMap(typesOf));
  const isUnknown = types.size === 0 && union === undefined;
  const isObject = isUnknown || union !== undefined || types.has("object");
  const isList = isUnknown || types.has("array");
  const { places, rest } = itemsOf(described);
  const isAnyList = isList && places.length === 0 && rest.every((shape) => isAnything(shape));
  const { matching, rest: others } = othersOf(described);
  const isAnyObject =
    isObject &&
    union === undefined &&
    // Without its `writeOnly` properties, an object may have none left; it is not free-form.
    !parts.some((part) => part.maxProperties === 0 || part.properties !== undefined) &&
    matching.length === 0 &&
    others.every((shape) => isAnything(shape));
  const isOpen = isFree || (isAnyObject && (isAnyList || !isList)) || (isAnyList && !isObject);
  return { isOpen, isObject, isList, isAnyObject, isAnyList };
}

/** Returns the types that a schema allows, explicitly or by its keywords. */
function typesOf(shape: Shape): readonly JsonType[] {
  if (shape.types.length > 0) return shape.types;
  const values = shape.const === undefined ? shape.enum : [shape.const];
  if (values !== undefined) return values.map(typeOfValue);
  return [
    ...(objectKeys.some((key) => shape[key] !== undefined) ? (["object"] as const) : []),
    ...(listKeys.some((key) => shape[key] !== undefined) ? (["array"] as const) : []),
    ...(shape.format === undefined ? [] : (["string"] as const)),
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
export function scalarOf({ parts }: Described): "dateTime" | "date" | "scalar" {
  if (parts.some((part) => part.format === "date-time")) return "dateTime";
  return parts.some((part) => part.format === "date") ? "date" : "scalar";
}

export interface Field {
  readonly name: string;
  /** The schemas that the parts have for it. */
  readonly shapes: readonly Shape[];
}

/**
 * Returns every declared field, and every field that is only required, in the order of the description. Responses have
 * no `writeOnly` fields.
 */
export function fieldsOf({ parts, union }: Described): readonly Field[] {
  const found = new Map<string, Shape[]>();
  for (const { name, shape } of parts.flatMap((part) => part.properties ?? [])) {
    if (!shape.never) found.set(name, [...(found.get(name) ?? []), shape]);
  }
  const others = parts.flatMap(({ required = [], origin }) =>
    required.map((name) => ({ name, shape: { types: [], origin } })),
  );
  const tags = union === undefined ? [] : [{ name: union.property, shape: textOf(union) }];
  for (const { name, shape } of [...tags, ...others]) if (!found.has(name)) found.set(name, [shape]);
  return [...found].map(([name, shapes]) => ({ name, shapes }));
}

function textOf({ shape }: TaggedUnion): Shape {
  return { types: ["string"], origin: shape.origin };
}

/** Schemas of fields by pattern, and of all other fields. */
export interface OtherFields {
  readonly matching: readonly { readonly pattern: string; readonly shape: Shape }[];
  readonly rest: readonly Shape[];
  readonly isNone: boolean;
}

export function othersOf({ parts }: Described): OtherFields {
  const matching = parts
    .flatMap((part) => Object.entries(part.patternProperties ?? {}).map(([pattern, shape]) => ({ pattern, shape })))
    .filter(({ shape }) => !shape.never);
  const rest = parts
    .flatMap((part) => [part.additionalProperties, part.unevaluatedProperties])
    .filter((shape) => shape !== undefined)
    .filter((shape) => !shape.never);
  return { matching, rest, isNone: matching.length === 0 && rest.length === 0 };
}

/** Returns the schemas of the leading items by index, and of the remaining items. */
export function itemsOf({ parts }: Described): {
  readonly places: readonly (readonly Shape[])[];
  readonly rest: readonly Shape[];
} {
  const rest = parts.flatMap((part) => [part.items, part.unevaluatedItems]).filter((shape) => shape !== undefined);
  const everywhere = parts.filter((part) => part.prefixItems === undefined).flatMap((part) => part.items ?? []);
  const longest = Math.max(0, ...parts.map((part) => part.prefixItems?.length ?? 0));
  const places = Array.from({ length: longest }, (_, index) => [
    ...parts.flatMap((part) => part.prefixItems?.[index] ?? []),
    ...everywhere,
  ]);
  return { places, rest: rest.filter((shape) => !shape.never) };
}
