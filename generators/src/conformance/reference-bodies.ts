import type { MakeStep, Recipe, Template } from "@plumbline/conformance-runtime";
import type { Shape } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import type { Context } from "./context.js";
import { nameOf, takesPlace } from "./plans.js";
import { recipesOf } from "./recipes.js";

/** A body with a value, and the value's location, such as `disks.0`. */
export interface Placed {
  readonly body: Template;
  readonly place: string;
}

export interface Placing {
  readonly body: Template | undefined;
  readonly shape: Shape;
  /** `*` is an item of a list, or a field of a map. */
  readonly pointer: readonly string[];
  readonly value: Template;
  /** An item before the value in the same list. */
  readonly first?: Template;
}

/** Sets a value in a body and keeps its siblings. */
export function placed({ api }: Context, { body, shape, pointer, value, first }: Placing): Placed | undefined {
  const put = (base: Template | undefined, at: Shape, rest: readonly string[]): Placed | undefined => {
    const [token, ...more] = rest;
    if (token === undefined) return { body: value, place: "" };
    const parts = partsOf(api, at);
    const fields = parts.flatMap(({ properties = [] }) => properties);
    const items = parts.find((each) => each.items !== undefined)?.items;
    if (token === "*" && items !== undefined) {
      const list = isList(base) ? base : [];
      const before = more.length === 0 ? (first === undefined ? [] : [first]) : [];
      const inner = put(more.length === 0 ? undefined : list[0], items, more);
      if (inner === undefined) return undefined;
      const after = more.length === 0 ? [] : list.slice(1);
      return { body: [...before, inner.body, ...after], place: joined(String(before.length), inner.place) };
    }
    const map = parts.find((each) => each.additionalProperties !== undefined)?.additionalProperties;
    const key = token === "*" ? (fields[0]?.name ?? "a") : token;
    const child = fields.find(({ name }) => name === key)?.shape ?? (token === "*" ? map : undefined);
    if (child === undefined) return undefined;
    const record = isRecord(base) ? base : {};
    const inner = put(record[key], child, more);
    if (inner === undefined) return undefined;
    return { body: laidOver(record, { [key]: inner.body }), place: joined(key, inner.place) };
  };
  return put(body, shape, pointer);
}

/** A body with additional fields. */
export function laidOver(body: Template | undefined, fields: Readonly<Record<string, Template>>): Template {
  if (body === undefined) return fields;
  return isRecord(body) && !isForm(body) ? { ...body, ...fields } : { $merge: [body, fields] };
}

/** True for a template operator. */
function isForm(record: Readonly<Record<string, Template>>): boolean {
  return Object.keys(record).some((each) => each.startsWith("$"));
}

/** How to create an object that a case references outside of its path. */
export interface Making {
  readonly resource: string;
  readonly as: string;
  readonly by?: "stranger";
  readonly fresh?: true;
  /** Names of possible parents, by resource. */
  readonly within?: Readonly<Record<string, string>>;
}

/** Steps that create an object and its parents. Undefined without a recipe. */
export function makingOf(context: Context, making: Making): readonly MakeStep[] | undefined {
  const { resource, as, by, fresh, within = {} } = making;
  const recipe = recipeOf(context, resource);
  if (recipe === undefined) return undefined;
  const whose = by === undefined ? {} : { by };
  const before: MakeStep[] = [];
  const of: Record<string, Template> = {};
  for (const outer of takenBy(recipe)) {
    const known = within[outer];
    const name = known ?? `${as}${outer}`;
    if (known === undefined) {
      const own = takesPlace(context, resource) ? { fresh: true as const } : {};
      const steps = makingOf(context, { resource: outer, as: name, within, ...own, ...whose });
      if (steps === undefined) return undefined;
      before.push(...steps);
    }
    of[outer] = { $get: name };
  }
  const own = fresh === undefined ? {} : { fresh };
  return [...before, { make: resource, as, ...(Object.keys(of).length === 0 ? {} : { of }), ...own, ...whose }];
}

/** True when an object can be created within a given parent. */
export function isMadeWithin(context: Context, resource: string, outer: string): boolean {
  const recipe = recipeOf(context, resource);
  return recipe !== undefined && takenBy(recipe).includes(outer);
}

/** The names of parents that a recipe takes as inputs. */
function takenBy(recipe: Recipe): readonly string[] {
  const found = JSON.stringify(recipe).matchAll(/"of#\/([A-Z]\w*)/g);
  return [...new Set([...found].map(([, name = ""]) => name))];
}

function recipeOf(context: Context, name: string): Recipe | undefined {
  const known = recipes.get(context) ?? recipesOf(context);
  recipes.set(context, known);
  return Object.hasOwn(known, name) ? known[name] : undefined;
}

const recipes = new WeakMap<Context, Readonly<Record<string, Recipe>>>();

/** The name of a referenced object in a case. */
export function calledNamed(resource: string): string {
  return `${nameOf(resource)}Named`;
}

function joined(key: string, rest: string): string {
  return rest === "" ? key : `${key}.${rest}`;
}

function isList(value: Template | undefined): value is readonly Template[] {
  return Array.isArray(value);
}

function isRecord(value: Template | undefined): value is { readonly [key: string]: Template } {
  return typeof value === "object" && value !== null && !isList(value);
}
