import type { Api, Json, JsonType, Schema } from "../model.js";

/** Plain schemas that all have to match: without references, unions and conditions. */
export type Form = readonly Schema[];

/** The origin of a schema that only selects a form. Breaking it leads into another form, which is valid. */
const chosen: Schema["origin"] = { file: "", pointer: "" };

/** Splits schemas into forms, of which each value matches one. */
export class Forms {
  readonly #named: ReadonlyMap<string, Schema>;

  constructor(api: Api) {
    this.#named = new Map(api.schemas.map((each) => [each.name, each.schema] as const));
  }

  /** The forms of a value that has to match all of these. */
  of(shapes: readonly Schema[]): readonly Form[] {
    return product(shapes.map((shape) => this.#ofOne(shape))).filter((form) => this.#canBeWhole(form));
  }

  /** False if several schemas of a required field contradict each other. */
  #canBeWhole(form: Form): boolean {
    const fields = fieldsOf(form);
    return [...requiredOf(form)].every((name) => {
      const shapes = fields.get(name) ?? [];
      return shapes.length < 2 || this.of(shapes).length > 0;
    });
  }

  #ofOne(shape: Schema): readonly Form[] {
    const { ref, allOf = [], anyOf, oneOf, not, if: condition, then, else: otherwise, dependentSchemas = {} } = shape;
    const factors: (readonly Form[])[] = [[[plain(shape)]]];
    if (ref !== undefined) factors.push(this.#ofOne(this.#find(ref)));
    for (const part of allOf) factors.push(this.#ofOne(part));
    for (const branches of [anyOf, oneOf]) {
      if (branches !== undefined) factors.push(branches.flatMap((branch) => this.#ofOne(branch)));
    }
    if (not !== undefined && !isKept(not)) factors.push(against(not));
    if (condition !== undefined) {
      const met = product([[[asChosen(condition)]], then === undefined ? [[]] : this.#ofOne(then)]);
      const unmet = product([against(condition), otherwise === undefined ? [[]] : this.#ofOne(otherwise)]);
      factors.push([...met, ...unmet]);
    }
    for (const [field, each] of Object.entries(dependentSchemas)) {
      const given: Schema = { types: [], required: [field], origin: chosen };
      factors.push([...product([[[given]], this.#ofOne(each)]), [without(field)]]);
    }
    return product(factors);
  }

  #find(ref: string): Schema {
    const shape = this.#named.get(ref);
    if (shape === undefined) throw new Error(`unknown schema ${ref}`);
    return shape;
  }
}

/** True for a schema that only selects a form. */
export function isChosen(shape: Schema): boolean {
  return shape.origin === chosen;
}

/** The types that all allow; undefined if none has types. */
export function typesOf(form: Form): readonly JsonType[] | undefined {
  const stated = form.filter((shape) => shape.types.length > 0).map((shape) => shape.types);
  const [first, ...others] = stated;
  return others.reduce<readonly JsonType[] | undefined>(
    (left, types) =>
      left?.flatMap((type) => {
        if (types.includes(type)) return [type];
        if (type === "number" && types.includes("integer")) return ["integer" as const];
        return type === "integer" && types.includes("number") ? [type] : [];
      }),
    first,
  );
}

/** The values that all list; undefined if none lists any. */
export function valuesOf(form: Form): readonly Json[] | undefined {
  const lists = form.flatMap((shape): readonly (readonly Json[])[] => {
    if (shape.const !== undefined) return [[shape.const]];
    return shape.enum === undefined ? [] : [shape.enum];
  });
  const rejected = new Set(form.flatMap(({ not }) => (not?.const === undefined ? (not?.enum ?? []) : [not.const])));
  const [first, ...others] = lists;
  return first?.filter((value) => others.every((list) => list.includes(value)) && !rejected.has(value));
}

/** The schemas of each field, by its name. */
export function fieldsOf(form: Form): ReadonlyMap<string, readonly Schema[]> {
  const fields = new Map<string, readonly Schema[]>();
  for (const { properties = [] } of form) {
    for (const { name, schema } of properties) fields.set(name, [...(fields.get(name) ?? []), schema]);
  }
  return fields;
}

export function requiredOf(form: Form): ReadonlySet<string> {
  return new Set(form.flatMap(({ required = [] }) => required));
}

/** The own constraints of a schema; from `not`, only values and patterns. */
function plain(shape: Schema): Schema {
  const {
    ref: _r,
    allOf: _a,
    anyOf: _b,
    oneOf: _o,
    not,
    if: _i,
    then: _t,
    else: _e,
    dependentSchemas: _d,
    ...rest
  } = shape;
  return not !== undefined && isKept(not) ? { ...rest, not } : rest;
}

/** From `not`, the constraints on a text or a value itself. */
function isKept(not: Schema): boolean {
  return isListed(not) || not.pattern !== undefined;
}

function isListed(shape: Schema): boolean {
  return shape.const !== undefined || shape.enum !== undefined;
}

function asChosen(schema: Schema): Schema {
  return { ...schema, origin: chosen };
}

function without(field: string): Schema {
  return withField(field, { types: [], never: true, origin: chosen });
}

function withField(name: string, schema: Schema): Schema {
  return {
    types: [],
    properties: [{ name, required: false, readOnly: false, writeOnly: false, schema }],
    origin: chosen,
  };
}

/** Ways not to match: a field that is absent, or has another value. */
function against({ required = [], properties = [] }: Schema): readonly Form[] {
  return [
    ...required.map((field) => [without(field)]),
    ...properties.flatMap(({ name, schema }) => {
      if (schema.not !== undefined) return [[asChosen(withField(name, schema.not))]];
      return isListed(schema) ? [[withField(name, { types: [], not: schema, origin: chosen })]] : [];
    }),
  ];
}

function product(factors: readonly (readonly Form[])[]): readonly Form[] {
  return factors.reduce<readonly Form[]>(
    (before, forms) => before.flatMap((form) => forms.map((each) => [...form, ...each])).filter(isPossible),
    [[]],
  );
}

function isPossible(form: Form): boolean {
  if (form.some((shape) => shape.never) || typesOf(form)?.length === 0 || valuesOf(form)?.length === 0) return false;
  const fields = fieldsOf(form);
  const isThere = (name: string): boolean => {
    const shapes = fields.get(name) ?? [];
    return !shapes.some((shape) => shape.never) && valuesOf(shapes)?.length !== 0;
  };
  return [...requiredOf(form)].every(isThere);
}
