import type {
  RequestBody,
  MediaTypeObject,
  SchemaVariant,
  NamedSchema,
  Operation,
  Property,
  OperationResponse,
  Schema,
} from "../api.js";
import {
  listKeywords,
  mapKeywords,
  singleKeywords,
  subschemaKeywords,
  type SubschemaKeyword,
} from "../keywords/subschemas.js";

/**
 * Resolves the schemas of requests and responses. `readOnly` properties are omitted from requests, `writeOnly` ones
 * from responses, and immutable
 * ones from updates. The name of a schema stands for its read variant if a response contains it, and otherwise for the
 * first variant that
 * requests need. Other variants that differ get their own names, such as `PetCreate` and `PetUpdate`.
 */
export function resolveSchemaVariants(
  read: { readonly operations: readonly Operation[]; readonly linked: readonly Operation[] },
  named: readonly NamedSchema[],
  nameVariant: NameVariant,
): {
  readonly operations: readonly Operation[];
  readonly linked: readonly Operation[];
  readonly schemas: readonly NamedSchema[];
} {
  const variants = new VariantBuilder(named, ownVariants(read, named), nameVariant);
  const settle = (operation: Operation): Operation => {
    const request = requestVariant(operation);
    const body: RequestBody | undefined = operation.requestBody && {
      ...operation.requestBody,
      contents: variants.contents(operation.requestBody.contents, request),
    };
    const responses = operation.responses.map((response): OperationResponse => ({
      ...response,
      contents: variants.contents(response.contents, "read"),
    }));
    return { ...operation, ...(body === undefined ? {} : { requestBody: body }), responses };
  };
  return { operations: read.operations.map(settle), linked: read.linked.map(settle), schemas: variants.all() };
}

function requestVariant({ method }: Operation): SchemaVariant {
  return method === "PUT" || method === "PATCH" ? "update" : "create";
}

/** Returns the name of a variant, given the preferred one. */
export type NameVariant = (preferred: string, schema: Schema, isTaken: (name: string) => boolean) => string;

/** Returns the variant for which each name stands: the first in which an operation uses the schema. */
function ownVariants(
  { operations, linked }: { readonly operations: readonly Operation[]; readonly linked: readonly Operation[] },
  named: readonly NamedSchema[],
): ReadonlyMap<string, SchemaVariant> {
  const carried = (variant: SchemaVariant): readonly MediaTypeObject[] =>
    [...operations, ...linked].flatMap((operation) => {
      if (variant === "read") return operation.responses.flatMap((response) => response.contents);
      return requestVariant(operation) === variant ? (operation.requestBody?.contents ?? []) : [];
    });
  const schemas = new Map(named.map((each) => [each.name, each.schema] as const));
  const own = new Map<string, SchemaVariant>();
  for (const variant of ["read", "create", "update"] as const) {
    const pending = carried(variant).flatMap(({ schema, itemSchema }) => [
      schema,
      ...(itemSchema === undefined ? [] : [itemSchema]),
    ]);
    for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
      for (const name of summarizeSchema(schema).names) {
        const next = schemas.get(name);
        if (next === undefined || own.has(name)) continue;
        own.set(name, variant);
        pending.push(next);
      }
    }
  }
  return own;
}

class VariantBuilder {
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #own: ReadonlyMap<string, SchemaVariant>;
  readonly #differingSchemas = new Map<string, ReadonlySet<string>>();
  readonly #created = new Map<string, NamedSchema>();
  readonly #nameVariant: NameVariant;
  /** The names of variants that are created, by the preferred names. */
  readonly #variantNames = new Map<string, string>();
  readonly #named: readonly NamedSchema[];

  constructor(named: readonly NamedSchema[], own: ReadonlyMap<string, SchemaVariant>, nameVariant: NameVariant) {
    this.#named = named;
    this.#schemas = new Map(named.map((each) => [each.name, each.schema] as const));
    this.#own = own;
    this.#nameVariant = nameVariant;
  }

  contents(contents: readonly MediaTypeObject[], variant: SchemaVariant): readonly MediaTypeObject[] {
    return contents.map((content) => ({
      ...content,
      schema: this.#toVariant(content.schema, variant),
      ...(content.itemSchema !== undefined && { itemSchema: this.#toVariant(content.itemSchema, variant) }),
    }));
  }

  /** Returns every schema in the variant of its own name, each followed by its other required variants. */
  all(): readonly NamedSchema[] {
    const own = this.#named.map(({ name, schema }) => ({ name, schema: this.#toVariant(schema, this.#ownOf(name)) }));
    return own.flatMap((each) => [
      each,
      ...[...this.#created.values()].filter((made) => made.variantOf?.name === each.name),
    ]);
  }

  /** Returns a schema in a variant. Most schemas are the same in every variant, and keep their identity. */
  #toVariant(schema: Schema, variant: SchemaVariant): Schema {
    const { names, omitted } = summarizeSchema(schema);
    const differs = omitted.some((variants) => variants.includes(variant));
    return differs || [...names].some((name) => this.#nameIn(name, variant) !== name)
      ? this.#buildVariant(schema, variant)
      : schema;
  }

  /** Builds a variant. `above` has the names of omitted properties of the object that the schema is a part of. */
  #buildVariant(schema: Schema, variant: SchemaVariant, above: ReadonlySet<string> = new Set()): Schema {
    const reference = schema.ref === undefined ? {} : { ref: this.#nameIn(schema.ref, variant) };
    const omitted = new Set([...above, ...this.#omittedProperties(schema, variant)]);
    const properties = schema.properties?.filter((property) => !omitted.has(property.name));
    return {
      ...mapSubschemas(schema, (child, key) =>
        this.#buildVariant(child, variant, subschemaKeywords[key].isSameValue ? omitted : undefined),
      ),
      ...reference,
      ...(properties === undefined
        ? {}
        : { properties: properties.map((each) => ({ ...each, schema: this.#buildVariant(each.schema, variant) })) }),
      ...(schema.required === undefined ? {} : { required: schema.required.filter((name) => !omitted.has(name)) }),
      ...(schema.discriminator === undefined
        ? {}
        : {
            discriminator: {
              ...schema.discriminator,
              mapping: schema.discriminator.mapping.map((each) => ({
                ...each,
                schema: this.#nameIn(each.schema, variant),
              })),
            },
          }),
    };
  }

  /** Returns the names of the properties that a schema and its branches omit. */
  #omittedProperties(schema: Schema, variant: SchemaVariant): ReadonlySet<string> {
    const omitted = new Set<string>();
    const seen = new Set<string>();
    const pending = [schema];
    for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
      for (const property of each.properties ?? []) if (isOmitted(property, variant)) omitted.add(property.name);
      pending.push(...(each.allOf ?? []));
      const named = each.ref === undefined || seen.has(each.ref) ? undefined : this.#schemas.get(each.ref);
      if (named !== undefined) pending.push(named);
      seen.add(each.ref ?? "");
    }
    return omitted;
  }

  #nameIn(name: string, variant: SchemaVariant): string {
    const own = this.#ownOf(name);
    if (variant === own || variant === "read" || !this.#findDiffering(own, variant).has(name)) return name;
    const preferred = `${name}${variant === "create" ? "Create" : "Update"}`;
    const created = this.#variantNames.get(preferred);
    if (created !== undefined) return created;
    const schema = this.#schemas.get(name);
    if (schema === undefined) return name;
    const isTaken = (each: string): boolean => this.#schemas.has(each) || this.#created.has(each);
    const variantName = this.#nameVariant(preferred, schema, isTaken);
    this.#variantNames.set(preferred, variantName);
    const made: { name: string; variantOf: { name: string; variant: SchemaVariant }; schema: Schema } = {
      name: variantName,
      variantOf: { name, variant },
      schema,
    };
    this.#created.set(variantName, made); // before its fields are visited, since a schema may contain itself
    made.schema = this.#toVariant(schema, variant);
    return variantName;
  }

  /** Returns the variant of a name. Schemas that no operation uses stand for their read variant. */
  #ownOf(name: string): SchemaVariant {
    return this.#own.get(name) ?? "read";
  }

  /** Returns the names of the schemas that differ between two variants. */
  #findDiffering(a: SchemaVariant, b: SchemaVariant): ReadonlySet<string> {
    const key = `${a} ${b}`;
    const found =
      this.#differingSchemas.get(key) ??
      schemasReaching(this.#named, (variants) => variants.includes(a) !== variants.includes(b));
    this.#differingSchemas.set(key, found);
    return found;
  }
}

function isOmitted(property: Property, variant: SchemaVariant): boolean {
  if (variant === "read") return property.writeOnly;
  if (property.readOnly) return true;
  // a property with an error of its own stays in updates, so that the server can report the error
  return variant === "update" && property.mutability?.rule === "immutable" && property.mutability.error === undefined;
}

/** What determines how a schema differs between variants. */
interface VariantSummary {
  /** The names of the schemas that it refers to. */
  readonly names: ReadonlySet<string>;
  /** For each kind of omitted property: the variants that omit it. */
  readonly omitted: readonly (readonly SchemaVariant[])[];
}

const summaries = new WeakMap<Schema, VariantSummary>();

function summarizeSchema(schema: Schema): VariantSummary {
  const known = summaries.get(schema);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const omitted = new Map<string, readonly SchemaVariant[]>();
  visitSubschemas(schema, ({ ref, discriminator, properties = [] }) => {
    if (ref !== undefined) names.add(ref);
    for (const each of discriminator?.mapping ?? []) names.add(each.schema);
    for (const property of properties) {
      if (!property.readOnly && !property.writeOnly && property.mutability === undefined) continue;
      const variants = allVariants.filter((variant) => isOmitted(property, variant));
      if (variants.length > 0) omitted.set(variants.join(" "), variants);
    }
  });
  const summary = { names, omitted: [...omitted.values()] };
  summaries.set(schema, summary);
  return summary;
}

const allVariants = ["read", "create", "update"] as const;

/** Returns the names of all schemas that contain a matching property, directly or by reference. */
function schemasReaching(
  named: readonly NamedSchema[],
  isOne: (variants: readonly SchemaVariant[]) => boolean,
): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  const found = new Set<string>();
  for (const { name, schema } of named) {
    const { names, omitted } = summarizeSchema(schema);
    if (omitted.some(isOne)) found.add(name);
    for (const each of names) {
      const known = users.get(each);
      if (known === undefined) users.set(each, [name]);
      else known.push(name);
    }
  }
  const queue = [...found];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const user of users.get(name) ?? []) {
      if (found.has(user)) continue;
      found.add(user);
      queue.push(user);
    }
  }
  return found;
}

const keysOfSubschemas: ReadonlySet<string> = new Set([...Object.keys(subschemaKeywords), "properties"]);

/** Visits a schema and all of its subschemas. Does not follow references. */
export function visitSubschemas(schema: Schema, see: (schema: Schema) => void): void {
  see(schema);
  // Most schemas have none, and reading seventeen absent keys takes longer than looking at the present ones.
  if (!Object.keys(schema).some((key) => keysOfSubschemas.has(key))) return;
  const inside = (child: Schema): void => visitSubschemas(child, see);
  for (const key of singleKeywords) if (schema[key] !== undefined) inside(schema[key]);
  for (const key of listKeywords) schema[key]?.forEach(inside);
  for (const key of mapKeywords) if (schema[key] !== undefined) Object.values(schema[key]).forEach(inside);
  schema.properties?.forEach((property) => inside(property.schema));
}

/** Returns the schema with every subschema replaced, except those of properties. */
function mapSubschemas(schema: Schema, change: (schema: Schema, key: SubschemaKeyword) => Schema): Schema {
  const next: { -readonly [Key in keyof Schema]: Schema[Key] } = { ...schema };
  for (const key of singleKeywords) if (schema[key] !== undefined) next[key] = change(schema[key], key);
  for (const key of listKeywords)
    if (schema[key] !== undefined) next[key] = schema[key].map((each) => change(each, key));
  for (const key of mapKeywords) {
    const map = schema[key];
    if (map !== undefined)
      next[key] = Object.fromEntries(Object.entries(map).map(([name, each]) => [name, change(each, key)]));
  }
  return next;
}
