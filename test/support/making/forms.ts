import type { Api, Json, JsonType, Shape } from "../model.js";

/** Plain shapes that all have to hold: no references, unions or conditions are left in them. */
export type Form = readonly Shape[];

/** Where a shape comes from that only says which form was chosen. Breaking it leads into another form, and is no fault. */
const chosen: Shape["origin"] = { file: "", pointer: "" };

/** Takes shapes apart into forms, of which each value fits one. */
export class Forms {
  readonly #named: ReadonlyMap<string, Shape>;

  constructor(api: Api) {
    this.#named = new Map(api.shapes.map((each) => [each.name, each.shape] as const));
  }

  /** The forms of a value that has to fit all of these. */
  of(shapes: readonly Shape[]): readonly Form[] {
    return product(shapes.map((shape) => this.#ofOne(shape))).filter((form) => this.#canBeWhole(form));
  }

  /** False where what is said of a required field in several places cannot all hold. */
  #canBeWhole(form: Form): boolean {
    const fields = fieldsOf(form);
    return [...requiredOf(form)].every((name) => {
      const shapes = fields.get(name) ?? [];
      return shapes.length < 2 || this.of(shapes).length > 0;
    });
  }

  #ofOne(shape: Shape): readonly Form[] {
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
      const given: Shape = { types: [], required: [field], origin: chosen };
      factors.push([...product([[[given]], this.#ofOne(each)]), [without(field)]]);
    }
    return product(factors);
  }

  #find(ref: string): Shape {
    const shape = this.#named.get(ref);
    if (shape === undefined) throw new Error(`there is no shape ${ref}`);
    return shape;
  }
}

/** True for what only says which form was chosen. */
export function isChosen(shape: Shape): boolean {
  return shape.origin === chosen;
}

/** The types that all allow; undefined where none says. */
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

/** The values that all list; undefined where none lists any. */
export function valuesOf(form: Form): readonly Json[] | undefined {
  const lists = form.flatMap((shape): readonly (readonly Json[])[] => {
    if (shape.const !== undefined) return [[shape.const]];
    return shape.enum === undefined ? [] : [shape.enum];
  });
  const refused = new Set(form.flatMap(({ not }) => (not?.const === undefined ? (not?.enum ?? []) : [not.const])));
  const [first, ...others] = lists;
  return first?.filter((value) => others.every((list) => list.includes(value)) && !refused.has(value));
}

/** What each field has to fit, by its name. */
export function fieldsOf(form: Form): ReadonlyMap<string, readonly Shape[]> {
  const fields = new Map<string, readonly Shape[]>();
  for (const { properties = [] } of form) {
    for (const { name, shape } of properties) fields.set(name, [...(fields.get(name) ?? []), shape]);
  }
  return fields;
}

export function requiredOf(form: Form): ReadonlySet<string> {
  return new Set(form.flatMap(({ required = [] }) => required));
}

/** What a shape says by itself; of `not`, what lists values or has a pattern. */
function plain(shape: Shape): Shape {
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

/** Of `not`, what is said of a text or a value itself. */
function isKept(not: Shape): boolean {
  return isListed(not) || not.pattern !== undefined;
}

function isListed(shape: Shape): boolean {
  return shape.const !== undefined || shape.enum !== undefined;
}

function asChosen(shape: Shape): Shape {
  return { ...shape, origin: chosen };
}

function without(field: string): Shape {
  return withField(field, { types: [], never: true, origin: chosen });
}

function withField(name: string, shape: Shape): Shape {
  return {
    types: [],
    properties: [{ name, required: false, readOnly: false, writeOnly: false, shape }],
    origin: chosen,
  };
}

/** Ways not to fit: a field that is not there, or is another value. */
function against({ required = [], properties = [] }: Shape): readonly Form[] {
  return [
    ...required.map((field) => [without(field)]),
    ...properties.flatMap(({ name, shape }) => {
      if (shape.not !== undefined) return [[asChosen(withField(name, shape.not))]];
      return isListed(shape) ? [[withField(name, { types: [], not: shape, origin: chosen })]] : [];
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
