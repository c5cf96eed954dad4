import { code, imported, join, key, literal, name, type Code } from "../emit/printer.js";
import type { Api, Property, Shape } from "../model/api.js";
import { branchesOf, partsOf } from "../model/fields.js";
import { once } from "../model/once.js";
import { shapesOf } from "../model/shapes-by-name.js";
import type { NamedChecks } from "./checks.js";
import type { Pool } from "./checks/pool.js";
import type { Nulls } from "./checks/scope.js";
import { allowsNull } from "./checks/types.js";
import { $, $type } from "./runtime.js";
import { emitValueRules } from "./values.js";

/** How a validated body is normalized. */
export interface Preparation {
  readonly nulls: Nulls;
  /** Whether to apply constant defaults. They are right when something is created and wrong when it is changed. */
  readonly defaults: boolean;
  /** Whether to apply values that follow from the request. Not if a value may repeat the stored one, which only the server knows. */
  readonly values: boolean;
  /** True for values inside the body: conditions on the body do not apply to them. */
  readonly within: boolean;
}

const readOnlyOf = once(readOnlyFields);

/** The normalizers of the requested named schemas, each printed once. */
export class NamedTakes {
  readonly #api: Api;
  readonly #checks: NamedChecks;
  readonly #wanted = new Map<string, { readonly shape: string; readonly how: Preparation }>();

  constructor(api: Api, checks: NamedChecks) {
    this.#api = api;
    this.#checks = checks;
  }

  /**
   * Emits an expression of the type Take for a schema, or returns `undefined` if nothing is to be normalized.
   * `from` is the path of the file with named normalizers, if it is another one.
   */
  of(shape: Shape, how: Preparation, pool: Pool, from?: string): Code | undefined {
    const { ref, allOf = [] } = shape;
    const parts = [
      ...(ref === undefined || !this.#isObjectLike(shape) ? [] : [this.#named(ref, how, from)]),
      ...allOf.flatMap((part) => this.of(part, how, pool, from) ?? []),
      ...this.#own(shape, how, pool, from),
    ];
    const [only] = parts;
    if (only === undefined || (parts.length === 1 && !this.#isInParts(shape))) return only;
    const known = this.#overlaps(shape) ? undefined : this.#fieldsOf(shape);
    const fields = known === undefined ? [] : [pool.set("field names", [...known])];
    return code`${$("takingAll")}(${join([code`() => [${join(parts, code`, `)}]`, ...fields], code`, `)})`;
  }

  /** True if more than one schema declares fields of the same object. */
  #isInParts(shape: Shape): boolean {
    return this.#layersOf(shape).filter((layer) => this.#fieldsOf(layer)?.size !== 0).length > 1;
  }

  /** True if two of them declare fields inside the same field. Then neither knows which fields are unknown there. */
  #overlaps(shape: Shape): boolean {
    const names = this.#layersOf(shape).flatMap((layer) => [...this.#nestedIn(layer)]);
    return new Set(names).size < names.length;
  }

  /** Returns the schemas that apply to the same object: its own properties, its reference and its branches. */
  #layersOf(shape: Shape): readonly Shape[] {
    const named = shape.ref === undefined ? undefined : shapesOf(this.#api).get(shape.ref);
    return [ownFields(shape), ...(named === undefined ? [] : [named]), ...branchesOf(shape)];
  }

  /** Returns every field that a schema declares in any of its parts, or `undefined` if any field is allowed. */
  #fieldsOf(shape: Shape): ReadonlySet<string> | undefined {
    const always = partsOf(this.#api, shape);
    const parts = [...always, ...always.flatMap(sometimes).flatMap((part) => partsOf(this.#api, part))];
    if (parts.some(isOpen)) return undefined;
    return new Set(parts.flatMap(({ properties = [] }) => properties.map((property) => property.name)));
  }

  /** Returns the fields that are objects, or arrays of objects. */
  #nestedIn(shape: Shape): ReadonlySet<string> {
    const properties = partsOf(this.#api, shape).flatMap((part) => part.properties ?? []);
    return new Set(properties.filter((each) => this.#isObjectLike(each.shape)).map((each) => each.name));
  }

  /** Prints every requested normalizer. Printing one may request others. */
  print(pool: Pool): readonly Code[] {
    const constants: Code[] = [];
    for (const [own, { shape, how }] of this.#wanted) {
      const take = this.#ofNamed(shape, how, pool);
      constants.push(code`export const ${name(own)}: ${$type("Take")} = /* @__PURE__ */ ${take};`);
    }
    return constants;
  }

  #ofNamed(shape: string, how: Preparation, pool: Pool): Code {
    const found = shapesOf(this.#api).get(shape);
    const take = found === undefined ? undefined : this.of(found, how, pool);
    return take ?? code`${$("taking")}(() => ({}))`;
  }

  #named(shape: string, how: Preparation, from: string | undefined): Code {
    const isApart = how.within && hasConditions(shapesOf(this.#api).get(shape));
    const variant = `${how.defaults ? "" : "Change"}${how.values ? "" : "AsSent"}${isApart ? "Within" : ""}`;
    const own = `take${how.nulls === "absent" ? "Sent" : ""}${shape}${variant}`;
    this.#wanted.set(own, { shape, how });
    return from === undefined ? name(own) : imported(own, from);
  }

  #own(shape: Shape, how: Preparation, pool: Pool, from: string | undefined): readonly Code[] {
    if (shape.items !== undefined) {
      const items = this.of(shape.items, { ...how, within: true }, pool, from);
      if (items !== undefined) return [code`${$("takingItems")}(() => ${items})`];
    }
    if (shape.properties === undefined) return [];
    const rules = this.#rules(shape, shape.properties, { how, pool, from });
    if (rules.length === 0) return [];
    return [code`${$("taking")}(() => ({ ${join(rules, code`, `)} }))`];
  }

  #rules(
    shape: Shape,
    properties: readonly Property[],
    { how, pool, from }: { readonly how: Preparation; readonly pool: Pool; readonly from: string | undefined },
  ): readonly Code[] {
    const shapes = { named: (ref: string): Shape => shapesOf(this.#api).get(ref) ?? shape };
    const names = (chosen: readonly Property[]): readonly string[] => chosen.map((property) => property.name);
    const nulls = how.nulls === "absent" ? properties.filter((each) => !allowsNull(shapes, each.shape)) : [];
    const defaults = how.defaults ? properties.filter((each) => each.shape.default !== undefined) : [];
    const values = how.values
      ? properties.flatMap((each) => emitValueRules(each, how, this.#checks.around(pool, how.nulls, from)))
      : [];
    const fields = properties.flatMap((each) => {
      const take = this.of(each.shape, { ...how, within: true }, pool, from);
      return take === undefined ? [] : [code`${key(each.name)}: ${take}`];
    });
    const known = this.#fieldsOf(ownFields(shape));
    const without = [...(readOnlyOf(this.#api).get(shape) ?? [])];
    return [
      ...(nulls.length === 0 ? [] : [code`nulls: ${pool.set("field names", names(nulls))}`]),
      ...(without.length === 0 ? [] : [code`without: ${pool.set("field names", without)}`]),
      ...(defaults.length === 0
        ? []
        : [
            code`defaults: { ${join(
              defaults.map((each) => code`${key(each.name)}: ${literal(each.shape.default ?? null)}`),
              code`, `,
            )} }`,
          ]),
      ...(values.length === 0 ? [] : [code`values: { ${join(values, code`, `)} }`]),
      ...(fields.length === 0 ? [] : [code`fields: { ${join(fields, code`, `)} }`]),
      ...(known === undefined ? [] : [code`known: ${pool.set("field names", [...known])}`]),
    ];
  }

  #isObjectLike(shape: Shape, seen: ReadonlySet<string> = new Set()): boolean {
    const { ref } = shape;
    if (ref !== undefined && !seen.has(ref)) {
      const found = shapesOf(this.#api).get(ref);
      if (found !== undefined && this.#isObjectLike(found, new Set([...seen, ref]))) return true;
    }
    const parts = [...(shape.allOf ?? []), ...(shape.items === undefined ? [] : [shape.items])];
    return shape.properties !== undefined || parts.some((part) => this.#isObjectLike(part, seen));
  }
}

/** Returns a schema with only the keywords that declare fields. */
function ownFields({ origin, types, properties = [], additionalProperties, patternProperties }: Shape): Shape {
  return {
    origin,
    types,
    properties,
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
    ...(patternProperties === undefined ? {} : { patternProperties }),
  };
}

/** Returns the schemas that apply to the same object conditionally. */
function sometimes({ then, else: otherwise, dependentSchemas = {} }: Shape): readonly Shape[] {
  return [then, otherwise, ...Object.values(dependentSchemas)].filter((each) => each !== undefined);
}

/** True if fields may have any name. */
function isOpen({ additionalProperties, patternProperties = {}, unevaluatedProperties }: Shape): boolean {
  const isFree = [additionalProperties, unevaluatedProperties].some(
    (each) => each !== undefined && each.never !== true,
  );
  return isFree || Object.keys(patternProperties).length > 0;
}

/** Maps the schema of a request to the read-only fields that requests leave out. */
function readOnlyFields(api: Api): ReadonlyMap<Shape, ReadonlySet<string>> {
  const shapes = new Map(api.shapes.map((each) => [each.name, each.shape] as const));
  const found = new Map<Shape, ReadonlySet<string>>();
  for (const { shape, formOf } of api.shapes) {
    const read = formOf === undefined ? undefined : shapes.get(formOf.name);
    if (read?.properties === undefined || shape.properties === undefined) continue;
    const own = new Set(shape.properties.map((property) => property.name));
    const missing = read.properties.filter((property) => property.readOnly && !own.has(property.name));
    if (missing.length > 0) found.set(shape, new Set(missing.map((property) => property.name)));
  }
  return found;
}

function hasConditions(shape: Shape | undefined): boolean {
  return shape?.properties?.some((property) => property.shape.values?.some((rule) => rule.when !== undefined)) === true;
}
