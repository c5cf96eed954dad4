import type { MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import { isPlainObject } from "./concrete.js";
import { madeBy } from "./facts.js";
import { jsonContent } from "../model/media.js";
import { unrecorded } from "../model/reads.js";
import { bodyFieldsOf, type BodyField } from "./body-fields.js";
import type { Context } from "./context.js";
import type { JsonType, Shape } from "../model/api.js";
import { misfitsOf } from "./judge.js";
import { alwaysOf } from "./layers.js";
import { samplesOf, valueAt, withValue } from "./placing.js";
import { nameOf, planOf, type Plan } from "./plans.js";
import { recipesOf } from "./recipes.js";
import { absentValue, shownValue } from "./shown-values.js";
import type { Around } from "./shape-cases.js";

/** A body that is accepted after some setup steps. */
export interface Standing {
  /** The setup steps. */
  readonly before: readonly Step[];
  /** The body, with references to objects of these steps. */
  readonly body: Template;
}

/**
 * Prepares a body so that it is accepted. Undefined when rules beyond its schema may reject it: references, the stored object, undocumented
 * rules. The reference in the tested field is not replaced.
 */
export function standingOf(around: Around, given: Template, tested?: BodyField): Standing | undefined {
  const { context, shape, nulls, fields, own } = around;
  if (misfitsOf(context, shape, given, nulls).length > 0) return undefined;
  const named = fields.flatMap((field) => (isFree(around, field, given) ? [] : [field]));
  const supplied = named.map((field) => (field === tested ? undefined : supplyOf(around, field)));
  if (supplied.includes(undefined)) return undefined;
  const supplies = supplied.filter((each) => each !== undefined);
  const body = supplies.reduce((before, { pointer, value }) => withValue(before, pointer, value), given);
  const makes = new Map(supplies.map(({ make }) => [make.as, make] as const));
  const before = [...own.before, ...makes.values()];
  const merged = around.operation.body?.input.merged;
  const whole = merged === undefined ? undefined : context.shapes.get(merged);
  if (whole === undefined) return { before, body };
  for (const { stored, laid } of storedForms(around)) {
    const changed = { ...emptyOf(context, whole), ...stored, ...keptOf(around, body) };
    // Read-only fields are unknown here.
    const wrong = misfitsOf(context, whole, changed, "judged").filter(({ keyword }) => keyword !== "required");
    if (wrong.length === 0) return { before: withLaid(before, laid), body };
  }
  return undefined;
}

export function isAcceptable(around: Around, body: Template, tested?: BodyField): boolean {
  return standingOf(around, body, tested) !== undefined;
}

interface Supply {
  readonly pointer: readonly string[];
  readonly make: MakeStep;
  readonly value: Template;
}

/** An object for a reference, created by its recipe. Not for references with a parent or a condition. */
function supplyOf({ context, operation }: Around, { pointer, parts, property }: BodyField): Supply | undefined {
  const reference = parts.find((part) => part.reference !== undefined)?.reference;
  if (reference === undefined || (operation.method !== "POST" && property?.change !== undefined)) return undefined;
  if (reference.of !== undefined || reference.where !== undefined) return undefined;
  if (context.resources.get(reference.to)?.parent !== undefined || !canMake(context, reference.to)) return undefined;
  const as = `named-${nameOf(reference.to)}`;
  return { pointer, make: { make: reference.to, as }, value: { $get: `${as}#/${reference.by ?? "id"}` } };
}

const recipes = new WeakMap<Context, ReadonlySet<string>>();

/** The names of recipes. Reading them records no dependency on the recipes. */
export function namesOfRecipes(context: Context): ReadonlySet<string> {
  const names = recipes.get(context) ?? unrecorded(() => new Set(Object.keys(recipesOf(context))));
  recipes.set(context, names);
  return names;
}

function canMake(context: Context, resource: string): boolean {
  return namesOfRecipes(context).has(resource);
}

/** True when a field has the value of the valid request, or depends on its schema only. */
function isFree({ context, operation, fitting }: Around, field: BodyField, body: Template): boolean {
  const value = valueAt(body, field.pointer);
  if (value === undefined || value === null) return true;
  if (JSON.stringify(value) === JSON.stringify(valueAt(fitting, field.pointer))) return true;
  const change = field.property?.change;
  if (operation.method !== "POST" && change !== undefined && JSON.stringify(change.to) !== JSON.stringify(value))
    return false;
  const evaluated = context.settings.operations[operation.name]?.judged ?? [];
  if (evaluated.includes(field.pointer.join("."))) return false;
  const isMade = field.parts.some(({ reference }) => reference?.missing === "create");
  return !field.isReference || isMade;
}

interface Stored {
  readonly stored: Readonly<Record<string, Template>>;
  /** Fields to add to the request of the recipe. */
  readonly laid: Readonly<Record<string, Template>>;
}

/** Cached by the operation's own plan, which does not depend on the tested body. */
const known = new WeakMap<Plan, readonly Stored[]>();

/** The variants of the path's object: as created, and in each other branch. */
function storedForms(around: Around): readonly Stored[] {
  const earlier = known.get(around.own);
  if (earlier !== undefined) return earlier;
  const found = formsOfMade(around);
  known.set(around.own, found);
  return found;
}

function formsOfMade({ context, read }: Around): readonly Stored[] {
  const resource = context.api.resources.find((each) => each.read === read?.operation.name);
  const makers = context.api.operations.filter((each) => madeBy(context.api, each)?.resource === resource);
  const list = context.operations.get(resource?.list ?? "");
  const maker = makers.find((each) => each.path === list?.path) ?? makers[0];
  const shape = maker?.body && jsonContent(maker.body.contents)?.shape;
  if (resource === undefined || maker === undefined || shape === undefined) return [{ stored: {}, laid: {} }];
  const { body = {} } = planOf(context, maker, { objects: "shared" }).call;
  const base = isPlainObject(body) ? body : {};
  const defaults = defaultsOf(bodyFieldsOf(context, shape, []));
  const forms = samplesOf(context, [shape])
    .filter(isPlainObject)
    // Unique values stay templates: another lane may have a constant already.
    .map((laid) => Object.fromEntries(Object.entries(laid).filter(([name]) => !isNew(base[name]))))
    .filter((laid) => misfitsOf(context, shape, { ...base, ...laid }, "absent").length === 0);
  return [
    { stored: { ...defaults, ...base }, laid: {} },
    ...forms.map((laid) => ({ stored: { ...defaults, ...base, ...laid }, laid })),
  ];
}

/** The values of fields that were never set. */
function emptyOf(context: Context, shape: Shape): Readonly<Record<string, Template>> {
  const always = alwaysOf(context, shape);
  const properties = always.flatMap((part) => part.properties ?? []).filter(({ readOnly }) => !readOnly);
  return Object.fromEntries(
    properties.flatMap((property) => {
      const types = new Set(alwaysOf(context, property.shape).flatMap((part) => part.types));
      const value = empties.find(([type]) => types.has(type))?.[1];
      const isSure = value !== undefined && misfitsOf(context, property.shape, value, "judged").length === 0;
      return isSure && property.required ? [[property.name, value] as const] : [];
    }),
  );
}

const empties: readonly (readonly [JsonType, Template])[] = [
  ["null", null],
  ["array", []],
  ["string", ""],
  ["integer", 0],
];

function defaultsOf(fields: readonly BodyField[]): Readonly<Record<string, Template>> {
  const entries = fields
    .filter(({ pointer }) => pointer.length === 1)
    .flatMap((field) => {
      const value = absentValue(field);
      return value === undefined ? [] : [[field.pointer[0] ?? "", value] as const];
    });
  return Object.fromEntries(entries);
}

/** The path's object is the last one that the case creates. */
function withLaid(before: readonly Step[], laid: Readonly<Record<string, Template>>): readonly Step[] {
  if (Object.keys(laid).length === 0) return before;
  const own = before.findLast((step) => "make" in step && step.fresh === true);
  return before.map((step) => {
    if (step !== own || !("make" in step)) return step;
    return { ...step, with: isPlainObject(step.with) ? { ...step.with, ...laid } : laid };
  });
}

/** The stored form of a body: normalized values, without nulls that count as absent. */
function keptOf(around: Around, body: Template): Readonly<Record<string, Template>> {
  const fields = isPlainObject(body) ? body : {};
  const sent = Object.entries(fields).filter(([, value]) => around.nulls === "judged" || value !== null);
  return Object.fromEntries(
    sent.map(([name, value]) => {
      const field = around.fields.find(({ pointer }) => pointer.length === 1 && pointer[0] === name);
      return [name, (field && shownValue(around, field, { body, value })) ?? value] as const;
    }),
  );
}

function isNew(value: Template | undefined): boolean {
  return isPlainObject(value) && Object.hasOwn(value, "$unique");
}
