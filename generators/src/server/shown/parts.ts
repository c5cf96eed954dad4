import type { JsonType, Shape } from "../../model/api.js";
import { isAnything, type Described } from "./positions.js";
import type { TaggedUnion } from "./unions.js";

/** What may stand at a position. */
export interface Kinds {
  /** Nothing is said, or nothing but that there may be objects and lists: it is shown as it is. */
  readonly isOpen: boolean;
  readonly isObject: boolean;
  readonly isList: boolean;
  /** An object of which no field is described, such as preferences, is shown as it is. */
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
    // `writeOnly` fields have left the list, and perhaps nothing else was in it: that object is not free-form.
    !parts.some((part) => part.maxProperties === 0 || part.properties !== undefined) &&
    matching.length === 0 &&
    others.every((shape) => isAnything(shape));
  const isOpen = isFree || (isAnyObject && (isAnyList || !isList)) || (isAnyList && !isObject);
  return { isOpen, isObject, isList, isAnyObject, isAnyList };
}

/** The types that a shape allows, as it says or implies. */
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

/** The function of the runtime that shows what is neither object nor list. */
export function scalarOf({ parts }: Described): "dateTime" | "date" | "scalar" {
  if (parts.some((part) => part.format === "date-time")) return "dateTime";
  return parts.some((part) => part.format === "date") ? "date" : "scalar";
}

export interface Field {
  readonly name: string;
  /** What each part says of it. */
  readonly shapes: readonly Shape[];
}

/** Every field that is described, and those that are only required, in the description's order. `writeOnly` ones are not among those of replies. */
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

/** What is said of fields by patterns, and of all others. */
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

/** What is said of the first items, place by place, and of those behind them. */
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
