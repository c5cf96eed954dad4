import type { Step, Template } from "@plumbline/conformance-runtime";
import type { Json, Property, Shape } from "../model/api.js";
import { fieldAt, partsOf } from "../model/fields.js";
import type { Context } from "./context.js";
import { nameOf } from "./plans.js";
import { literalOf, sampleOf } from "./samples.js";

/** Fields to merge into an object so that it meets a condition, with the setup steps that they need. */
export interface Overlay {
  readonly fields: Readonly<Record<string, Template>>;
  readonly before: readonly Step[];
}

/** The schema of the fields: a request body or a resource. */
interface Given {
  readonly context: Context;
  readonly form: Shape;
}

/** Bounds the recursion of recursive schemas. */
const deepest = 12;

const absent: Template = { $absent: true };

/** The changes that make an object match a schema. Undefined when none can be derived. */
export function satisfying(given: Given, wanted: Shape): Overlay | undefined {
  const parts = partsFor(given, wanted);
  const own = mergeAll(parts.map((part) => ownOf(given, part)));
  return own === undefined ? undefined : withDependents(given, own);
}

/** The changes that make an object violate a schema. */
export function breaking(given: Given, unwanted: Shape): Overlay | undefined {
  const { not, anyOf, allOf = [], oneOf, properties = [], required = [] } = unwanted;
  if (not !== undefined) return satisfying(given, not);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return mergeAll(choices.map((each) => breaking(given, each)));
  for (const part of allOf) {
    const found = breaking(given, part);
    if (found !== undefined) return found;
  }
  for (const property of properties) {
    const other = otherThan(given, property);
    if (other !== undefined) return { fields: { [property.name]: other }, before: [] };
  }
  const [name] = required;
  return name === undefined ? undefined : { fields: { [name]: absent }, before: [] };
}

/** Merges overlays. Undefined when one of them is. */
export function mergeAll(overlays: readonly (Overlay | undefined)[]): Overlay | undefined {
  return overlays.reduce<Overlay | undefined>(
    (all, each) =>
      all === undefined || each === undefined
        ? undefined
        : { fields: { ...all.fields, ...each.fields }, before: [...all.before, ...each.before] },
    { fields: {}, before: [] },
  );
}

/** All schemas that must match together; of alternatives the first. */
function partsFor(given: Given, wanted: Shape, depth = 0): readonly Shape[] {
  if (depth > deepest) return [];
  const { context } = given;
  const { ref, allOf = [], anyOf = [], oneOf = [] } = wanted;
  const named = ref === undefined ? undefined : context.shapes.get(ref);
  const inner = [...(named === undefined ? [] : [named]), ...allOf, ...anyOf.slice(0, 1), ...oneOf.slice(0, 1)];
  return [wanted, ...inner.flatMap((each) => partsFor(given, each, depth + 1))];
}

function ownOf(given: Given, { properties = [], required = [], not }: Shape): Overlay | undefined {
  const values = properties.map((property) => fieldOf(given, property));
  const others = required
    .filter((name) => !properties.some((property) => property.name === name))
    .map((name) => sampleField(given, name));
  const rejected = not === undefined ? [] : [breaking(given, not)];
  return mergeAll([...values, ...others, ...rejected]);
}

function fieldOf(given: Given, { name, shape }: Property): Overlay | undefined {
  const value = valueOf(given, name, shape);
  return value === undefined ? undefined : { fields: { [name]: value }, before: [] };
}

/** A value that meets a condition on a field. */
function valueOf(given: Given, name: string, wanted: Shape): Template | undefined {
  const { context, form } = given;
  if (wanted.const !== undefined) return literalOf(wanted.const);
  const [first] = wanted.enum ?? [];
  if (first !== undefined) return literalOf(first);
  const field = fieldAt(context.api, form, [name]);
  if (wanted.not !== undefined) {
    const other =
      field === undefined ? undefined : choicesOf(context, field).find((each) => !isAmong(wanted.not, each));
    return other === undefined ? undefined : literalOf(other);
  }
  if (wanted.properties !== undefined || wanted.required !== undefined) {
    const inner = field === undefined ? undefined : satisfying({ context, form: field }, wanted);
    return inner?.before.length === 0 ? { ...inner.fields } : undefined;
  }
  return wanted.types.length > 0 ? sampleOf(context, wanted) : undefined;
}

function isAmong(shape: Shape | undefined, value: Json): boolean {
  return shape !== undefined && (shape.const === value || (shape.enum ?? []).includes(value));
}

function choicesOf({ api }: Context, field: Shape): readonly Json[] {
  const parts = partsOf(api, field);
  const known = parts.find((part) => part.enum !== undefined)?.enum;
  if (known !== undefined) return known.filter((each) => each !== null);
  return parts.some(({ types }) => types.includes("boolean")) ? [true, false] : [];
}

/** A field with a value that violates the condition, or without one. */
function otherThan({ context, form }: Given, { name, shape }: Property): Template | undefined {
  const wanted = shape.const ?? shape.enum?.[0];
  if (typeof wanted === "boolean") return !wanted;
  const field = fieldAt(context.api, form, [name]);
  const other = field === undefined ? undefined : choicesOf(context, field).find((each) => !isAmong(shape, each));
  return other === undefined ? undefined : literalOf(other);
}

/** A value for a field; for a reference, with the steps that create the object. */
function sampleField({ context, form }: Given, name: string): Overlay | undefined {
  const field = fieldAt(context.api, form, [name]);
  if (field === undefined) return undefined;
  const reference = partsOf(context.api, field).find((part) => part.reference !== undefined)?.reference;
  if (reference === undefined || reference.missing === "create")
    return { fields: { [name]: sampleOf(context, field) }, before: [] };
  const as = `${nameOf(reference.to)}For${name}`;
  return {
    fields: { [name]: { $get: `${as}#/${reference.by ?? "id"}` } },
    before: [{ make: reference.to, as }],
  };
}

/** The fields that a present field requires. */
function withDependents(given: Given, overlay: Overlay): Overlay | undefined {
  const { context, form } = given;
  const present = Object.entries(overlay.fields).filter(([, value]) => value !== absent);
  const wanted = partsOf(context.api, form).flatMap(({ dependentRequired = {} }) =>
    present.flatMap(([name]) => dependentRequired[name] ?? []),
  );
  const missing = wanted.filter((name) => !(name in overlay.fields));
  return mergeAll([overlay, ...missing.map((name) => sampleField(given, name))]);
}
