import type { Api, Property, Shape } from "./api.js";
import { once, onceEach } from "./once.js";
import { shapesOf, type ShapesByName } from "./shapes-by-name.js";

/** A value somewhere in a schema to which the vocabulary applies. */
export interface Field {
  /** The path to the value. `*` is each item of an array or each field of a map. Empty for the root. */
  readonly pointer: readonly string[];
  readonly shape: Shape;
  /** The property that contains the value, if there is one. */
  readonly property?: Property;
}

/**
 * Returns every value in a schema that has a reference, value rules, mutability, errors, a scope ceiling or filters.
 * Follows references and compositions; a recursive schema is visited once.
 * @throws A RangeError if there are more paths than any reasonable description has.
 */
export function fieldsOf(api: Api, shape: Shape): readonly Field[] {
  return fieldsByShape(api, shape, () => new Walk(api).from(shape));
}

const fieldsByShape = onceEach<Shape, readonly Field[]>();

/** Maximum number of paths through schemas that refer to each other. Cloud Compute, a large API, has some hundreds. */
const mostWays = 20_000;

class Walk {
  readonly #shapes: ShapesByName;
  readonly #telling: ReadonlySet<string>;
  readonly #found: Field[] = [];
  /** The references visited so far, by name and pointer. A second path to the same pointer adds nothing. */
  readonly #been = new Set<string>();

  constructor(api: Api) {
    this.#shapes = shapesOf(api);
    this.#telling = tellingShapes(api);
  }

  from(shape: Shape): readonly Field[] {
    this.#visit({ pointer: [], shape }, []);
    return this.#found;
  }

  #visit(field: Field, within: readonly string[]): void {
    const { shape, pointer } = field;
    if (tells(shape) || field.property?.change !== undefined) this.#found.push(field);
    if (shape.ref !== undefined) this.#follow(shape.ref, pointer, within);
    for (const part of branchesOf(shape)) this.#visit({ pointer, shape: part }, within);
    for (const { token, ...inner } of childrenOf(shape))
      this.#visit({ pointer: [...pointer, token], ...inner }, within);
  }

  #follow(name: string, pointer: readonly string[], within: readonly string[]): void {
    const shape = this.#shapes.get(name);
    if (shape === undefined || !this.#telling.has(name) || within.includes(name)) return;
    const place = `${name} ${pointer.join("/")}`;
    if (this.#been.has(place)) return;
    this.#been.add(place);
    if (this.#been.size > mostWays) throw new RangeError("there are too many paths through these schemas");
    this.#visit({ pointer, shape }, [...within, name]);
  }
}

/** Returns the schema of the field at the end of these names, also from references and compositions. */
export function fieldAt(api: Api, shape: Shape, [name, ...rest]: readonly string[]): Shape | undefined {
  if (name === undefined) return shape;
  for (const { properties = [] } of partsOf(api, shape)) {
    const property = properties.find((each) => each.name === name);
    const found = property === undefined ? undefined : fieldAt(api, property.shape, rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns a schema and all schemas that apply to the same value, each named schema once. */
export function partsOf(api: Api, shape: Shape): readonly Shape[] {
  const seen = new Set<string>();
  const parts: Shape[] = [];
  const waiting = [shape];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    parts.push(next);
    const named = next.ref === undefined || seen.has(next.ref) ? undefined : shapesOf(api).get(next.ref);
    if (next.ref !== undefined) seen.add(next.ref);
    waiting.unshift(...(named === undefined ? [] : [named]), ...branchesOf(next));
  }
  return parts;
}

/**
 * The named schemas that use the vocabulary, directly or by reference. Descriptions without the vocabulary have none,
 * and are not searched.
 */
const tellingShapes = once((api): ReadonlySet<string> => {
  const users = new Map<string, string[]>();
  const telling = new Set<string>();
  for (const { name, shape } of api.shapes) {
    const { isTelling, refs } = contentsOf(shape);
    if (isTelling) telling.add(name);
    for (const ref of refs) users.set(ref, [...(users.get(ref) ?? []), name]);
  }
  for (const name of telling) for (const user of users.get(name) ?? []) telling.add(user);
  return telling;
});

/** Summarizes a schema itself, without its references. */
function contentsOf(shape: Shape): { readonly isTelling: boolean; readonly refs: ReadonlySet<string> } {
  const refs = new Set<string>();
  let isTelling = false;
  const waiting: Pick<Field, "shape" | "property">[] = [{ shape }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.shape.ref !== undefined) refs.add(next.shape.ref);
    isTelling ||= tells(next.shape) || next.property?.change !== undefined;
    waiting.push(...branchesOf(next.shape).map((each) => ({ shape: each })), ...childrenOf(next.shape));
  }
  return { isTelling, refs };
}

function tells({ reference, values, failures, scopeCeiling, filterable }: Shape): boolean {
  return [reference, values, failures, scopeCeiling, filterable].some((each) => each !== undefined);
}

export function branchesOf({ allOf = [], anyOf = [], oneOf = [] }: Shape): readonly Shape[] {
  return [...allOf, ...anyOf, ...oneOf];
}

interface Child {
  readonly token: string;
  readonly shape: Shape;
  readonly property?: Property;
}

function childrenOf({ properties = [], items, additionalProperties, prefixItems = [] }: Shape): readonly Child[] {
  const [first] = properties;
  const fields =
    first !== undefined && isMap(properties)
      ? [{ token: "*", shape: first.shape, property: first }]
      : properties.map((property) => ({ token: property.name, shape: property.shape, property }));
  const each = [items, additionalProperties, ...prefixItems].filter((shape) => shape !== undefined);
  return [...fields, ...each.map((shape) => ({ token: "*", shape }))];
}

/** Many properties with the same schema are a map with known keys. */
function isMap(properties: readonly Property[]): boolean {
  const [first, ...others] = properties;
  const ref = first?.shape.ref;
  return others.length > 1 && ref !== undefined && others.every(({ shape }) => shape.ref === ref);
}
