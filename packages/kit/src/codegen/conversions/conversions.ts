import {
  type Api,
  isJsonObject,
  type Json,
  type Schema,
  schemasByName,
  type SchemasByName,
  visitSubschemas,
} from "../../model/index.js";
import { isBinary } from "../types/bytes.js";
import { conditionalProperties } from "../types/conditional.js";
import { acceptsAnything, mergeObjectSchemas } from "../types/merge.js";
import {
  anyOfSchemas,
  impliedTypes,
  inherit,
  constrainingBranches,
  isBareObject,
  onlyBranch,
  valuesBySchema,
} from "../types/schema-parts.js";
import { keyOf, type ConvertedScalar, type ConverterNode } from "./converter-node.js";
import {
  anyShape,
  emptyShape,
  intersectShapes,
  keyedShape,
  toRaw,
  uniteShapes,
  type FieldShape,
  type ObjectShape,
  type ValueShape,
} from "./value-shape.js";

/** The package of generated clients, and of the types and converters of such values. */
export const clientRuntime = "@plumbline/client-runtime";

/** Which values of JSON are others in a program. */
export interface ConversionOptions {
  /** The type of the format `date-time`, and with Temporal of `date`. */
  readonly dates: "Date" | "Temporal" | undefined;
  /** The type of the format `int64`, where the description does not bound it to what a number represents exactly. */
  readonly integers: "bigint" | undefined;
  /** The places of integers that stay numbers, such as those of pages. */
  readonly numbers: ReadonlySet<Schema["origin"]>;
}

/** Decides where values of schemas have dates and 64-bit integers. Types and converters both follow it, so that types are true. */
export class Conversions {
  readonly options: ConversionOptions;
  readonly #schemas: SchemasByName;
  readonly #converting: ReadonlySet<string>;
  readonly #shapes = new WeakMap<Schema, Map<string, ValueShape>>();
  readonly #namedShapes = new Map<string, ValueShape>();
  readonly #pending = new Set<string>();
  /** How often a schema was an alternative of itself. Shapes computed meanwhile are preliminary. */
  #cycles = 0;

  constructor(api: Api, options: ConversionOptions) {
    this.options = options;
    this.#schemas = schemasByName(api);
    this.#converting = convertingNames(
      api,
      (schema) => this.scalarOf(schema, "string") ?? this.scalarOf(schema, "integer"),
    );
  }

  /** True if values of a named schema may contain some that are converted. */
  mayConvert(name: string): boolean {
    return this.#converting.has(name);
  }

  /** Returns the converter of values of a schema, or undefined where there is nothing to convert. */
  converterOf(schema: Schema): ConverterNode | undefined {
    return this.#inside(schema, new Set()).converter;
  }

  /** Returns the converter of a named schema that may convert. */
  namedConverter(name: string): ConverterNode {
    const schema = this.#schemas.get(name);
    const converter = schema && this.shapeOf(schema, new Set([name])).converter;
    return converter ?? { kind: "all", of: [] };
  }

  /** True if the type of a schema has texts and numbers in place of what is converted elsewhere, since its alternatives are ambiguous. */
  isRaw(schema: Schema, within: ReadonlySet<string>): boolean {
    return this.shapeOf(schema, within).isRaw;
  }

  /** Returns what a scalar of a schema is, if it is converted. */
  scalarOf(schema: Schema, type: string): ConvertedScalar | undefined {
    const { dates, integers, numbers } = this.options;
    if (schema.enum !== undefined || schema.const !== undefined || numbers.has(schema.origin)) return undefined;
    if (
      type === "string" &&
      schema.types.includes("string") &&
      !isBinary(schema) &&
      schema.contentEncoding === undefined
    ) {
      if (schema.format === "date-time" && dates !== undefined) return dates === "Date" ? "Date" : "Instant";
      return schema.format === "date" && dates === "Temporal" ? "PlainDate" : undefined;
    }
    const isInteger = type === "integer" && schema.types.includes("integer") && !schema.types.includes("number");
    return isInteger && integers !== undefined && schema.format === "int64" && !isSafe(schema) ? "BigInt" : undefined;
  }

  /** Mirrors how types are printed. `within` has the named schemas that are being merged. */
  shapeOf(schema: Schema, within: ReadonlySet<string> = new Set()): ValueShape {
    const key = [...within].sort().join();
    const shapes = this.#shapes.get(schema) ?? new Map<string, ValueShape>();
    this.#shapes.set(schema, shapes);
    const cached = shapes.get(key);
    if (cached !== undefined) return cached;
    const cycles = this.#cycles;
    const shape = this.#compute(schema, within);
    if (cycles === this.#cycles) shapes.set(key, shape);
    return shape;
  }

  #compute(schema: Schema, within: ReadonlySet<string>): ValueShape {
    const inside = (each: Schema): ValueShape => this.shapeOf(each, within);
    if (schema.never) return emptyShape;
    if (acceptsAnything(schema)) return anyShape;
    if (schema.ref !== undefined) {
      const { ref, ...beside } = schema;
      const reference = this.#named(ref);
      return acceptsAnything(beside) ? reference : intersectShapes([reference, inside(beside)]);
    }
    const values = schema.const === undefined ? schema.enum : [schema.const];
    if (values !== undefined) return shapeOfConstants(values);
    const only = onlyBranch(schema);
    if (only !== undefined) return inside(only);
    const merged = mergeObjectSchemas(schema, this.#schemas, within);
    if (merged !== undefined) return this.shapeOf(merged.schema, merged.names);
    const { allOf: _, anyOf = [], oneOf = [], ...core } = schema;
    const parts = constrainingBranches(schema).map(inside);
    for (const union of [anyOf, oneOf]) {
      if (union.every(acceptsAnything)) continue;
      const { discriminator } = schema;
      const shapes = union.map((branch) => inside(inherit(branch, core)));
      const mapped = discriminator && {
        tag: discriminator.propertyName,
        valuesOf: (branch: number) => valuesBySchema(discriminator).get(union[branch]?.ref ?? "") ?? [],
      };
      parts.push(uniteShapes(shapes, mapped));
    }
    if (!acceptsAnything(core) && !(isBareObject(core) && parts.length > 0))
      parts.unshift(this.#core(core, (each) => this.#inside(each, within)));
    // One ambiguous part makes all of it raw: an intersection of both kinds of types has no values.
    const all = intersectShapes(parts);
    return parts.some(({ isRaw }) => isRaw) && parts.length > 1 ? toRaw(all) : all;
  }

  #named(name: string): ValueShape {
    const schema = this.#schemas.get(name);
    const cached = this.#namedShapes.get(name);
    if (cached !== undefined) return cached;
    if (schema === undefined) return anyShape;
    if (this.#pending.has(name)) {
      // A schema that is an alternative of itself adds no values.
      this.#cycles++;
      return emptyShape;
    }
    this.#pending.add(name);
    const cycles = this.#cycles;
    const shape = this.shapeOf(schema, new Set([name]));
    this.#pending.delete(name);
    const converter = shape.converter && this.#reference(name);
    const objects = shape.objects.map((each) => ({ ...each, converter: each.converter && converter }));
    const namedShape = { ...shape, isRaw: false, objects, converter };
    if (cycles === this.#cycles || this.#pending.size === 0) this.#namedShapes.set(name, namedShape);
    return namedShape;
  }

  #reference(name: string): ConverterNode | undefined {
    return this.mayConvert(name) ? { kind: "named", name } : undefined;
  }

  /** The shape of what is inside of an object or array: the shape of a named schema matters only where it is an alternative. */
  #inside(schema: Schema, within: ReadonlySet<string>): ValueShape {
    const { ref, ...beside } = schema;
    if (ref === undefined || !acceptsAnything(beside)) return this.shapeOf(schema, within);
    return { ...emptyShape, converter: this.#reference(ref) };
  }

  #core(schema: Schema, inside: (schema: Schema) => ValueShape): ValueShape {
    const types = schema.types.length > 0 ? schema.types : impliedTypes(schema);
    const shapes = types.map((type): ValueShape => {
      if (type === "array") return this.#array(schema, inside);
      if (type === "object") return objectShape(schema, inside, (each) => this.#constants(each));
      if (type === "boolean" || type === "null") return emptyShape;
      const scalar = this.scalarOf(schema, type);
      const kind = type === "string" ? "strings" : "numbers";
      return keyedShape(kind, scalar && { kind: "scalar", scalar });
    });
    return uniteShapes(shapes);
  }

  #array({ prefixItems, items }: Schema, inside: (schema: Schema) => ValueShape): ValueShape {
    const rest = items && inside(items).converter;
    const first = (prefixItems ?? []).map((each) => inside(each).converter ?? null);
    if (first.some((each) => each !== null))
      return keyedShape("arrays", { kind: "prefix", of: first, rest: rest ?? null });
    if (rest === undefined) return keyedShape("arrays", undefined);
    return keyedShape("arrays", first.length > 0 ? { kind: "prefix", of: first, rest } : { kind: "items", of: rest });
  }

  /** The texts that a schema allows, if it lists them. */
  #constants(schema: Schema): readonly string[] | undefined {
    const target = schema.ref === undefined ? schema : this.#schemas.get(schema.ref);
    const values = target?.const === undefined ? target?.enum : [target.const];
    const single = values ?? target?.allOf?.flatMap((each) => each.const ?? each.enum);
    const texts = single?.filter((each) => typeof each === "string") ?? [];
    return texts.length > 0 && texts.length === single?.length ? texts : undefined;
  }
}

function objectShape(
  schema: Schema,
  inside: (schema: Schema) => ValueShape,
  constantsOf: (schema: Schema) => readonly string[] | undefined,
): ValueShape {
  if (schema.maxProperties === 0) return { ...emptyShape, objects: [objectOf(new Map(), "closed", undefined)] };
  const required = new Set(schema.required);
  const properties = [...(schema.properties ?? []), ...conditionalProperties(schema)];
  const shapes = properties.map(({ name, schema: field }) => ({ name, field, shape: inside(field) }));
  const fields = new Map(
    shapes.map(({ name, field, shape }): [string, FieldShape] => [
      name,
      {
        isAny: shape.isAny,
        isRequired: required.has(name),
        key: keyOf(shape.converter),
        constants: constantsOf(field),
      },
    ]),
  );
  const converted = shapes.flatMap(({ name, shape: { converter } }) =>
    converter === undefined ? [] : [[name, converter] as const],
  );
  const node: ConverterNode | undefined = converted.length === 0 ? undefined : { kind: "fields", fields: converted };
  const { additionalProperties, patternProperties = {} } = schema;
  const additional = additionalProperties === undefined ? [] : [additionalProperties];
  const others = [...additional, ...Object.values(patternProperties)].filter((each) => !each.never);
  const isClosed = additionalProperties?.never === true && others.length === 0;
  if (others.length === 0 || fields.size > 0 || required.size > 0 || others.some(acceptsAnything))
    return { ...emptyShape, converter: node, objects: [objectOf(fields, isClosed ? "closed" : "unknown", node)] };
  const [only] = others;
  const united = inside(others.length === 1 && only ? only : anyOfSchemas(others, schema));

  const map: ConverterNode | undefined = united.converter && { kind: "map", of: united.converter };
  return { ...emptyShape, converter: map, objects: [objectOf(fields, { key: keyOf(united.converter) }, map)] };
}

function objectOf(
  fields: ReadonlyMap<string, FieldShape>,
  others: ObjectShape["others"],
  converter: ConverterNode | undefined,
): ObjectShape {
  return { fields, others, converter };
}

function shapeOfConstants(values: readonly Json[]): ValueShape {
  const has = (type: string): ReadonlySet<string> => new Set(values.some((each) => typeof each === type) ? [""] : []);
  const hasArray = values.some(Array.isArray);
  const hasObject = values.some(isJsonObject);
  return {
    ...emptyShape,
    strings: has("string"),
    numbers: has("number"),
    arrays: new Set(hasArray ? [""] : []),
    objects: hasObject ? [objectOf(new Map(), "unknown", undefined)] : [],
  };
}

/** True if the bounds leave only integers that a number represents exactly. */
function isSafe({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): boolean {
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const most = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  return least >= Number.MIN_SAFE_INTEGER && most <= Number.MAX_SAFE_INTEGER;
}

/** The named schemas from which a schema with a converted scalar can be reached. */
function convertingNames(api: Api, scalarOf: (schema: Schema) => ConvertedScalar | undefined): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  const names = new Set<string>();
  for (const { name, schema } of api.schemas)
    visitSubschemas(schema, (each) => {
      if (each.ref !== undefined) users.set(each.ref, [...(users.get(each.ref) ?? []), name]);
      if (scalarOf(each) !== undefined) names.add(name);
    });
  for (const name of names) for (const user of users.get(name) ?? []) names.add(user);
  return names;
}

const conversionsByApi = new WeakMap<Api, Conversions>();

/** Returns the model with conversions: what prints its types, prints those of converted values. */
export function withConversions(api: Api, options: ConversionOptions): Api {
  const converting: Api = { ...api };
  conversionsByApi.set(converting, new Conversions(converting, options));
  return converting;
}

/** Returns the conversions of a model, if it has any. */
export function conversionsOf(api: Api): Conversions | undefined {
  return conversionsByApi.get(api);
}
