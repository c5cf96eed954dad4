import type { Body, Content, Form, NamedShape, Operation, Property, Reply, Shape } from "./api.js";

/**
 * Resolves the schemas of requests and responses. `readOnly` properties are omitted from requests, `writeOnly` ones
 * from responses, and create-only
 * ones from updates. The name of a schema stands for its read variant if a response contains it, and otherwise for the
 * first variant that
 * requests need. Other variants that differ get their own names, such as `PetCreate` and `PetUpdate`.
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
  const forms = new Forms(named, ownForms(read, named), clash);
  const settle = (operation: Operation): Operation => {
    const request = requestForm(operation);
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

function requestForm({ method }: Operation): Form {
  return method === "PUT" || method === "PATCH" ? "update" : "create";
}

/** Returns the variant for which each name stands: the first in which an operation uses the schema. */
function ownForms(
  { operations, linked }: { readonly operations: readonly Operation[]; readonly linked: readonly Operation[] },
  named: readonly NamedShape[],
): ReadonlyMap<string, Form> {
  const carried = (form: Form): readonly Content[] =>
    [...operations, ...linked].flatMap((operation) => {
      if (form === "read") return operation.replies.flatMap((reply) => reply.contents);
      return requestForm(operation) === form ? (operation.body?.contents ?? []) : [];
    });
  const shapes = new Map(named.map((each) => [each.name, each.shape] as const));
  const own = new Map<string, Form>();
  for (const form of ["read", "create", "update"] as const) {
    const pending = carried(form).map((content) => content.shape);
    for (let shape = pending.pop(); shape !== undefined; shape = pending.pop()) {
      for (const name of summarize(shape).names) {
        const next = shapes.get(name);
        if (next === undefined || own.has(name)) continue;
        own.set(name, form);
        pending.push(next);
      }
    }
  }
  return own;
}

class Forms {
  readonly #shapes: ReadonlyMap<string, Shape>;
  readonly #own: ReadonlyMap<string, Form>;
  readonly #differing = new Map<string, ReadonlySet<string>>();
  readonly #made = new Map<string, NamedShape>();
  readonly #clash: (name: string, shape: Shape) => void;
  readonly #named: readonly NamedShape[];

  constructor(
    named: readonly NamedShape[],
    own: ReadonlyMap<string, Form>,
    clash: (name: string, shape: Shape) => void,
  ) {
    this.#named = named;
    this.#shapes = new Map(named.map((each) => [each.name, each.shape] as const));
    this.#own = own;
    this.#clash = clash;
  }

  contents(contents: readonly Content[], form: Form): readonly Content[] {
    return contents.map((content) => ({ ...content, shape: this.#whole(content.shape, form) }));
  }

  /** Returns every schema in the variant of its own name, each followed by its other required variants. */
  all(): readonly NamedShape[] {
    const own = this.#named.map(({ name, shape }) => ({ name, shape: this.#whole(shape, this.#ownOf(name)) }));
    return own.flatMap((each) => [each, ...[...this.#made.values()].filter((made) => made.formOf?.name === each.name)]);
  }

  /** Returns a schema in a variant. Most schemas are the same in every variant, and keep their identity. */
  #whole(shape: Shape, form: Form): Shape {
    const { names, dropped } = summarize(shape);
    const differs = dropped.some((forms) => forms.includes(form));
    return differs || [...names].some((name) => this.#nameIn(name, form) !== name) ? this.#in(shape, form) : shape;
  }

  /** Builds a variant. `above` has the names of omitted properties of the object that the schema is a part of. */
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

  /** Returns the names of the properties that a schema and its branches omit. */
  #dropped(shape: Shape, form: Form): ReadonlySet<string> {
    const dropped = new Set<string>();
    const seen = new Set<string>();
    const pending = [shape];
    for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
      for (const property of each.properties ?? []) if (isDropped(property, form)) dropped.add(property.name);
      pending.push(...(each.allOf ?? []));
      const named = each.ref === undefined || seen.has(each.ref) ? undefined : this.#shapes.get(each.ref);
      if (named !== undefined) pending.push(named);
      seen.add(each.ref ?? "");
    }
    return dropped;
  }

  #nameIn(name: string, form: Form): string {
    const own = this.#ownOf(name);
    if (form === own || form === "read" || !this.#differ(own, form).has(name)) return name;
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
    this.#made.set(formName, made); // before its fields are visited, since a schema may contain itself
    made.shape = this.#whole(shape, form);
    return formName;
  }

  /** Returns the variant of a name. Schemas that no operation uses stand for their read variant. */
  #ownOf(name: string): Form {
    return this.#own.get(name) ?? "read";
  }

  /** Returns the names of the schemas that differ between two variants. */
  #differ(a: Form, b: Form): ReadonlySet<string> {
    const key = `${a} ${b}`;
    const found = this.#differing.get(key) ?? reaching(this.#named, (forms) => forms.includes(a) !== forms.includes(b));
    this.#differing.set(key, found);
    return found;
  }
}

function isDropped(property: Property, form: Form): boolean {
  if (form === "read") return property.writeOnly;
  if (property.readOnly) return true;
  // a property with an error of its own stays in updates, so that the server can report the error
  return form === "update" && property.change?.rule === "create-only" && property.change.error === undefined;
}

/** What determines how a schema differs between variants. */
interface Summary {
  /** The names of the schemas that it refers to. */
  readonly names: ReadonlySet<string>;
  /** For each kind of omitted property: the variants that omit it. */
  readonly dropped: readonly (readonly Form[])[];
}

const summaries = new WeakMap<Shape, Summary>();

function summarize(shape: Shape): Summary {
  const known = summaries.get(shape);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const dropped = new Map<string, readonly Form[]>();
  visit(shape, ({ ref, discriminator, properties = [] }) => {
    if (ref !== undefined) names.add(ref);
    for (const each of discriminator?.mapping ?? []) names.add(each.shape);
    for (const property of properties) {
      if (!property.readOnly && !property.writeOnly && property.change === undefined) continue;
      const forms = allForms.filter((form) => isDropped(property, form));
      if (forms.length > 0) dropped.set(forms.join(" "), forms);
    }
  });
  const summary = { names, dropped: [...dropped.values()] };
  summaries.set(shape, summary);
  return summary;
}

const allForms = ["read", "create", "update"] as const;

/** Returns the names of all schemas that contain a matching property, directly or by reference. */
function reaching(named: readonly NamedShape[], isOne: (forms: readonly Form[]) => boolean): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  const found = new Set<string>();
  for (const { name, shape } of named) {
    const { names, dropped } = summarize(shape);
    if (dropped.some(isOne)) found.add(name);
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

/** Visits a schema and all of its subschemas. Does not follow references. */
export function visit(shape: Shape, see: (shape: Shape) => void): void {
  see(shape);
  const inside = (child: Shape): void => visit(child, see);
  for (const key of singleKeys) if (shape[key] !== undefined) inside(shape[key]);
  for (const key of listKeys) shape[key]?.forEach(inside);
  for (const key of mapKeys) if (shape[key] !== undefined) Object.values(shape[key]).forEach(inside);
  shape.properties?.forEach((property) => inside(property.shape));
}

/** Returns the schema with every subschema replaced, except those of properties. */
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
/** Keywords whose subschemas apply to the same value. */
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
