import type {
  RequestBody,
  MediaTypeObject,
  SchemaVariant,
  NamedSchema,
  Operation,
  OperationResponse,
  Schema,
} from "../api.js";
import { pickDefined } from "../json-values.js";
import {
  listKeywords,
  mapKeywords,
  singleKeywords,
  subschemaKeywords,
  type SubschemaKeyword,
} from "../keywords/subschemas.js";
import { isOmitted, OmittedProperties, type Omissions } from "./omitted-properties.js";

/**
 * Resolves the schemas of requests and responses. `readOnly` properties are omitted from requests, `writeOnly` ones
 * from responses, and immutable
 * ones from updates. The name of a schema stands for its read variant if a response contains it, and otherwise for the
 * first variant that
 * requests need. Other variants that differ get their own names, such as `PetCreate` and `PetUpdate`.
 */
export function resolveSchemaVariants(
  read: { readonly operations: readonly Operation[]; readonly linked: readonly Operation[] },
  schemas: readonly NamedSchema[],
  nameVariant: NameVariant,
): {
  readonly operations: readonly Operation[];
  readonly linked: readonly Operation[];
  readonly schemas: readonly NamedSchema[];
} {
  const variants = new VariantBuilder(schemas, ownVariants(read, schemas), nameVariant);
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
  namedSchemas: readonly NamedSchema[],
): ReadonlyMap<string, SchemaVariant> {
  const carried = (variant: SchemaVariant): readonly MediaTypeObject[] =>
    [...operations, ...linked].flatMap((operation) => {
      if (variant === "read") return operation.responses.flatMap((response) => response.contents);
      return requestVariant(operation) === variant ? (operation.requestBody?.contents ?? []) : [];
    });
  const schemas = new Map(namedSchemas.map((each) => [each.name, each.schema] as const));
  const variants = new Map<string, SchemaVariant>();
  for (const variant of ["read", "create", "update"] as const) {
    const pending = carried(variant).flatMap(({ schema, itemSchema }) => [
      schema,
      ...(itemSchema === undefined ? [] : [itemSchema]),
    ]);
    for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
      for (const name of summarizeSchema(schema).names) {
        const next = schemas.get(name);
        if (next === undefined || variants.has(name)) continue;
        variants.set(name, variant);
        pending.push(next);
      }
    }
  }
  return variants;
}

class VariantBuilder {
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #own: ReadonlyMap<string, SchemaVariant>;
  readonly #omitted: Readonly<Record<SchemaVariant, OmittedProperties>>;
  readonly #foundSchemas = new Map<string, ReadonlySet<string>>();
  readonly #created = new Map<string, NamedSchema>();
  readonly #nameVariant: NameVariant;
  /** The names of variants that are created, by the preferred names. */
  readonly #variantNames = new Map<string, string>();
  readonly #named: readonly NamedSchema[];

  constructor(schemas: readonly NamedSchema[], variants: ReadonlyMap<string, SchemaVariant>, nameVariant: NameVariant) {
    this.#named = schemas;
    this.#schemas = new Map(schemas.map((each) => [each.name, each.schema] as const));
    this.#omitted = {
      read: new OmittedProperties(this.#schemas, "read"),
      create: new OmittedProperties(this.#schemas, "create"),
      update: new OmittedProperties(this.#schemas, "update"),
    };
    this.#own = variants;
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
    const bases = this.#named.map(({ name, schema }) => ({ name, schema: this.#toVariant(schema, this.#ownOf(name)) }));
    return bases.flatMap((each) => [
      each,
      ...[...this.#created.values()].filter((variant) => variant.variantOf?.name === each.name),
    ]);
  }

  /** Returns a schema in a variant. Most schemas are the same in every variant, and keep their identity. */
  #toVariant(schema: Schema, variant: SchemaVariant): Schema {
    const { names, omitted } = summarizeSchema(schema);
    const omitting = this.#findOmitting(variant);
    const differs =
      omitted.some((variants) => variants.includes(variant)) ||
      [...names].some((name) => omitting.has(name) || this.#nameIn(name, variant) !== name);
    return differs ? this.#buildVariant(schema, variant) : schema;
  }

  /** Builds a variant. `above` is what other parts of the same object omit. */
  #buildVariant(schema: Schema, variant: SchemaVariant, above: VariantContext = wholeObject): Schema {
    const { ref, discriminator, properties, required, dependentRequired, ...own } = schema;
    const omitted = this.#omitted[variant];
    const here = { ...above, ...omitted.omissionsOf(schema, above) };
    const { always, inBranches, inlined } = here;
    const target = ref === undefined || inlined.has(ref) ? undefined : this.#schemas.get(ref);
    if (ref !== undefined && target !== undefined && omitted.isMentionedIn(target, here)) {
      // Only this object has the named schema without these properties.
      const { ref: _, ...whole } = { ...schema, allOf: [target, ...(own.allOf ?? [])] };
      return this.#buildVariant(whole, variant, { ...here, inlined: new Set([...inlined, ref]) });
    }
    const apart = { ...wholeObject, inlined };
    // A discriminator selects branches by their names.
    const selected = (discriminator?.mapping ?? []).map((each) => each.schema);
    const branch = { always, inBranches: always, inlined: new Set([...inlined, ...selected]) };
    const below: Partial<Record<SubschemaKeyword, VariantContext>> = {
      allOf: here,
      ...Object.fromEntries(branchKeywords.map((key) => [key, branch] as const)),
    };
    const built = mapSubschemas(schema, (child, key) => this.#buildVariant(child, variant, below[key] ?? apart));
    const isOverlapping =
      discriminator === undefined && own.oneOf?.some((each) => omitted.isRequiredBy(each, always)) === true;
    const rest = (names: readonly string[]) => names.filter((name) => !inBranches.has(name));
    return {
      ...(isOverlapping ? withAnyOf(built) : built),
      ...pickDefined("ref", ref && this.#nameIn(ref, variant)),
      ...pickDefined(
        "properties",
        properties
          ?.filter(({ name }) => !always.has(name))
          .map((each) => ({
            ...each,
            required: each.required && !inBranches.has(each.name),
            schema: this.#buildVariant(each.schema, variant, apart),
          })),
      ),
      ...pickDefined("required", required && rest(required)),
      ...pickDefined(
        "dependentRequired",
        dependentRequired &&
          Object.fromEntries(Object.entries(dependentRequired).map(([name, names]) => [name, rest(names)] as const)),
      ),
      ...pickDefined(
        "discriminator",
        discriminator && {
          ...discriminator,
          mapping: discriminator.mapping.map((each) => ({ ...each, schema: this.#nameIn(each.schema, variant) })),
        },
      ),
    };
  }

  #nameIn(name: string, variant: SchemaVariant): string {
    const original = this.#ownOf(name);
    if (variant === original || variant === "read" || !this.#findDiffering(original, variant).has(name)) return name;
    const preferred = `${name}${variant === "create" ? "Create" : "Update"}`;
    const created = this.#variantNames.get(preferred);
    if (created !== undefined) return created;
    const schema = this.#schemas.get(name);
    if (schema === undefined) return name;
    const isTaken = (each: string): boolean => this.#schemas.has(each) || this.#created.has(each);
    const variantName = this.#nameVariant(preferred, schema, isTaken);
    this.#variantNames.set(preferred, variantName);
    const variantSchema: { name: string; variantOf: { name: string; variant: SchemaVariant }; schema: Schema } = {
      name: variantName,
      variantOf: { name, variant },
      schema,
    };
    this.#created.set(variantName, variantSchema); // before its fields are visited, since a schema may contain itself
    variantSchema.schema = this.#toVariant(schema, variant);
    return variantName;
  }

  /** Returns the variant of a name. Schemas that no operation uses stand for their read variant. */
  #ownOf(name: string): SchemaVariant {
    return this.#own.get(name) ?? "read";
  }

  /** Returns the names of the schemas that differ between two variants. */
  #findDiffering(a: SchemaVariant, b: SchemaVariant): ReadonlySet<string> {
    return this.#find(`${a} ${b}`, (variants) => variants.includes(a) !== variants.includes(b));
  }

  /** Returns the names of the schemas that have fewer properties in a variant. */
  #findOmitting(variant: SchemaVariant): ReadonlySet<string> {
    return this.#find(variant, (variants) => variants.includes(variant));
  }

  #find(key: string, isOne: (variants: readonly SchemaVariant[]) => boolean): ReadonlySet<string> {
    const names = this.#foundSchemas.get(key) ?? schemasReaching(this.#named, isOne);
    this.#foundSchemas.set(key, names);
    return names;
  }
}

/** What the variant of a schema depends on beside the schema. */
interface VariantContext extends Omissions {
  /** Named schemas that stay references: a schema may contain itself. */
  readonly inlined: ReadonlySet<string>;
}

const wholeObject: VariantContext = { always: new Set(), inBranches: new Set(), inlined: new Set() };

const branchKeywords = ["anyOf", "oneOf", "then", "else", "dependentSchemas"] as const;

/** Returns a schema of which several branches of `oneOf` may match. */
function withAnyOf({ oneOf = [], ...schema }: Schema): Schema {
  if (schema.anyOf === undefined) return { ...schema, anyOf: oneOf };
  return { ...schema, allOf: [...(schema.allOf ?? []), { types: [], anyOf: oneOf, origin: schema.origin }] };
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
  const cached = summaries.get(schema);
  if (cached !== undefined) return cached;
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
  schemas: readonly NamedSchema[],
  isOne: (variants: readonly SchemaVariant[]) => boolean,
): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  const reaching = new Set<string>();
  for (const { name, schema } of schemas) {
    const { names, omitted } = summarizeSchema(schema);
    if (omitted.some(isOne)) reaching.add(name);
    for (const each of names) {
      const usersOfName = users.get(each);
      if (usersOfName === undefined) users.set(each, [name]);
      else usersOfName.push(name);
    }
  }
  const queue = [...reaching];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const user of users.get(name) ?? []) {
      if (reaching.has(user)) continue;
      reaching.add(user);
      queue.push(user);
    }
  }
  return reaching;
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
