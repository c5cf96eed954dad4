import type { Api, Property, Schema } from "../api.js";
import { memoize, memoizeByKey } from "../memoize.js";
import { schemasByName, type SchemasByName } from "./schemas-by-name.js";

/** A value somewhere in a schema to which the vocabulary applies. */
export interface SchemaField {
  /** The path to the value. `*` is each item of an array or each field of a map. Empty for the root. */
  readonly pointer: readonly string[];
  readonly schema: Schema;
  /** The property that contains the value, if there is one. */
  readonly property?: Property;
}

/**
 * Returns every value in a schema that has a reference, value rules, mutability, errors, a scope ceiling or filters.
 * Follows references and compositions; a recursive schema is visited once.
 * @throws A RangeError if there are more paths than any reasonable description has.
 */
export function collectFields(api: Api, schema: Schema): readonly SchemaField[] {
  return fieldsBySchema(api, schema, () => new FieldCollector(api).collect(schema));
}

const fieldsBySchema = memoizeByKey<Schema, readonly SchemaField[]>();

/** Maximum number of paths through schemas that refer to each other. Cloud Compute, a large API, has some hundreds. */
const maxPaths = 20_000;

class FieldCollector {
  readonly #schemas: SchemasByName;
  readonly #annotated: ReadonlySet<string>;
  readonly #found: SchemaField[] = [];
  /** The references visited so far, by name and pointer. A second path to the same pointer adds nothing. */
  readonly #visited = new Set<string>();

  constructor(api: Api) {
    this.#schemas = schemasByName(api);
    this.#annotated = annotatedSchemas(api);
  }

  collect(schema: Schema): readonly SchemaField[] {
    this.#visit({ pointer: [], schema }, []);
    return this.#found;
  }

  #visit(field: SchemaField, within: readonly string[]): void {
    const { schema, pointer } = field;
    if (isAnnotated(schema) || field.property?.mutability !== undefined) this.#found.push(field);
    if (schema.ref !== undefined) this.#follow(schema.ref, pointer, within);
    for (const part of composedSchemas(schema)) this.#visit({ pointer, schema: part }, within);
    for (const { token, ...inner } of schemaChildren(schema))
      this.#visit({ pointer: [...pointer, token], ...inner }, within);
  }

  #follow(name: string, pointer: readonly string[], within: readonly string[]): void {
    const schema = this.#schemas.get(name);
    if (schema === undefined || !this.#annotated.has(name) || within.includes(name)) return;
    const place = `${name} ${pointer.join("/")}`;
    if (this.#visited.has(place)) return;
    this.#visited.add(place);
    if (this.#visited.size > maxPaths) throw new RangeError("there are too many paths through these schemas");
    this.#visit({ pointer, schema }, [...within, name]);
  }
}

/** Returns the schema of the field at the end of these names, also from references and compositions. */
export function findField(api: Api, schema: Schema, [name, ...rest]: readonly string[]): Schema | undefined {
  if (name === undefined) return schema;
  for (const { properties = [] } of schemaParts(api, schema)) {
    const property = properties.find((each) => each.name === name);
    const field = property === undefined ? undefined : findField(api, property.schema, rest);
    if (field !== undefined) return field;
  }
  return undefined;
}

/** Returns a schema and all schemas that apply to the same value, each named schema once. */
export function schemaParts(api: Api, schema: Schema): readonly Schema[] {
  const visited = new Set<string>();
  const parts: Schema[] = [];
  const waiting = [schema];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    parts.push(next);
    const target = next.ref === undefined || visited.has(next.ref) ? undefined : schemasByName(api).get(next.ref);
    if (next.ref !== undefined) visited.add(next.ref);
    waiting.unshift(...(target === undefined ? [] : [target]), ...composedSchemas(next));
  }
  return parts;
}

/**
 * The named schemas that use the vocabulary, directly or by reference. Descriptions without the vocabulary have none,
 * and are not searched.
 */
const annotatedSchemas = memoize((api): ReadonlySet<string> => {
  const users = new Map<string, string[]>();
  const annotated = new Set<string>();
  for (const { name, schema } of api.schemas) {
    const { hasAnnotations, refs } = summarizeContents(schema);
    if (hasAnnotations) annotated.add(name);
    for (const ref of refs) users.set(ref, [...(users.get(ref) ?? []), name]);
  }
  for (const name of annotated) for (const user of users.get(name) ?? []) annotated.add(user);
  return annotated;
});

/** Summarizes a schema itself, without its references. */
function summarizeContents(schema: Schema): { readonly hasAnnotations: boolean; readonly refs: ReadonlySet<string> } {
  const refs = new Set<string>();
  let hasAnnotations = false;
  const waiting: Pick<SchemaField, "schema" | "property">[] = [{ schema }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.schema.ref !== undefined) refs.add(next.schema.ref);
    hasAnnotations ||= isAnnotated(next.schema) || next.property?.mutability !== undefined;
    waiting.push(...composedSchemas(next.schema).map((each) => ({ schema: each })), ...schemaChildren(next.schema));
  }
  return { hasAnnotations, refs };
}

function isAnnotated({ reference, valueRules, errors, scopeCeiling, filterable }: Schema): boolean {
  return [reference, valueRules, errors, scopeCeiling, filterable].some((each) => each !== undefined);
}

export function composedSchemas({ allOf = [], anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...allOf, ...anyOf, ...oneOf];
}

interface SchemaChild {
  readonly token: string;
  readonly schema: Schema;
  readonly property?: Property;
}

function schemaChildren({
  properties = [],
  items,
  additionalProperties,
  prefixItems = [],
}: Schema): readonly SchemaChild[] {
  const [first] = properties;
  const fields =
    first !== undefined && isMap(properties)
      ? [{ token: "*", schema: first.schema, property: first }]
      : properties.map((property) => ({ token: property.name, schema: property.schema, property }));
  const each = [items, additionalProperties, ...prefixItems].filter((schema) => schema !== undefined);
  return [...fields, ...each.map((schema) => ({ token: "*", schema }))];
}

/** Many properties with the same schema are a map with known keys. */
function isMap(properties: readonly Property[]): boolean {
  const [first, ...others] = properties;
  const ref = first?.schema.ref;
  return others.length > 1 && ref !== undefined && others.every(({ schema }) => schema.ref === ref);
}
