import type { Json, JsonType, Property, Shape } from "../model/api.js";
import { requirementsOf, type Context } from "./context.js";
import { alwaysOf, bothOf, formsOf } from "./layers.js";

/** A field somewhere in a body, or an item of a list in it. */
export interface BodyField {
  /** Path to the field; `*` is an item. */
  readonly pointer: readonly string[];
  /** Its complete schema. */
  readonly shape: Shape;
  /** The schemas that always apply to it. */
  readonly parts: readonly Shape[];
  readonly property?: Property;
  readonly required: boolean;
  readonly readOnly: boolean;
  /** Its own requirements, else those of the nearest enclosing field. */
  readonly requirements: readonly string[];
  /** The branch of a `oneOf` or `anyOf`, where the allowed values depend on it. */
  readonly form?: string;
  /** True for a reference to a stored object: its value cannot be invented. */
  readonly isReference: boolean;
}

/** Bounds of the traversal: depth, and number of fields. */
const deepest = 6;
const mostFields = 150;

/** All fields of a body, outer ones first. */
export function bodyFieldsOf(context: Context, shape: Shape, requirements: readonly string[]): readonly BodyField[] {
  const found: BodyField[] = [];
  const within = (
    shapes: readonly Shape[],
    pointer: readonly string[],
    around: { readonly requirements: readonly string[]; readonly refs: ReadonlySet<string> },
  ): void => {
    if (pointer.length >= deepest) return;
    const always = alwaysOf(context, bothOf(shapes));
    const refs = new Set([...around.refs, ...always.flatMap(({ ref }) => ref ?? [])]);
    const own = [...new Set(always.flatMap(({ sources }) => requirementsOf(sources)))];
    const nearest = own.length === 0 ? around.requirements : own;
    const waiting: (() => void)[] = [];
    for (const { token, property, shapes: inner } of childrenOf(context, always, bothOf(shapes))) {
      if (found.length >= mostFields) return;
      const field = fieldOf(context, [...pointer, token], { property, shapes: inner, always, nearest });
      found.push(field);
      // A recursive schema is entered once.
      if (field.parts.some(({ ref }) => ref !== undefined && refs.has(ref)) || field.readOnly) continue;
      waiting.push(() => within(inner, field.pointer, { requirements: field.requirements, refs }));
    }
    for (const each of waiting) each();
  };
  within([shape], [], { requirements, refs: new Set() });
  return found;
}

interface Child {
  readonly token: string;
  readonly property?: Property | undefined;
  readonly shapes: readonly Shape[];
}

/** Child fields by name, including those of single branches, and the items. */
function childrenOf(context: Context, always: readonly Shape[], shape: Shape): readonly Child[] {
  const children = new Map<string, { readonly property?: Property; readonly shapes: Shape[]; always: boolean }>();
  const add = (part: Shape, isAlways: boolean): void => {
    for (const property of part.properties ?? []) {
      const known = children.get(property.name);
      if (known === undefined) children.set(property.name, { property, shapes: [property.shape], always: isAlways });
      else if (isAlways && known.always) known.shapes.push(property.shape);
    }
    if (part.items !== undefined) {
      const known = children.get("*");
      if (known === undefined) children.set("*", { shapes: [part.items], always: isAlways });
      else if (isAlways && known.always) known.shapes.push(part.items);
    }
  };
  for (const part of always) add(part, true);
  for (const part of formsOf(context, shape).flat()) if (!always.includes(part)) add(part, false);
  return [...children].map(([token, { property, shapes }]) => ({ token, property, shapes }));
}

function fieldOf(
  context: Context,
  pointer: readonly string[],
  {
    property,
    shapes,
    always,
    nearest,
  }: {
    readonly property: Property | undefined;
    readonly shapes: readonly Shape[];
    readonly always: readonly Shape[];
    readonly nearest: readonly string[];
  },
): BodyField {
  const shape = bothOf(shapes);
  const parts = alwaysOf(context, shape);
  const own = [...new Set(parts.flatMap(({ sources }) => requirementsOf(sources)))];
  const name = pointer.at(-1) ?? "";
  return {
    pointer,
    shape,
    parts,
    ...(property === undefined ? {} : { property }),
    required:
      property !== undefined && (property.required || always.some(({ required = [] }) => required.includes(name))),
    readOnly: property?.readOnly ?? false,
    requirements: own.length === 0 ? nearest : own,
    isReference: parts.some(({ reference, scopeCeiling }) => reference !== undefined || scopeCeiling !== undefined),
  };
}

/** The first value of a keyword in a field's schemas. */
export function said<Key extends keyof Shape>({ parts }: BodyField, key: Key): Shape[Key] | undefined {
  return parts.find((part) => part[key] !== undefined)?.[key];
}

/** The types that all of its schemas allow; for `oneOf` and `anyOf` the union of the branches. Empty: every type. */
export function typesOf({ parts }: BodyField): readonly JsonType[] {
  const lists = parts.map(typesOfPart).filter((types) => types.length > 0);
  const [first = [], ...others] = lists;
  return first.filter((type) =>
    others.every((types) => types.includes(type) || (type === "integer" && types.includes("number"))),
  );
}

function typesOfPart({ types, anyOf, oneOf }: Shape): readonly JsonType[] {
  const forms = anyOf ?? oneOf;
  if (types.length > 0 || forms === undefined) return types;
  return forms.every((form) => form.types.length > 0) ? [...new Set(forms.flatMap((form) => form.types))] : [];
}

export function most(
  field: BodyField,
  key: "maximum" | "maxLength" | "maxItems" | "exclusiveMaximum",
): number | undefined {
  const all = field.parts.flatMap((part) => part[key] ?? []);
  return all.length === 0 ? undefined : Math.min(...all);
}

export function least(
  field: BodyField,
  key: "minimum" | "minLength" | "minItems" | "exclusiveMinimum",
): number | undefined {
  const all = field.parts.flatMap((part) => part[key] ?? []);
  return all.length === 0 ? undefined : Math.max(...all);
}

export function enumOf(field: BodyField): readonly Json[] | undefined {
  return said(field, "enum");
}

/** The field as errors name it: `devices.sda.disk_id`, `configs.0`. */
export function dotted(pointer: readonly string[]): string {
  return pointer.map((token) => (token === "*" ? "0" : token)).join(".");
}
