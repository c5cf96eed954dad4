import type { Property, Schema, SchemaVariant } from "../api.js";

/** Names of properties that an object does not have in a variant. */
export interface Omissions {
  readonly always: ReadonlySet<string>;
  /** Also those that only a branch of `oneOf` and the like omits: nothing else can require them. */
  readonly inBranches: ReadonlySet<string>;
}

/** Finds the properties that objects do not have in a variant. */
export class OmittedProperties {
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #variant: SchemaVariant;
  readonly #known = new Map(
    ([allOf, allBranches] as const).map((branchesOf) => [branchesOf, new WeakMap<Schema, ReadonlySet<string>>()]),
  );

  constructor(schemas: ReadonlyMap<string, Schema>, variant: SchemaVariant) {
    this.#schemas = schemas;
    this.#variant = variant;
  }

  /** Returns the properties that a schema omits, and those that the rest of its object omits. */
  omissionsOf(schema: Schema, above: Omissions): Omissions {
    const always = new Set([...above.always, ...this.#omitted(schema, allOf)]);
    return { always, inBranches: new Set([...always, ...above.inBranches, ...this.#omitted(schema, allBranches)]) };
  }

  /** True if a schema has or requires a property that only other parts of the same object omit. */
  isMentionedIn(schema: Schema, { always, inBranches }: Omissions): boolean {
    if (inBranches.size === 0) return false;
    const omitted = this.#omitted(schema, allOf);
    const inOwnBranches = this.#omitted(schema, allBranches);
    return this.#partsOf(schema, allOf).some(
      ({ required = [], properties = [] }) =>
        required.some((name) => inBranches.has(name) && !inOwnBranches.has(name)) ||
        properties.some(({ name }) => always.has(name) && !omitted.has(name)),
    );
  }

  /** True if a branch requires a property that the object does not have. */
  isRequiredBy(branch: Schema, above: ReadonlySet<string>): boolean {
    const omitted = this.#omitted(branch, allOf);
    return this.#partsOf(branch, allOf).some(({ required = [] }) =>
      required.some((name) => above.has(name) || omitted.has(name)),
    );
  }

  #omitted(schema: Schema, branchesOf: typeof allOf): ReadonlySet<string> {
    const { ref, properties, types: _types, origin: _origin, ...others } = schema;
    const target = ref === undefined ? undefined : this.#schemas.get(ref);
    // Most references stand alone.
    if (target !== undefined && properties === undefined && Object.keys(others).length === 0)
      return this.#omitted(target, branchesOf);
    const cache = this.#known.get(branchesOf);
    const before = cache?.get(schema);
    if (before !== undefined) return before;
    const all = this.#partsOf(schema, branchesOf).flatMap((part) => part.properties ?? []);
    const omitted = new Set(all.filter((each) => isOmitted(each, this.#variant)).map(({ name }) => name));
    cache?.set(schema, omitted);
    return omitted;
  }

  /** Returns a schema, what it refers to, and what these hold for the same object. */
  #partsOf(schema: Schema, branchesOf: typeof allOf): readonly Schema[] {
    const parts = new Set<Schema>([schema]);
    for (const part of parts) {
      const target = part.ref === undefined ? undefined : this.#schemas.get(part.ref);
      for (const each of target === undefined ? branchesOf(part) : [target, ...branchesOf(part)]) parts.add(each);
    }
    return [...parts];
  }
}

export function isOmitted(property: Property, variant: SchemaVariant): boolean {
  if (variant === "read") return property.writeOnly;
  if (property.readOnly) return true;
  // a property with an error of its own stays in updates, so that the server can report the error
  return variant === "update" && property.mutability?.rule === "immutable" && property.mutability.error === undefined;
}

/** The schemas that apply to the same object in all cases. */
function allOf(schema: Schema): readonly Schema[] {
  return schema.allOf ?? [];
}

/** The schemas that apply to the same object, in all cases or in some. */
function allBranches(schema: Schema): readonly Schema[] {
  const { anyOf = [], oneOf = [], then, else: otherwise, dependentSchemas = {} } = schema;
  const branches = [...anyOf, ...oneOf, then, otherwise, ...Object.values(dependentSchemas)];
  return [...allOf(schema), ...branches.filter((each) => each !== undefined)];
}
