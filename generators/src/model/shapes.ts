import type { Place } from "../spec/place.js";
import type {
  Discriminator,
  Filterable,
  Json,
  JsonType,
  NamedShape,
  Property,
  Resource,
  Shape,
  StateMachine,
} from "./api.js";
import { readExpression } from "./conditions.js";
import { given, textsOf } from "./data.js";
import { readFailures } from "./errors.js";
import { readLimits } from "./limits.js";
import { NameTable, isTakenType, pascalCase } from "./names.js";
import { readReference, readResource } from "./resources.js";
import type { Naming, Reading } from "./reading.js";
import { readSources } from "./sources.js";
import { readMachines } from "./states.js";
import { readChange, readValues, readVisibility } from "./values.js";

export type Dialect = "3.0" | "3.1";

/** Maximum nesting and number of unnamed schemas that are inlined. Bundlers create some hundreds in each API. */
const deepestInline = 20;
const mostInline = 20_000;

/** Reads schemas of the description into the model, and collects the named ones. */
export class ShapeReader implements Reading {
  readonly resources: Resource[] = [];
  readonly machines: StateMachine[] = [];
  readonly operationName: (id: string) => string;
  readonly #dialect: Dialect;
  readonly #names: NameTable;
  /** By the key of the node. `shape` is set once it has been read, since a schema may refer to itself. */
  readonly #named = new Map<string, { readonly name: string; shape: Shape | undefined }>();
  readonly #inlining = new Set<string>();
  #inlined = 0;
  #inlineDepth = 0;

  constructor(dialect: Dialect, { names, operations }: Naming) {
    this.#dialect = dialect;
    this.#names = new NameTable("type", names);
    this.operationName = (id) => operations.get(id) ?? id;
  }

  /** The named schemas, in the order of their first references. */
  get named(): readonly NamedShape[] {
    return [...this.#named.values()].flatMap(({ name, shape }) => (shape === undefined ? [] : [{ name, shape }]));
  }

  /** Reads a schema or a reference to one. An arrow function, so that it can be passed on. */
  readonly read = (place: Place): Shape => {
    if (place.reference === undefined) return this.#readHere(place, undefined);
    const target = definitionOf(place);
    const origin = place.origin;
    if (target === undefined) return { types: [], origin };
    const beside = this.#dialect === "3.1" ? this.#readHere(place, undefined) : annotationsOf(place);
    if (!isNamed(target, place)) {
      if (this.#inlining.has(target.key)) return { ...beside, ref: this.name(target) };
      this.#inlined += 1;
      if (this.#inlineDepth === deepestInline || this.#inlined > mostInline) return this.#refuse(place);
      this.#inlining.add(target.key);
      this.#inlineDepth += 1;
      const inline = this.#readHere(target, undefined);
      this.#inlineDepth -= 1;
      this.#inlining.delete(target.key);
      return Object.keys(beside).some((key) => key !== "types" && key !== "origin")
        ? { ...beside, allOf: [inline] }
        : inline;
    }
    return { ...beside, ref: this.name(target) };
  };

  /** Returns the name of the schema at a node, and reads the schema on first use. */
  name(place: Place): string {
    const known = this.#named.get(place.key);
    if (known !== undefined) return known.name;
    const name = this.#names.settle(place, { key: place.name, derived: pascalCase(place.name), taken: isTakenType });
    const entry: { readonly name: string; shape: Shape | undefined } = { name, shape: undefined };
    this.#named.set(place.key, entry);
    const resource = readResource(name, place, this);
    if (resource !== undefined) this.resources.push(resource);
    const depth = this.#inlineDepth;
    this.#inlineDepth = 0; // named schemas are not inlined
    entry.shape = place.reference === undefined ? this.#readHere(place, name) : this.read(place);
    this.#inlineDepth = depth;
    return name;
  }

  /**
   * Reports too many or too deeply nested copies. These would exceed the parser of the types, or never end if each
   * schema is copied twice.
   */
  #refuse(place: Place): Shape {
    const [code, what] =
      this.#inlined > mostInline ? ["description/too-large", "many"] : ["description/too-deep", "deeply nested"];
    place.report(
      code,
      `References lead to too ${what} schemas that have no name, which are copied to where they are referred to.`,
      "Move them to components.schemas.",
    );
    return { types: [], origin: place.origin };
  }

  /** Reads the keywords of a schema. `owner` is the name of the schema, if it has one. */
  #readHere(place: Place, owner: string | undefined): Shape {
    const origin = place.origin;
    if (place.raw === false) return { types: [], never: true, origin };
    if (owner !== undefined) this.machines.push(...readMachines(place, { resource: owner, field: undefined }, this));
    const scopes = place.get("x-scopes");
    const atMost = scopes && readExpression(scopes, "atMost");
    const limits = readLimits(place);
    const values = readValues(place, this.read);
    const failures = readFailures(place, this.read);
    const sources = readSources(place);
    const shape: Shape = {
      ...this.#typeOf(place),
      ...this.#annotations(place),
      ...this.#bounds(place),
      ...this.#arrays(place),
      ...this.#objects(place, owner),
      ...this.#compositions(place, owner),
      ...given("limits", limits.length > 0 ? limits : undefined),
      ...given("values", values.length > 0 ? values : undefined),
      ...given("reference", readReference(place, this.read)),
      ...given("visible", readVisibility(place, this)),
      ...given("filterable", readFilterable(place)),
      ...given("scopeCeiling", atMost && { atMost, error: scopes?.text("error") ?? "" }),
      ...given("failures", failures.length > 0 ? failures : undefined),
      ...given("sources", sources.length > 0 ? sources : undefined),
      origin,
    };
    return this.#isNullableUnion(place) ? withNull(shape) : shape;
  }

  /**
   * True for `nullable` beside `allOf` and the like. OpenAPI 3.0 gives it no meaning without a type, but descriptions
   * use it, and their servers
   * send null. A type that allows null is right in both cases.
   */
  #isNullableUnion(place: Place): boolean {
    if (this.#dialect !== "3.0" || !place.flag("nullable")) return false;
    if (["allOf", "anyOf", "oneOf"].some((key) => place.has(key))) return true;
    return !place.has("type") && ["properties", "items"].some((key) => place.has(key));
  }

  #typeOf(place: Place): {
    readonly types: readonly JsonType[];
    readonly enum?: readonly Json[];
    readonly const?: Json;
  } {
    const written = place.object["type"];
    const stated = (
      Array.isArray(written) ? textsOf(place.get("type")) : typeof written === "string" ? [written] : []
    ) as JsonType[];
    const allowsNull = this.#dialect === "3.0" && place.flag("nullable") && !this.#isNullableUnion(place);
    const nullable = allowsNull && !stated.includes("null") && stated.length > 0;
    const types: readonly JsonType[] = nullable ? [...stated, "null"] : stated;
    const values = place.has("enum") ? (place.object["enum"] as readonly Json[]) : undefined;
    return {
      types,
      ...given(
        "enum",
        Array.isArray(values) ? (nullable && !values.includes(null) ? [...values, null] : values) : undefined,
      ),
      ...(place.has("const") ? { const: place.object["const"] as Json } : {}),
    };
  }

  #annotations(place: Place): Partial<Shape> {
    const examples = place.get("examples");
    const listed = examples === undefined ? [] : (examples.items().map((item) => item.raw) as readonly Json[]);
    const all = place.has("example") ? [...listed, place.object["example"] as Json] : listed;
    return {
      ...annotations(place),
      ...(place.has("default") ? { default: place.object["default"] as Json } : {}),
      ...given("examples", all.length > 0 ? all : undefined),
    };
  }

  #bounds(place: Place): Partial<Shape> {
    const exclusive = (key: "exclusiveMinimum" | "exclusiveMaximum", plain: "minimum" | "maximum"): Partial<Shape> => {
      if (place.flag(key)) return given(key, place.number(plain)); // in 3.0, true makes the plain bound exclusive
      return { ...given(plain, place.number(plain)), ...given(key, place.number(key)) };
    };
    return {
      ...given("format", place.text("format")),
      ...given("contentEncoding", place.text("contentEncoding")),
      ...given("contentMediaType", place.text("contentMediaType")),
      ...given("pattern", place.text("pattern")),
      ...given("minLength", place.number("minLength")),
      ...given("maxLength", place.number("maxLength")),
      ...exclusive("exclusiveMinimum", "minimum"),
      ...exclusive("exclusiveMaximum", "maximum"),
      ...given("multipleOf", place.number("multipleOf")),
    };
  }

  #arrays(place: Place): Partial<Shape> {
    const prefix = place.get("prefixItems")?.items();
    return {
      ...this.#shape(place, "items"),
      ...given("prefixItems", prefix && prefix.map(this.read)),
      ...this.#shape(place, "contains"),
      ...given("minContains", place.number("minContains")),
      ...given("maxContains", place.number("maxContains")),
      ...given("minItems", place.number("minItems")),
      ...given("maxItems", place.number("maxItems")),
      ...given("uniqueItems", place.flag("uniqueItems") ? (true as const) : undefined),
      ...this.#shape(place, "unevaluatedItems"),
    };
  }

  #objects(place: Place, owner: string | undefined): Partial<Shape> {
    const required =
      place.has("required") && Array.isArray(place.object["required"]) ? textsOf(place.get("required")) : undefined;
    const properties = place.get("properties")?.entries();
    const dependent = place.get("dependentRequired")?.entries();
    return {
      ...given(
        "properties",
        properties && properties.map(([name, each]) => this.#property(each, { name, owner, required: required ?? [] })),
      ),
      ...given("required", required),
      ...this.#shape(place, "additionalProperties"),
      ...this.#shapes(place, "patternProperties"),
      ...this.#shape(place, "propertyNames"),
      ...given("minProperties", place.number("minProperties")),
      ...given("maxProperties", place.number("maxProperties")),
      ...given(
        "dependentRequired",
        dependent && Object.fromEntries(dependent.map(([name, each]) => [name, textsOf(each)])),
      ),
      ...this.#shapes(place, "dependentSchemas"),
      ...this.#shape(place, "unevaluatedProperties"),
    };
  }

  #property(
    place: Place,
    about: { readonly name: string; readonly owner: string | undefined; readonly required: readonly string[] },
  ): Property {
    const { name, owner } = about;
    if (owner !== undefined) this.machines.push(...readMachines(place, { resource: owner, field: name }, this));
    const target = place.follow();
    const flag = (key: string): boolean => place.flag(key) || target?.flag(key) === true;
    return {
      name,
      required: about.required.includes(name),
      readOnly: flag("readOnly"),
      writeOnly: flag("writeOnly"),
      ...given("change", readChange(place, this)),
      shape: this.read(place),
    };
  }

  #compositions(place: Place, owner: string | undefined): Partial<Shape> {
    const list = (key: "anyOf" | "oneOf"): Partial<Shape> => {
      const branches = place.get(key)?.items();
      return given(key, branches && branches.map(this.read));
    };
    // Branches of `allOf` belong to the owner as well.
    const all = place.get("allOf")?.items();
    return {
      ...given(
        "allOf",
        all &&
          all.map((branch) => (branch.reference === undefined ? this.#readHere(branch, owner) : this.read(branch))),
      ),
      ...list("anyOf"),
      ...list("oneOf"),
      ...this.#shape(place, "not"),
      ...this.#shape(place, "if"),
      ...this.#shape(place, "then"),
      ...this.#shape(place, "else"),
      ...given("discriminator", this.#discriminator(place)),
    };
  }

  /** Reads a discriminator: the given mapping, and the schema name of every other branch, as OpenAPI specifies. */
  #discriminator(place: Place): Discriminator | undefined {
    const property = place.get("discriminator")?.text("propertyName");
    if (property === undefined) return undefined;
    const branches = [...(place.get("oneOf")?.items() ?? []), ...(place.get("anyOf")?.items() ?? [])];
    const targets = branches.flatMap((branch) => {
      const target = branch.reference === undefined ? undefined : definitionOf(branch);
      return target === undefined ? [] : [target];
    });
    const mapped = (place.get("discriminator")?.get("mapping")?.entries() ?? []).flatMap(([value, entry]) => {
      const target = typeof entry.raw === "string" ? this.#mapped(place, targets, entry.raw) : undefined;
      return target === undefined ? [] : [{ value, target }];
    });
    const covered = new Set(mapped.map((each) => each.target.key));
    const implied = targets
      .filter((target) => !covered.has(target.key))
      .map((target) => ({ value: target.name, target }));
    return {
      property,
      mapping: [...mapped, ...implied].map(({ value, target }) => ({ value, shape: this.name(target) })),
    };
  }

  /** Resolves an entry of a mapping: a reference, or the name of a branch. */
  #mapped(place: Place, targets: readonly Place[], reference: string): Place | undefined {
    const named = targets.find((target) => target.name === reference);
    if (named !== undefined) return named;
    return definitionOf(
      place.pretend({
        $ref: reference.includes("/") || reference.includes(".") ? reference : `#/components/schemas/${reference}`,
      }),
    );
  }

  #shape<Key extends "items" | "contains" | "not" | "if" | "then" | "else" | SchemaKey>(
    place: Place,
    key: Key,
  ): { readonly [K in Key]?: Shape } {
    const child = place.child(key);
    return given(key, child && this.read(child));
  }

  #shapes<Key extends "patternProperties" | "dependentSchemas">(
    place: Place,
    key: Key,
  ): { readonly [K in Key]?: Readonly<Record<string, Shape>> } {
    const entries = place.get(key)?.entries();
    return given(key, entries && Object.fromEntries(entries.map(([name, each]) => [name, this.read(each)])));
  }
}

type SchemaKey = "additionalProperties" | "propertyNames" | "unevaluatedProperties" | "unevaluatedItems";

/** Returns the schema that a reference leads to. References under the same name are followed to the definition. */
function definitionOf(place: Place): Place | undefined {
  let here = place.target();
  for (let steps = 0; here?.reference !== undefined && steps < 100; steps += 1) {
    const next = here.target();
    if (next === undefined || next.name !== here.name) return here;
    here = next;
  }
  return here;
}

/** True if a schema has a name: under `components.schemas` or in another file, but not inside another schema. */
function isNamed(target: Place, from: Place): boolean {
  const [first, second] = target.tokens;
  if (first === "components") return second === "schemas" && target.tokens.length === 3;
  if (first === "paths" || first === "webhooks" || insideSchema.has(target.tokens.at(-2) ?? "")) return false;
  return target.file !== from.file || target.tokens.length <= 1 || first === "$defs" || first === "definitions";
}

const insideSchema: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "prefixItems",
  "allOf",
  "anyOf",
  "oneOf",
]);

/** Allows null beside a schema. Annotations stay outside of the union. */
function withNull(shape: Shape): Shape {
  const { title, description, deprecated, default: initial, examples, origin, ...rest } = shape;
  const about = { ...given("title", title), ...given("description", description), ...given("deprecated", deprecated) };
  const values = { ...given("default", initial), ...given("examples", examples) };
  return {
    types: [],
    anyOf: [
      { ...rest, origin },
      { types: ["null"], origin },
    ],
    ...about,
    ...values,
    origin,
  };
}

function annotations(place: Place): Partial<Shape> {
  return {
    ...given("title", place.text("title")),
    ...given("description", place.text("description")),
    ...given("deprecated", place.flag("deprecated") ? (true as const) : undefined),
  };
}

/** OpenAPI 3.0 ignores keywords beside a reference. Annotations are kept, since they do no harm. */
function annotationsOf(place: Place): Shape {
  return { types: [], ...annotations(place), origin: place.origin };
}

function readFilterable(place: Place): Filterable | undefined {
  if (place.flag("x-filterable")) return {};
  const operators = place.get("x-filterable")?.get("operators");
  return operators && { operators: textsOf(operators) };
}
