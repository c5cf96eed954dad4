import { NameTable } from "./name-table.js";
import type { SpecNode } from "../read/spec-node.js";
import {
  type Discriminator,
  type Json,
  type JsonType,
  type NamedSchema,
  type NumericKeywordName,
  type Property,
  type Resource,
  type Schema,
  type StateMachine,
  isReservedTypeName,
  numericKeywords,
  pascalCase,
  pickDefined,
} from "@plumbline/model";
import { readExpression } from "./conditions.js";
import { readStrings } from "./plain-data.js";
import { readErrors } from "./errors.js";
import { readLimits } from "./limits.js";
import { readReference, readResource } from "./resources.js";
import { annotationSchema, nullableSchema, readAnnotations, readFilterable } from "./schema-annotations.js";
import type { NamingContext, ReadContext } from "./read-context.js";
import { readSources } from "./sources.js";
import { readStateMachines } from "./states.js";
import { readMutability, readValueRules, readVisibility } from "./value-rules.js";

export type Dialect = "3.0" | "3.1";

/** Maximum nesting and number of unnamed schemas that are inlined. Bundlers create some hundreds in each API. */
const maxInlineDepth = 20;
const maxInlineSchemas = 20_000;

/** Reads schemas of the description into the model, and collects the named ones. */
export class SchemaReader implements ReadContext {
  readonly resources: Resource[] = [];
  readonly stateMachines: StateMachine[] = [];
  readonly operationName: (id: string) => string;
  readonly #dialect: Dialect;
  readonly #names: NameTable;
  /** By the key of the node. `schema` is set once it has been read, since a schema may refer to itself. */
  readonly #named = new Map<string, { readonly name: string; schema: Schema | undefined }>();
  readonly #inlining = new Set<string>();
  #inlined = 0;
  #inlineDepth = 0;

  constructor(dialect: Dialect, { names, operations }: NamingContext) {
    this.#dialect = dialect;
    this.#names = new NameTable("type", names);
    this.operationName = (id) => operations.get(id) ?? id;
  }

  /** The named schemas, in the order of their first references. */
  get named(): readonly NamedSchema[] {
    return [...this.#named.values()].flatMap(({ name, schema }) => (schema === undefined ? [] : [{ name, schema }]));
  }

  /** Reads a schema or a reference to one. An arrow function, so that it can be passed on. */
  readonly read = (place: SpecNode): Schema => {
    if (place.reference === undefined) return this.#readHere(place, undefined);
    const target = findDefinition(place);
    const origin = place.origin;
    if (target === undefined) return { types: [], origin };
    const beside = this.#dialect === "3.1" ? this.#readHere(place, undefined) : annotationSchema(place);
    if (!isNamed(target, place)) {
      if (this.#inlining.has(target.key)) return { ...beside, ref: this.name(target) };
      this.#inlined += 1;
      if (this.#inlineDepth === maxInlineDepth || this.#inlined > maxInlineSchemas)
        return this.#reportTooManyInline(place);
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
  name(place: SpecNode): string {
    const known = this.#named.get(place.key);
    if (known !== undefined) return known.name;
    const name = this.#names.resolve(place, {
      key: place.name,
      derived: pascalCase(place.name),
      taken: isReservedTypeName,
    });
    const entry: { readonly name: string; schema: Schema | undefined } = { name, schema: undefined };
    this.#named.set(place.key, entry);
    const resource = readResource(name, place, this);
    if (resource !== undefined) this.resources.push(resource);
    const depth = this.#inlineDepth;
    this.#inlineDepth = 0; // named schemas are not inlined
    entry.schema = place.reference === undefined ? this.#readHere(place, name) : this.read(place);
    this.#inlineDepth = depth;
    return name;
  }

  /**
   * Reports too many or too deeply nested copies. These would exceed the parser of the types, or never end if each
   * schema is copied twice.
   */
  #reportTooManyInline(place: SpecNode): Schema {
    const [code, what] =
      this.#inlined > maxInlineSchemas ? ["description/too-large", "many"] : ["description/too-deep", "deeply nested"];
    place.report(
      code,
      `References lead to too ${what} schemas that have no name, which are copied to where they are referred to.`,
      "Move them to components.schemas.",
    );
    return { types: [], origin: place.origin };
  }

  /** Reads the keywords of a schema. `owner` is the name of the schema, if it has one. */
  #readHere(place: SpecNode, owner: string | undefined): Schema {
    const origin = place.origin;
    if (place.raw === false) return { types: [], never: true, origin };
    if (owner !== undefined)
      this.stateMachines.push(...readStateMachines(place, { resource: owner, field: undefined }, this));
    const scopes = place.get("x-scopes");
    const atMost = scopes && readExpression(scopes, "atMost");
    const limits = readLimits(place);
    const values = readValueRules(place, this.read);
    const errors = readErrors(place, this.read);
    const sources = readSources(place);
    const schema: Schema = {
      ...this.#typeOf(place),
      ...this.#annotations(place),
      ...this.#bounds(place),
      ...this.#arrays(place),
      ...this.#objects(place, owner),
      ...this.#compositions(place, owner),
      ...pickDefined("limits", limits.length > 0 ? limits : undefined),
      ...pickDefined("valueRules", values.length > 0 ? values : undefined),
      ...pickDefined("reference", readReference(place, this.read)),
      ...pickDefined("visibility", readVisibility(place, this)),
      ...pickDefined("filterable", readFilterable(place)),
      ...pickDefined("scopeCeiling", atMost && { atMost, error: scopes?.text("error") ?? "" }),
      ...pickDefined("errors", errors.length > 0 ? errors : undefined),
      ...pickDefined("sources", sources.length > 0 ? sources : undefined),
      origin,
    };
    return this.#isNullableUnion(place) ? nullableSchema(schema) : schema;
  }

  /**
   * True for `nullable` beside `allOf` and the like. OpenAPI 3.0 gives it no meaning without a type, but descriptions
   * use it, and their servers
   * send null. A type that allows null is right in both cases.
   */
  #isNullableUnion(place: SpecNode): boolean {
    if (this.#dialect !== "3.0" || !place.isTrue("nullable")) return false;
    if (["allOf", "anyOf", "oneOf"].some((key) => place.has(key))) return true;
    return !place.has("type") && ["properties", "items"].some((key) => place.has(key));
  }

  #typeOf(place: SpecNode): {
    readonly types: readonly JsonType[];
    readonly enum?: readonly Json[];
    readonly const?: Json;
  } {
    const written = place.object["type"];
    const stated = (
      Array.isArray(written) ? readStrings(place.get("type")) : typeof written === "string" ? [written] : []
    ) as JsonType[];
    const allowsNull = this.#dialect === "3.0" && place.isTrue("nullable") && !this.#isNullableUnion(place);
    const nullable = allowsNull && !stated.includes("null") && stated.length > 0;
    const types: readonly JsonType[] = nullable ? [...stated, "null"] : stated;
    const values = place.has("enum") ? (place.object["enum"] as readonly Json[]) : undefined;
    return {
      types,
      ...pickDefined(
        "enum",
        Array.isArray(values) ? (nullable && !values.includes(null) ? [...values, null] : values) : undefined,
      ),
      ...(place.has("const") ? { const: place.object["const"] as Json } : {}),
    };
  }

  #annotations(place: SpecNode): Partial<Schema> {
    const examples = place.get("examples");
    const listed = examples === undefined ? [] : (examples.items().map((item) => item.raw) as readonly Json[]);
    const all = place.has("example") ? [...listed, place.object["example"] as Json] : listed;
    return {
      ...readAnnotations(place),
      ...(place.has("default") ? { default: place.object["default"] as Json } : {}),
      ...pickDefined("examples", all.length > 0 ? all : undefined),
    };
  }

  #bounds(place: SpecNode): Partial<Schema> {
    return {
      ...pickDefined("format", place.text("format")),
      ...pickDefined("contentEncoding", place.text("contentEncoding")),
      ...pickDefined("contentMediaType", place.text("contentMediaType")),
      ...pickDefined("pattern", place.text("pattern")),
      ...readNumbers(place, scalarNumbers),
    };
  }

  #arrays(place: SpecNode): Partial<Schema> {
    const prefix = place.get("prefixItems")?.items();
    return {
      ...this.#subschema(place, "items"),
      ...pickDefined("prefixItems", prefix && prefix.map(this.read)),
      ...this.#subschema(place, "contains"),
      ...readNumbers(place, arrayNumbers),
      ...pickDefined("uniqueItems", place.isTrue("uniqueItems") ? (true as const) : undefined),
      ...this.#subschema(place, "unevaluatedItems"),
    };
  }

  #objects(place: SpecNode, owner: string | undefined): Partial<Schema> {
    const required =
      place.has("required") && Array.isArray(place.object["required"]) ? readStrings(place.get("required")) : undefined;
    const properties = place.get("properties")?.entries();
    const dependent = place.get("dependentRequired")?.entries();
    return {
      ...pickDefined(
        "properties",
        properties && properties.map(([name, each]) => this.#property(each, { name, owner, required: required ?? [] })),
      ),
      ...pickDefined("required", required),
      ...this.#subschema(place, "additionalProperties"),
      ...this.#subschemas(place, "patternProperties"),
      ...this.#subschema(place, "propertyNames"),
      ...readNumbers(place, objectNumbers),
      ...pickDefined(
        "dependentRequired",
        dependent && Object.fromEntries(dependent.map(([name, each]) => [name, readStrings(each)])),
      ),
      ...this.#subschemas(place, "dependentSchemas"),
      ...this.#subschema(place, "unevaluatedProperties"),
    };
  }

  #property(
    place: SpecNode,
    about: { readonly name: string; readonly owner: string | undefined; readonly required: readonly string[] },
  ): Property {
    const { name, owner } = about;
    if (owner !== undefined)
      this.stateMachines.push(...readStateMachines(place, { resource: owner, field: name }, this));
    const target = place.follow();
    const flag = (key: string): boolean => place.isTrue(key) || target?.isTrue(key) === true;
    return {
      name,
      required: about.required.includes(name),
      readOnly: flag("readOnly"),
      writeOnly: flag("writeOnly"),
      ...pickDefined("mutability", readMutability(place, this)),
      schema: this.read(place),
    };
  }

  #compositions(place: SpecNode, owner: string | undefined): Partial<Schema> {
    const list = (key: "anyOf" | "oneOf"): Partial<Schema> => {
      const branches = place.get(key)?.items();
      return pickDefined(key, branches && branches.map(this.read));
    };
    // Branches of `allOf` belong to the owner as well.
    const all = place.get("allOf")?.items();
    return {
      ...pickDefined(
        "allOf",
        all &&
          all.map((branch) => (branch.reference === undefined ? this.#readHere(branch, owner) : this.read(branch))),
      ),
      ...list("anyOf"),
      ...list("oneOf"),
      ...this.#subschema(place, "not"),
      ...this.#subschema(place, "if"),
      ...this.#subschema(place, "then"),
      ...this.#subschema(place, "else"),
      ...pickDefined("discriminator", this.#discriminator(place)),
    };
  }

  /** Reads a discriminator: the given mapping, and the schema name of every other branch, as OpenAPI specifies. */
  #discriminator(place: SpecNode): Discriminator | undefined {
    const property = place.get("discriminator")?.text("propertyName");
    if (property === undefined) return undefined;
    const branches = [...(place.get("oneOf")?.items() ?? []), ...(place.get("anyOf")?.items() ?? [])];
    const targets = branches.flatMap((branch) => {
      const target = branch.reference === undefined ? undefined : findDefinition(branch);
      return target === undefined ? [] : [target];
    });
    const mapped = (place.get("discriminator")?.get("mapping")?.entries() ?? []).flatMap(([value, entry]) => {
      const target = typeof entry.raw === "string" ? this.#mappingTarget(place, targets, entry.raw) : undefined;
      return target === undefined ? [] : [{ value, target }];
    });
    const covered = new Set(mapped.map((each) => each.target.key));
    const implied = targets
      .filter((target) => !covered.has(target.key))
      .map((target) => ({ value: target.name, target }));
    return {
      propertyName: property,
      mapping: [...mapped, ...implied].map(({ value, target }) => ({ value, schema: this.name(target) })),
    };
  }

  /** Resolves an entry of a mapping: a reference, or the name of a branch. */
  #mappingTarget(place: SpecNode, targets: readonly SpecNode[], reference: string): SpecNode | undefined {
    const named = targets.find((target) => target.name === reference);
    if (named !== undefined) return named;
    return findDefinition(
      place.withValue({
        $ref: reference.includes("/") || reference.includes(".") ? reference : `#/components/schemas/${reference}`,
      }),
    );
  }

  #subschema<Key extends "items" | "contains" | "not" | "if" | "then" | "else" | SchemaKey>(
    place: SpecNode,
    key: Key,
  ): { readonly [K in Key]?: Schema } {
    const child = place.child(key);
    return pickDefined(key, child && this.read(child));
  }

  #subschemas<Key extends "patternProperties" | "dependentSchemas">(
    place: SpecNode,
    key: Key,
  ): { readonly [K in Key]?: Readonly<Record<string, Schema>> } {
    const entries = place.get(key)?.entries();
    return pickDefined(key, entries && Object.fromEntries(entries.map(([name, each]) => [name, this.read(each)])));
  }
}

/** Reads keywords with numbers. */
function readNumbers(place: SpecNode, names: readonly NumericKeywordName[]): Partial<Schema> {
  const read: { [Name in NumericKeywordName]?: number } = {};
  for (const name of names) {
    const value = place.number(name);
    if (value === undefined) continue;
    const flag = exclusiveFlags[name];
    read[flag !== undefined && place.isTrue(flag) ? flag : name] = value;
  }
  return read;
}

/** The keywords that OpenAPI 3.0 writes as a flag, which makes the plain bound exclusive. */
const exclusiveFlags: { readonly [Name in NumericKeywordName]?: NumericKeywordName } = {
  minimum: "exclusiveMinimum",
  maximum: "exclusiveMaximum",
};

const scalarNumbers = numbersFor("string", "number");
const arrayNumbers = numbersFor("array");
const objectNumbers = numbersFor("object");

function numbersFor(...types: readonly JsonType[]): readonly NumericKeywordName[] {
  return numericKeywords.filter((each) => each.types.some((type) => types.includes(type))).map(({ name }) => name);
}

type SchemaKey = "additionalProperties" | "propertyNames" | "unevaluatedProperties" | "unevaluatedItems";

/** Returns the schema that a reference leads to. References under the same name are followed to the definition. */
function findDefinition(place: SpecNode): SpecNode | undefined {
  let here = place.target();
  for (let steps = 0; here?.reference !== undefined && steps < 100; steps += 1) {
    const next = here.target();
    if (next === undefined || next.name !== here.name) return here;
    here = next;
  }
  return here;
}

/** True if a schema has a name: under `components.schemas` or in another file, but not inside another schema. */
function isNamed(target: SpecNode, from: SpecNode): boolean {
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
