import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isJsonObject, type StatedBounds } from "../../model/index.js";

/** A field of the vocabulary: its name, the objects that may have it, and its JSON Schema. */
export interface ExtensionField {
  readonly name: ExtensionFieldName;
  /** The objects that may have it, by Redocly's names. Absent: every object. */
  readonly allowedOn?: readonly string[];
  readonly schema: JsonSchema;
}

/** The keywords in schemas of the vocabulary. */
export interface JsonSchema extends StatedBounds {
  readonly $ref?: string;
  readonly $comment?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: boolean | JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly uniqueItems?: boolean;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

const allowedObjects = {
  "x-scopes": ["SecurityScheme", "Schema"],
  "x-grants": ["Operation"],
  "x-resource": ["Schema"],
  "x-reference": ["Parameter", "Schema"],
  "x-limits": ["Operation", "Schema", "Root"],
  "x-value": ["Schema"],
  "x-mutability": ["Schema"],
  "x-state-machine": ["Schema"],
  "x-effects": ["Operation"],
  "x-errors": ["Operation", "Schema", "Root"],
  "x-visibility": ["Schema", "Response"],
  "x-input": ["RequestBody", "Parameter", "Root"],
  "x-lists": ["Root", "Operation"],
  "x-filterable": ["Schema"],
  "x-problem-details": ["Root"],
  "x-deprecation": ["Operation"],
  "x-headers": ["Root"],
  "x-callers": ["Root"],
  "x-defaults": ["Root", "Operation"],
  "x-assumptions": ["Root"],
  "x-name": null,
  "x-source": null,
} as const;

export type ExtensionFieldName = keyof typeof allowedObjects;

export const extensionFieldNames: readonly ExtensionFieldName[] = Object.keys(allowedObjects) as ExtensionFieldName[];

export function isExtensionFieldName(name: string): name is ExtensionFieldName {
  return Object.hasOwn(allowedObjects, name);
}

/** Returns a field by its name, with its schema from the package's `vocabulary/` folder. */
export function findExtensionField(name: ExtensionFieldName): ExtensionField {
  const where: readonly string[] | null = allowedObjects[name];
  return { name, ...(where && { allowedOn: where }), schema: schemaOf(`${name}.schema.json`) };
}

/**
 * Whether a value has the form of an extension field, by its type, its keys or its items. Other vendors have extensions of the same names,
 * such as `x-lists: {type: linked}`.
 */
export function hasVocabularyForm(name: ExtensionFieldName, value: unknown): boolean {
  return hasForm(findExtensionField(name).schema, value);
}

function hasForm(schema: JsonSchema, value: unknown): boolean {
  const { type, const: only, enum: listed, properties, items, anyOf, oneOf } = followVocabularyReference(schema).schema;
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined && alternatives.some((each) => hasForm(each, value))) return true;
  if (only !== undefined) return value === only;
  if (listed !== undefined) return listed.includes(value);
  if (Array.isArray(value)) {
    const [first] = value;
    return type === "array" && (first === undefined || typeof items !== "object" || hasForm(items, first));
  }
  if (isJsonObject(value))
    return (
      "$ref" in value ||
      (type === "object" &&
        (properties === undefined || Object.keys(value).some((key) => Object.hasOwn(properties, key))))
    );
  return typeof type === "string" && type === typeof value;
}

/** Resolves the references of a schema. `kind` is the name of the shared definition, such as `when`. */
export function followVocabularyReference(schema: JsonSchema): { readonly schema: JsonSchema; readonly kind?: string } {
  if (schema.$ref === undefined) return { schema };
  const [file = "", pointer] = schema.$ref.split("#/$defs/");
  const definition = pointer === undefined ? schemaOf(file) : schemaOf(file).$defs?.[pointer];
  if (definition === undefined) throw new Error(`The vocabulary has no ${schema.$ref}.`);
  const { $ref: _, description: __, ...beside } = schema;
  const required = [...(definition.required ?? []), ...(beside.required ?? [])];
  return {
    schema: Object.keys(beside).length === 0 ? definition : { ...definition, ...beside, required },
    kind: pointer ?? file.replace(".schema.json", ""),
  };
}

// By the name of this package: a bundle has another depth than the sources.
const { resolve } = createRequire(import.meta.url);
const schemas = new Map<string, JsonSchema>();

function schemaOf(file: string): JsonSchema {
  const cached = schemas.get(file);
  if (cached) return cached;
  const read = JSON.parse(readFileSync(resolve(`@plumbline/kit/vocabulary/${file}`), "utf8")) as JsonSchema;
  schemas.set(file, read);
  return read;
}
