import { intersectSchemas } from "@plumbline/kit/codegen/values";
import { type Api, type Json, type JsonType, memoize, type Property, type Schema } from "@plumbline/kit/model";
import { requirementIds, type ConformanceContext } from "../context/context.js";
import { unconditionalLayers, schemaBranches } from "./schema-layers.js";

/** A field somewhere in a body, or an item of a list in it. */
export interface BodyField {
  /** Path to the field; `*` is an item. */
  readonly pointer: readonly string[];
  /** Its complete schema. */
  readonly schema: Schema;
  /** The schemas that always apply to it. */
  readonly layers: readonly Schema[];
  readonly property?: Property | undefined;
  readonly required: boolean;
  readonly readOnly: boolean;
  /** Its own requirements, else those of the nearest enclosing field. */
  readonly requirements: readonly string[];
  /** The branch of a `oneOf` or `anyOf`, where the allowed values depend on it. */
  readonly branch?: string | undefined;
  /** True for a reference to a stored object: its value cannot be invented. */
  readonly isReference: boolean;
}

/** Depth of the traversal. */
const maxFieldDepth = 6;

/** Fields of one body with cases. */
const maxBodyFields = 150;

/** Fields with cases, of all bodies together. Each has five to ten cases. */
const maxSuiteFields = 6000;

/** How many fields of each body have cases: fewer where a description has thousands of bodies. */
export const bodyFieldLimit: (api: Api) => number = memoize((api) => {
  const bodies = api.operations.filter(({ requestBody }) => requestBody !== undefined).length;
  return Math.min(maxBodyFields, Math.max(10, Math.floor(maxSuiteFields / Math.max(1, bodies))));
});

/** The fields of a body, outer ones first, as many as have cases. */
export function bodyFieldsOf(
  context: ConformanceContext,
  schema: Schema,
  requirements: readonly string[],
): readonly BodyField[] {
  const collected: BodyField[] = [];
  const most = bodyFieldLimit(context.api);
  const within = (
    schemas: readonly Schema[],
    pointer: readonly string[],
    around: { readonly requirements: readonly string[]; readonly refs: ReadonlySet<string> },
  ): void => {
    if (pointer.length >= maxFieldDepth) return;
    const always = unconditionalLayers(context, intersectSchemas(schemas));
    const refs = new Set([...around.refs, ...always.flatMap(({ ref }) => ref ?? [])]);
    const stated = [...new Set(always.flatMap(({ sources }) => requirementIds(sources)))];
    const nearest = stated.length === 0 ? around.requirements : stated;
    const waiting: (() => void)[] = [];
    for (const { token, property, schemas: inner } of childrenOf(context, always, intersectSchemas(schemas))) {
      if (collected.length >= most) return;
      const field = fieldOf(context, [...pointer, token], { property, schemas: inner, always, nearest });
      collected.push(field);
      // A recursive schema is entered once.
      if (field.layers.some(({ ref }) => ref !== undefined && refs.has(ref)) || field.readOnly) continue;
      waiting.push(() => within(inner, field.pointer, { requirements: field.requirements, refs }));
    }
    for (const each of waiting) each();
  };
  within([schema], [], { requirements, refs: new Set() });
  return collected;
}

interface BodyFieldChild {
  readonly token: string;
  readonly property?: Property | undefined;
  readonly schemas: readonly Schema[];
}

/** Child fields by name, including those of single branches, and the items. */
function childrenOf(context: ConformanceContext, always: readonly Schema[], schema: Schema): readonly BodyFieldChild[] {
  const children = new Map<string, { readonly property?: Property; readonly schemas: Schema[]; always: boolean }>();
  const add = (part: Schema, isAlways: boolean): void => {
    for (const property of part.properties ?? []) {
      const child = children.get(property.name);
      if (child === undefined) children.set(property.name, { property, schemas: [property.schema], always: isAlways });
      else if (isAlways && child.always) child.schemas.push(property.schema);
    }
    if (part.items !== undefined) {
      const child = children.get("*");
      if (child === undefined) children.set("*", { schemas: [part.items], always: isAlways });
      else if (isAlways && child.always) child.schemas.push(part.items);
    }
  };
  for (const part of always) add(part, true);
  for (const part of schemaBranches(context, schema).flat()) if (!always.includes(part)) add(part, false);
  return [...children].map(([token, { property, schemas }]) => ({ token, property, schemas }));
}

function fieldOf(
  context: ConformanceContext,
  pointer: readonly string[],
  {
    property,
    schemas,
    always,
    nearest,
  }: {
    readonly property: Property | undefined;
    readonly schemas: readonly Schema[];
    readonly always: readonly Schema[];
    readonly nearest: readonly string[];
  },
): BodyField {
  const schema = intersectSchemas(schemas);
  const parts = layersOfValue(context, schema);
  const stated = [...new Set(parts.flatMap(({ sources }) => requirementIds(sources)))];
  const name = pointer.at(-1) ?? "";
  return {
    pointer,
    schema,
    layers: parts,
    property,
    required:
      property !== undefined && (property.required || always.some(({ required = [] }) => required.includes(name))),
    readOnly: property?.readOnly ?? false,
    requirements: stated.length === 0 ? nearest : stated,
    isReference: parts.some(({ reference, scopeCeiling }) => reference !== undefined || scopeCeiling !== undefined),
  };
}

/**
 * The schemas that apply to a value: those that always do, and the choices of `anyOf` and `oneOf` that no other choice has a type in common with.
 * A number of `anyOf: [{type: number, minimum: 1}, {type: "null"}]` is at least 1, and so is one of `anyOf: [{type: number, minimum: 1}, {type:
 * string}]`.
 */
export function layersOfValue(context: ConformanceContext, schema: Schema): readonly Schema[] {
  const always = unconditionalLayers(context, schema);
  const choices = always.flatMap(({ anyOf, oneOf }) => {
    const branches = anyOf ?? oneOf ?? [];
    const layers = branches.map((branch) => unconditionalLayers(context, branch));
    const types = layers.map((each) => allowedTypes({ layers: each }));
    const all = [...new Set(types.flat())];
    const isSplit = types.every((each) => each.length > 0) && types.flat().length === all.length && !isNumeric(types);
    return isSplit ? layers.flat().map((layer) => ({ ...layer, types: all })) : [];
  });
  return [...always, ...choices];
}

/** True where one choice has integers and another has all numbers. */
function isNumeric(types: readonly (readonly JsonType[])[]): boolean {
  return types.filter((each) => each.includes("integer") || each.includes("number")).length > 1;
}

/** The first value of a keyword in a field's schemas. */
export function statedKeyword<Key extends keyof Schema>({ layers }: BodyField, key: Key): Schema[Key] | undefined {
  return layers.find((part) => part[key] !== undefined)?.[key];
}

/** The types that all of its schemas allow; for `oneOf` and `anyOf` the union of the branches. Empty: every type. */
export function allowedTypes({ layers }: Pick<BodyField, "layers">): readonly JsonType[] {
  const lists = layers.map(allowedTypesOfLayer).filter((types) => types.length > 0);
  const [first = [], ...others] = lists;
  return first.filter((type) =>
    others.every((types) => types.includes(type) || (type === "integer" && types.includes("number"))),
  );
}

function allowedTypesOfLayer({ types, anyOf, oneOf }: Schema): readonly JsonType[] {
  const forms = anyOf ?? oneOf;
  if (types.length > 0 || forms === undefined) return types;
  return forms.every((form) => form.types.length > 0) ? [...new Set(forms.flatMap((form) => form.types))] : [];
}

export function enumValues(field: BodyField): readonly Json[] | undefined {
  return statedKeyword(field, "enum");
}

/** The field as errors name it: `devices.sda.disk_id`, `configs.0`. */
export function toErrorField(pointer: readonly string[]): string {
  return pointer.map((token) => (token === "*" ? "0" : token)).join(".");
}
