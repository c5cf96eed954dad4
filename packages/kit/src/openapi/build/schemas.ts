import {
  type Json,
  type JsonType,
  type NamedSchema,
  type NumericKeywordName,
  type Property,
  type Resource,
  type Schema,
  type StateMachine,
  type assertions,
  isReservedTypeName,
  pascalCase,
  pickDefined,
} from "../../model/index.js";
import type { SourceFile, SpecNode } from "../read/spec-node.js";
import { readExpression } from "./conditions.js";
import { readErrors } from "./errors.js";
import { readLimits } from "./limits.js";
import type { NameKind, NameResolver } from "./names/name-table.js";
import { definedFields, isJsonType, readStrings } from "./plain-data.js";
import type { NamingContext, ReadContext } from "./read-context.js";
import { readReference, readResource } from "./resources.js";
import { readCustomKeywords } from "./schemas/custom-keywords.js";
import { findDefinition } from "./schemas/definitions.js";
import { impliedMapping, possibleMapping, type SelectedSchema, tagUnion } from "./schemas/discriminators.js";
import { findMapped, InheritanceReader } from "./schemas/inheritance.js";
import { readNumbers } from "./schemas/numeric-keywords.js";
import {
  annotationSchema,
  nullableSchema,
  readAnnotations,
  readFilterable,
  withNullAsType,
} from "./schemas/schema-annotations.js";
import { UncheckedParts } from "./schemas/unchecked-parts.js";
import { readSources } from "./sources.js";
import { readStateMachines } from "./states.js";
import { readMutability, readValueRules, readVisibility } from "./value-rules.js";

export type Dialect = "3.0" | "3.1";

/** How named schemas are named: their types. */
export const schemaNameKind: NameKind = {
  noun: "schema",
  name: "type",
  derive: pascalCase,
  isReserved: isReservedTypeName,
  byOwnKey: () => "",
};

/** Maximum nesting and number of unnamed schemas that are inlined. Bundlers create some hundreds in each API. */
const maxInlineDepth = 20;
const maxInlineSchemas = 20_000;

interface NamedEntry {
  readonly name: string;
  /** Set once it has been read, since a schema may refer to itself. */
  schema: Schema | undefined;
  /** True for a schema that matches too much. */
  isLoose: boolean;
}

/** Reads schemas of the description into the model, and collects the named ones. */
export class SchemaReader implements ReadContext {
  readonly resources: Resource[] = [];
  readonly stateMachines: StateMachine[] = [];
  readonly unchecked: UncheckedParts = new UncheckedParts();
  readonly operationName: (id: string) => string;
  readonly #dialect: Dialect;
  readonly #main: SourceFile;
  readonly #keywords: readonly string[];
  readonly #names: NameResolver;
  /** By the key of the node. */
  readonly #named = new Map<string, NamedEntry>();
  readonly #inheritance = new InheritanceReader();
  readonly #inlining = new Set<string>();
  #inlined = 0;
  #inlineDepth = 0;

  constructor(dialect: Dialect, { names, operations, main, keywords }: NamingContext) {
    this.#dialect = dialect;
    this.#keywords = keywords;
    this.#main = main;
    this.#names = names;
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
    if (target === undefined) {
      this.unchecked.add();
      return { types: [], origin };
    }
    if (this.#dialect === "3.1" && place.isTrue("nullable")) {
      const { nullable: _, ...rest } = place.object;
      return nullableSchema(this.read(place.withValue(rest)));
    }
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
    const cached = this.#named.get(place.key);
    if (cached !== undefined) {
      if (cached.isLoose) this.unchecked.add();
      return cached.name;
    }
    const isMain = place.file === this.#main && place.tokens.length === 3;
    const name = this.#names.resolve({ place, key: place.name, ownKey: place.key, isMain });
    const entry: NamedEntry = { name, schema: undefined, isLoose: false };
    this.#named.set(place.key, entry);
    const resource = readResource(name, place, this);
    if (resource !== undefined) this.resources.push(resource);
    const depth = this.#inlineDepth;
    this.#inlineDepth = 0; // named schemas are not inlined
    const children = this.#inheritance.mappingOf(place);
    entry.isLoose = this.unchecked.addedBy(() => {
      if (children !== undefined) entry.schema = this.#unionOfChildren(place, children);
      else entry.schema = place.reference === undefined ? this.#readHere(place, name) : this.read(place);
    });
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
      types: this.#types(place),
      ...this.#assertions(place),
      ...this.#annotations(place),
      ...pickDefined("contentEncoding", place.text("contentEncoding")),
      ...pickDefined("contentMediaType", place.text("contentMediaType")),
      ...readNumbers(place),
      ...this.#arrays(place),
      ...this.#objects(place, owner),
      ...this.#compositions(place, owner),
      ...readCustomKeywords(place, this.#keywords),
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
    return this.#isNullableUnion(place) ? nullableSchema(schema) : withNullAsType(schema);
  }

  /** True for `nullable` beside `allOf` and the like. It has no meaning in OpenAPI, but servers then send null. */
  #isNullableUnion(place: SpecNode): boolean {
    if (!place.isTrue("nullable")) return false;
    if (["allOf", "anyOf", "oneOf"].some((key) => place.has(key))) return true;
    return !place.has("type") && ["properties", "items"].some((key) => place.has(key));
  }

  #types(place: SpecNode): readonly JsonType[] {
    return this.#addsNull(place) ? [...statedTypes(place), "null"] : statedTypes(place);
  }

  /** True for `nullable` that adds null to the types and the enum. */
  #addsNull(place: SpecNode): boolean {
    const stated = statedTypes(place);
    const isNullable = place.isTrue("nullable") && !this.#isNullableUnion(place);
    return isNullable && stated.length > 0 && !stated.includes("null");
  }

  /** Reads the keywords without numbers and subschemas. */
  #assertions(place: SpecNode): Partial<Schema> {
    const values = place.object["enum"];
    const listed = Array.isArray(values) ? (values as readonly Json[]) : undefined;
    const dependent = place.get("dependentRequired")?.entries();
    return definedFields<Pick<Schema, Exclude<(typeof assertions)[number]["name"], NumericKeywordName>>>({
      enum: listed && this.#addsNull(place) && !listed.includes(null) ? [...listed, null] : listed,
      const: place.has("const") ? (place.object["const"] as Json) : undefined,
      format: place.text("format"),
      pattern: this.unchecked.check(place, place.text("pattern")),
      uniqueItems: place.isTrue("uniqueItems") ? true : undefined,
      dependentRequired: dependent && Object.fromEntries(dependent.map(([name, each]) => [name, readStrings(each)])),
    });
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

  #arrays(place: SpecNode): Partial<Schema> {
    const prefix = place.get("prefixItems")?.items();
    return {
      ...this.#subschema(place, "items"),
      ...pickDefined("prefixItems", prefix && prefix.map(this.read)),
      ...this.#subschema(place, "contains"),
      ...this.#subschema(place, "unevaluatedItems"),
    };
  }

  #objects(place: SpecNode, owner: string | undefined): Partial<Schema> {
    const required =
      place.has("required") && Array.isArray(place.object["required"]) ? readStrings(place.get("required")) : undefined;
    const properties = place.get("properties")?.entries();
    // Any further key may be one of a pattern that is not checked.
    const patterns = Object.keys(place.get("patternProperties")?.object ?? {});
    const evaluated = new Map(patterns.map((pattern) => [pattern, this.unchecked.check(place, pattern)]));
    const isClosed = [...evaluated.values()].every((pattern) => pattern !== undefined);
    return {
      ...pickDefined(
        "properties",
        properties && properties.map(([name, each]) => this.#property(each, { name, owner, required: required ?? [] })),
      ),
      ...pickDefined("required", required),
      ...(isClosed ? this.#subschema(place, "additionalProperties") : {}),
      ...this.#patternProperties(place, evaluated),
      ...this.#subschema(place, "propertyNames"),
      ...this.#subschemas(place, "dependentSchemas"),
      ...(isClosed ? this.#subschema(place, "unevaluatedProperties") : {}),
    };
  }

  #patternProperties(place: SpecNode, evaluated: ReadonlyMap<string, string | undefined>): Partial<Schema> {
    const { patternProperties } = this.#subschemas(place, "patternProperties");
    const entries = Object.entries(patternProperties ?? {}).flatMap(([pattern, schema]) => {
      const key = evaluated.get(pattern);
      return key === undefined ? [] : [[key, schema] as const];
    });
    const isEmpty = patternProperties === undefined || (entries.length === 0 && evaluated.size > 0);
    return pickDefined("patternProperties", isEmpty ? undefined : Object.fromEntries(entries));
  }

  #property(
    place: SpecNode,
    about: { readonly name: string; readonly owner: string | undefined; readonly required: readonly string[] },
  ): Property {
    const { name, owner } = about;
    if (owner !== undefined)
      this.stateMachines.push(...readStateMachines(place, { resource: owner, field: name }, this));
    return {
      name,
      required: about.required.includes(name),
      readOnly: isMarked(place, "readOnly"),
      writeOnly: isMarked(place, "writeOnly"),
      ...pickDefined("mutability", readMutability(place, this)),
      schema: this.read(place),
    };
  }

  /** Reads `oneOf`. Where a branch matches too much, several may match. */
  #oneOf(place: SpecNode): Partial<Schema> {
    let branches: readonly Schema[] | undefined;
    const isLoose = this.unchecked.addedBy(() => (branches = place.get("oneOf")?.items().map(this.read)));
    return pickDefined(isLoose && !place.has("anyOf") ? "anyOf" : "oneOf", branches);
  }

  /** Reads `not` and `if`, which have no meaning where they match too much. */
  #conditions(place: SpecNode): Partial<Schema> {
    let [not, condition]: Partial<Schema>[] = [{}, {}];
    if (this.unchecked.addedBy(() => (not = this.#subschema(place, "not")))) not = {};
    if (this.unchecked.addedBy(() => (condition = this.#subschema(place, "if")))) return { ...not };
    return { ...not, ...condition, ...this.#subschema(place, "then"), ...this.#subschema(place, "else") };
  }

  #compositions(place: SpecNode, owner: string | undefined): Partial<Schema> {
    const union = { ...pickDefined("anyOf", place.get("anyOf")?.items().map(this.read)), ...this.#oneOf(place) };
    const property = place.get("discriminator")?.text("propertyName");
    // Branches of `allOf` belong to the owner as well.
    const all = place.get("allOf")?.items();
    return {
      ...pickDefined("allOf", all && all.map((branch) => this.#readPart(branch, owner))),
      ...(property === undefined ? union : this.#taggedUnion(property, this.#selectedBranches(place, property), union)),
      ...this.#conditions(place),
    };
  }

  /** Reads what a discriminator selects: by the mapping, and every other branch by the values of its property, or its name. */
  #selectedBranches(place: SpecNode, property: string): readonly SelectedSchema[] {
    const branches = [...(place.get("oneOf")?.items() ?? []), ...(place.get("anyOf")?.items() ?? [])];
    const targets = branches.flatMap((branch) => {
      const target = branch.reference === undefined ? undefined : findDefinition(branch);
      return target === undefined ? [] : [target];
    });
    const written = (place.get("discriminator")?.get("mapping")?.entries() ?? []).flatMap(([value, entry]) => {
      const target = typeof entry.raw === "string" ? findMapped(place, targets, entry.raw) : undefined;
      return target === undefined ? [] : [{ value, target }];
    });
    const mapped = possibleMapping(written, property);
    const covered = new Set(mapped.map((each) => each.target.key));
    const rest = targets.filter((target) => !covered.has(target.key));
    const implied = impliedMapping(rest, property) ?? [];
    const values = new Set(mapped.map(({ value }) => value));
    return implied.some(({ value }) => values.has(value)) ? mapped : [...mapped, ...implied];
  }

  #taggedUnion(property: string, selected: readonly SelectedSchema[], union: Partial<Schema>): Partial<Schema> {
    const mapping = selected.map((each) => ({ ...each, schema: this.name(each.target) }));
    return tagUnion(union, property, mapping);
  }

  /** A parent with a discriminator is the union of its children, each of which has all that the parent describes. */
  #unionOfChildren(place: SpecNode, mapping: readonly SelectedSchema[]): Schema {
    const origin = place.origin;
    const children = new Map(mapping.map(({ target }) => [target.key, target]));
    const sources = readSources(place);
    const oneOf = [...children.values()].map((child) => ({ types: [], ref: this.name(child), origin }));
    const union: Schema = {
      types: [],
      ...this.#annotations(place),
      ...this.#taggedUnion(place.get("discriminator")?.text("propertyName") ?? "", mapping, { oneOf }),
      ...pickDefined("sources", sources.length > 0 ? sources : undefined),
      origin,
    };
    return this.#types(place).includes("null") ? nullableSchema(union) : union;
  }

  /** Reads a branch of `allOf`. A named schema takes over what its parent describes, not the choice between the children. */
  #readPart(branch: SpecNode, owner: string | undefined): Schema {
    if (branch.reference === undefined) return this.#readHere(branch, owner);
    const parent = owner === undefined ? undefined : findDefinition(branch);
    if (parent === undefined || this.#inheritance.mappingOf(parent) === undefined) return this.read(branch);
    const { discriminator: _, ...described } = this.#readHere(parent, undefined);
    return described;
  }

  #subschema<Key extends "items" | "contains" | "not" | "if" | "then" | "else" | SchemaKey>(
    place: SpecNode,
    key: Key,
  ): { readonly [K in Key]?: Schema } {
    const child = place.child(key);
    return pickDefined(key, child === undefined || child.raw === null ? undefined : this.read(child));
  }

  #subschemas<Key extends "patternProperties" | "dependentSchemas">(
    place: SpecNode,
    key: Key,
  ): { readonly [K in Key]?: Readonly<Record<string, Schema>> } {
    const entries = place.get(key)?.entries();
    return pickDefined(key, entries && Object.fromEntries(entries.map(([name, each]) => [name, this.read(each)])));
  }
}

type SchemaKey = "additionalProperties" | "propertyNames" | "unevaluatedProperties" | "unevaluatedItems";

/** True if a property is marked where it stands, or where its schema is defined: behind a reference, or in a branch of `allOf`. */
function isMarked(place: SpecNode, key: "readOnly" | "writeOnly", visited?: Set<string>): boolean {
  if (place.isTrue(key)) return true;
  const target = place.follow();
  if (target?.isTrue(key) === true) return true;
  const branches = target?.get("allOf")?.items() ?? [];
  if (target === undefined || branches.length === 0 || visited?.has(target.key) === true) return false;
  const passed = (visited ?? new Set<string>()).add(target.key);
  return branches.some((branch) => isMarked(branch, key, passed));
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

function statedTypes(place: SpecNode): readonly JsonType[] {
  const written = place.object["type"];
  if (Array.isArray(written)) return readStrings(place.get("type")).filter(isJsonType);
  return typeof written === "string" && isJsonType(written) ? [written] : [];
}
