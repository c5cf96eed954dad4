import type { Step, Template } from "@plumbline/conformance-runtime";
import { type Json, type Property, type Schema, findField, schemaParts, ownValue } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { objectName } from "../context/object-name.js";
import { toLiteral, schemaSample } from "./samples.js";

/** Fields to merge into an object so that it meets a condition, with the setup steps that they need. */
export interface ObjectOverlay {
  readonly fields: Readonly<Record<string, Template>>;
  readonly setupSteps: readonly Step[];
}

/** The schema of the fields: a request body or a resource. */
interface SolverContext {
  readonly context: ConformanceContext;
  readonly schema: Schema;
}

/** Bounds the recursion of recursive schemas. */
const maxConditionDepth = 12;

const absent: Template = { $absent: true };

/** The changes that make an object match a schema. Undefined when none can be derived. */
export function satisfyCondition(solver: SolverContext, condition: Schema): ObjectOverlay | undefined {
  const parts = partsFor(solver, condition);
  const overlay = mergeOverlays(parts.map((part) => ownOf(solver, part)));
  return overlay === undefined ? undefined : withDependents(solver, overlay);
}

/** The changes that make an object violate a schema. */
export function violateCondition(solver: SolverContext, unwanted: Schema): ObjectOverlay | undefined {
  const { not, anyOf, allOf = [], oneOf, properties = [], required = [] } = unwanted;
  if (not !== undefined) return satisfyCondition(solver, not);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return mergeOverlays(choices.map((each) => violateCondition(solver, each)));
  for (const part of allOf) {
    const overlay = violateCondition(solver, part);
    if (overlay !== undefined) return overlay;
  }
  for (const property of properties) {
    const other = otherThan(solver, property);
    if (other !== undefined) return { fields: { [property.name]: other }, setupSteps: [] };
  }
  const [name] = required;
  return name === undefined ? undefined : { fields: { [name]: absent }, setupSteps: [] };
}

/** Merges overlays. Undefined when one of them is. */
export function mergeOverlays(overlays: readonly (ObjectOverlay | undefined)[]): ObjectOverlay | undefined {
  return overlays.reduce<ObjectOverlay | undefined>(
    (all, each) =>
      all === undefined || each === undefined
        ? undefined
        : { fields: { ...all.fields, ...each.fields }, setupSteps: [...all.setupSteps, ...each.setupSteps] },
    { fields: {}, setupSteps: [] },
  );
}

/** All schemas that must match together; of alternatives the first. */
function partsFor(solver: SolverContext, condition: Schema, depth = 0): readonly Schema[] {
  if (depth > maxConditionDepth) return [];
  const { context } = solver;
  const { ref, allOf = [], anyOf = [], oneOf = [] } = condition;
  const target = ref === undefined ? undefined : context.schemas.get(ref);
  const inner = [...(target === undefined ? [] : [target]), ...allOf, ...anyOf.slice(0, 1), ...oneOf.slice(0, 1)];
  return [condition, ...inner.flatMap((each) => partsFor(solver, each, depth + 1))];
}

function ownOf(solver: SolverContext, { properties = [], required = [], not }: Schema): ObjectOverlay | undefined {
  const values = properties.map((property) => fieldOf(solver, property));
  const others = required
    .filter((name) => !properties.some((property) => property.name === name))
    .map((name) => sampleField(solver, name));
  const rejected = not === undefined ? [] : [violateCondition(solver, not)];
  return mergeOverlays([...values, ...others, ...rejected]);
}

function fieldOf(solver: SolverContext, { name, schema }: Property): ObjectOverlay | undefined {
  const value = valueOf(solver, name, schema);
  return value === undefined ? undefined : { fields: { [name]: value }, setupSteps: [] };
}

/** A value that meets a condition on a field. */
function valueOf(solver: SolverContext, name: string, condition: Schema): Template | undefined {
  const { context, schema } = solver;
  if (condition.const !== undefined) return toLiteral(condition.const);
  const [first] = condition.enum ?? [];
  if (first !== undefined) return toLiteral(first);
  const field = findField(context.api, schema, [name]);
  if (condition.not !== undefined) {
    const other =
      field === undefined ? undefined : choicesOf(context, field).find((each) => !isAmong(condition.not, each));
    return other === undefined ? undefined : toLiteral(other);
  }
  if (condition.properties !== undefined || condition.required !== undefined) {
    const inner = field === undefined ? undefined : satisfyCondition({ context, schema: field }, condition);
    return inner?.setupSteps.length === 0 ? { ...inner.fields } : undefined;
  }
  return condition.types.length > 0 ? schemaSample(context, condition) : undefined;
}

function isAmong(schema: Schema | undefined, value: Json): boolean {
  return schema !== undefined && (schema.const === value || (schema.enum ?? []).includes(value));
}

function choicesOf({ api }: ConformanceContext, field: Schema): readonly Json[] {
  const parts = schemaParts(api, field);
  const values = parts.find((part) => part.enum !== undefined)?.enum;
  if (values !== undefined) return values.filter((each) => each !== null);
  return parts.some(({ types }) => types.includes("boolean")) ? [true, false] : [];
}

/** A field with a value that violates the condition, or without one. */
function otherThan({ context, schema }: SolverContext, { name, schema: unwanted }: Property): Template | undefined {
  const value = unwanted.const ?? unwanted.enum?.[0];
  if (typeof value === "boolean") return !value;
  const field = findField(context.api, schema, [name]);
  const other = field === undefined ? undefined : choicesOf(context, field).find((each) => !isAmong(unwanted, each));
  return other === undefined ? undefined : toLiteral(other);
}

/** A value for a field; for a reference, with the steps that create the object. */
function sampleField({ context, schema }: SolverContext, name: string): ObjectOverlay | undefined {
  const field = findField(context.api, schema, [name]);
  if (field === undefined) return undefined;
  const reference = schemaParts(context.api, field).find((part) => part.reference !== undefined)?.reference;
  if (reference === undefined || reference.onNotFound === "create")
    return { fields: { [name]: schemaSample(context, field) }, setupSteps: [] };
  const as = `${objectName(reference.to)}For${name}`;
  return {
    fields: { [name]: { $get: `${as}#/${reference.by ?? "id"}` } },
    setupSteps: [{ make: reference.to, as }],
  };
}

/** The fields that a present field requires. */
function withDependents(solver: SolverContext, overlay: ObjectOverlay): ObjectOverlay | undefined {
  const { context, schema } = solver;
  const present = Object.entries(overlay.fields).filter(([, value]) => value !== absent);
  const dependents = schemaParts(context.api, schema).flatMap(({ dependentRequired = {} }) =>
    present.flatMap(([name]) => ownValue(dependentRequired, name) ?? []),
  );
  const missing = dependents.filter((name) => !Object.hasOwn(overlay.fields, name));
  return mergeOverlays([overlay, ...missing.map((name) => sampleField(solver, name))]);
}
