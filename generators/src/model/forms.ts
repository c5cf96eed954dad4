import type { Body, Content, Form, NamedShape, Operation, Property, Reply, Shape } from "./api.js";

/**
 * Settles what a reply carries and what requests carry: fields that are `readOnly` leave the request forms, `writeOnly` ones the read form, and
 * create-only ones the update form. A shape that differs in a request gets a form of its own, `PetCreate` or `PetUpdate`; its own name stays the read form.
 */
export function settleForms(
  read: { readonly operations: readonly Operation[]; readonly linked: readonly Operation[] },
  named: readonly NamedShape[],
  clash: (name: string, shape: Shape) => void,
): {
  readonly operations: readonly Operation[];
  readonly linked: readonly Operation[];
  readonly shapes: readonly NamedShape[];
} {
  const forms = new Forms(named, clash);
  const settle = (operation: Operation): Operation => {
    const request: Form = operation.method === "PUT" || operation.method === "PATCH" ? "update" : "create";
    const body: Body | undefined = operation.body && {
      ...operation.body,
      contents: forms.contents(operation.body.contents, request),
    };
    const replies = operation.replies.map((reply): Reply => ({
      ...reply,
      contents: forms.contents(reply.contents, "read"),
    }));
    return { ...operation, ...(body === undefined ? {} : { body }), replies };
  };
  return { operations: read.operations.map(settle), linked: read.linked.map(settle), shapes: forms.all() };
}

class Forms {
  readonly #shapes: ReadonlyMap<string, Shape>;
  readonly #differs: Readonly<Record<Form, ReadonlySet<string>>>;
  readonly #made = new Map<string, NamedShape>();
  readonly #clash: (name: string, shape: Shape) => void;
  readonly #named: readonly NamedShape[];

  constructor(named: readonly NamedShape[], clash: (name: string, shape: Shape) => void) {
    this.#named = named;
    this.#shapes = new Map(named.map((each) => [each.name, each.shape] as const));
    this.#clash = clash;
    this.#differs = {
      read: reaching(named, (property) => isDropped(property, "read")),
      create: reaching(named, (property) => isDropped(property, "create")),
      update: reaching(named, (property) => isDropped(property, "update")),
    };
  }

  contents(contents: readonly Content[], form: Form): readonly Content[] {
    return contents.map((content) => ({ ...content, shape: this.#in(content.shape, form) }));
  }

  /** The read forms in their order, each followed by the request forms that somebody needs. */
  all(): readonly NamedShape[] {
    const read = this.#named.map((each) => ({ name: each.name, shape: this.#in(each.shape, "read") }));
    const pending = (): readonly NamedShape[] => [...this.#made.values()];
    return read.flatMap((each) => [each, ...pending().filter((made) => made.formOf?.name === each.name)]);
  }

  /** `above` are the names of properties that are dropped from the object of which the shape describes a part. */
  #in(shape: Shape, form: Form, above: ReadonlySet<string> = new Set()): Shape {
    const reference = shape.ref === undefined ? {} : { ref: this.#nameIn(shape.ref, form) };
    const dropped = new Set([...above, ...this.#dropped(shape, form)]);
    const properties = shape.properties?.filter((property) => !dropped.has(property.name));
    return {
      ...mapChildren(shape, (child, key) => this.#in(child, form, partKeys.has(key) ? dropped : undefined)),
      ...reference,
      ...(properties === undefined
        ? {}
        : { properties: properties.map((each) => ({ ...each, shape: this.#in(each.shape, form) })) }),
      ...(shape.required === undefined ? {} : { required: shape.required.filter((name) => !dropped.has(name)) }),
      ...(shape.discriminator === undefined
        ? {}
        : {
            discriminator: {
              ...shape.discriminator,
              mapping: shape.discriminator.mapping.map((each) => ({ ...each, shape: this.#nameIn(each.shape, form) })),
            },
          }),
    };
  }

  /** The names of the properties that a shape and all of its branches drop. */
  #dropped(shape: Shape, form: Form, seen: ReadonlySet<string> = new Set()): readonly string[] {
    const named = shape.ref === undefined || seen.has(shape.ref) ? undefined : this.#shapes.get(shape.ref);
    const own = (shape.properties ?? [])
      .filter((property) => isDropped(property, form))
      .map((property) => property.name);
    const branches = (shape.allOf ?? []).flatMap((branch) => this.#dropped(branch, form, seen));
    return [
      ...own,
      ...branches,
      ...(named === undefined ? [] : this.#dropped(named, form, new Set([...seen, shape.ref ?? ""]))),
    ];
  }

  #nameIn(name: string, form: Form): string {
    if (form === "read" || !this.#differs[form].has(name)) return name;
    const formName = `${name}${form === "create" ? "Create" : "Update"}`;
    if (this.#made.has(formName)) return formName;
    const shape = this.#shapes.get(name);
    if (shape === undefined) return name;
    if (this.#shapes.has(formName)) this.#clash(formName, shape);
    const made: { name: string; formOf: { name: string; form: Form }; shape: Shape } = {
      name: formName,
      formOf: { name, form },
      shape,
    };
    this.#made.set(formName, made); // before its fields are visited: a shape may contain itself
    made.shape = this.#in(shape, form);
    return formName;
  }
}

function isDropped(property: Property, form: Form): boolean {
  if (form === "read") return property.writeOnly;
  return property.readOnly || (form === "update" && property.change?.rule === "create-only");
}

/** The names of the shapes from which such a property can be reached. */
function reaching(named: readonly NamedShape[], isOne: (property: Property) => boolean): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  const found = new Set<string>();
  for (const { name, shape } of named) {
    visit(shape, (each) => {
      if (each.properties?.some(isOne)) found.add(name);
      if (each.ref !== undefined) users.set(each.ref, [...(users.get(each.ref) ?? []), name]);
    });
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

/** Visits a shape and everything inside it, without following references. */
export function visit(shape: Shape, see: (shape: Shape) => void): void {
  see(shape);
  for (const child of childrenOf(shape)) visit(child, see);
}

function childrenOf(shape: Shape): readonly Shape[] {
  const single = [
    shape.items,
    shape.contains,
    shape.additionalProperties,
    shape.propertyNames,
    shape.not,
    shape.if,
    shape.then,
    shape.else,
  ];
  const rest = [shape.unevaluatedItems, shape.unevaluatedProperties];
  const lists = [shape.prefixItems, shape.allOf, shape.anyOf, shape.oneOf].flatMap((list) => list ?? []);
  const maps = [shape.patternProperties, shape.dependentSchemas].flatMap((map) => Object.values(map ?? {}));
  const properties = shape.properties?.map((property) => property.shape) ?? [];
  return [...single, ...rest].filter((child) => child !== undefined).concat(lists, maps, properties);
}

/** The shape with every nested one replaced, but for those of properties. */
function mapChildren(shape: Shape, change: (shape: Shape, key: keyof Shape) => Shape): Shape {
  const next: { -readonly [Key in keyof Shape]: Shape[Key] } = { ...shape };
  for (const key of singleKeys) if (shape[key] !== undefined) next[key] = change(shape[key], key);
  for (const key of listKeys) if (shape[key] !== undefined) next[key] = shape[key].map((each) => change(each, key));
  for (const key of mapKeys) {
    const map = shape[key];
    if (map !== undefined)
      next[key] = Object.fromEntries(Object.entries(map).map(([name, each]) => [name, change(each, key)]));
  }
  return next;
}

const singleKeys = [
  "items",
  "contains",
  "additionalProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;
/** Where a nested shape describes the same value as the one around it. */
const partKeys: ReadonlySet<keyof Shape> = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
] as const);
const listKeys = ["prefixItems", "allOf", "anyOf", "oneOf"] as const;
const mapKeys = ["patternProperties", "dependentSchemas"] as const;
