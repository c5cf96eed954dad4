import type { Api, Property, Shape } from "./api.js";
import { once, onceEach } from "./once.js";
import { shapesOf, type ShapesByName } from "./shapes-by-name.js";

/** A value somewhere in a shape, of which the vocabulary says something. */
export interface Field {
  /** The way to it; `*` is each item of a list, or each field of a map. Empty for the whole. */
  readonly pointer: readonly string[];
  readonly shape: Shape;
  /** The field that holds it, where it is one. */
  readonly property?: Property;
}

/**
 * Every value in a shape of which the vocabulary says what it names, becomes, breaks or is found by, by way of what the shape refers to and is made of. A shape
 * within itself is not gone into again. Throws a RangeError where ways through shapes are more than anybody would write down.
 */
export function fieldsOf(api: Api, shape: Shape): readonly Field[] {
  return fieldsByShape(api, shape, () => new Walk(api).from(shape));
}

const fieldsByShape = onceEach<Shape, readonly Field[]>();

/** Ways through shapes that hold one another: a large API of ours has some hundreds. */
const mostWays = 20_000;

class Walk {
  readonly #shapes: ShapesByName;
  readonly #telling: ReadonlySet<string>;
  readonly #found: Field[] = [];
  /** Where references were followed; two ways to one place say the same. */
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
    if (this.#been.size > mostWays) throw new RangeError("there are too many ways through these shapes");
    this.#visit({ pointer, shape }, [...within, name]);
  }
}

/** What a shape says of the field at the end of these names, itself or in what it is made of. */
export function fieldAt(api: Api, shape: Shape, [name, ...rest]: readonly string[]): Shape | undefined {
  if (name === undefined) return shape;
  for (const { properties = [] } of partsOf(api, shape)) {
    const property = properties.find((each) => each.name === name);
    const found = property === undefined ? undefined : fieldAt(api, property.shape, rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A shape, and everything that stands for the same value, each named one once. */
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

/** Named shapes that tell something, or lead to one that does: in descriptions without the vocabulary there is none to look through. */
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

/** What stands in a shape itself, without what it refers to. */
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

/** Many fields that are all the same are a map with known keys. */
function isMap(properties: readonly Property[]): boolean {
  const [first, ...others] = properties;
  const ref = first?.shape.ref;
  return others.length > 1 && ref !== undefined && others.every(({ shape }) => shape.ref === ref);
}
