import { readFileSync } from "node:fs";

/** A field of the vocabulary: what it is called, where it may stand, and its JSON Schema. */
export interface Field {
  readonly name: FieldName;
  /** Redocly's names of the objects that may carry it; every object when absent. */
  readonly places?: readonly string[];
  readonly schema: JsonSchema;
}

/** The keywords that the vocabulary's own schemas use. */
export interface JsonSchema {
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
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
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

const places = {
  "x-scopes": ["SecurityScheme", "Schema"],
  "x-grants": ["Operation"],
  "x-resource": ["Schema"],
  "x-reference": ["Parameter", "Schema"],
  "x-limits": ["Operation", "Schema"],
  "x-value": ["Schema"],
  "x-change": ["Schema"],
  "x-state-machine": ["Schema"],
  "x-effects": ["Operation"],
  "x-errors": ["Operation", "Schema", "Root"],
  "x-visible": ["Schema", "Response"],
  "x-input": ["RequestBody", "Parameter", "Root"],
  "x-pagination": ["Root", "Operation"],
  "x-filterable": ["Schema"],
  "x-name": null,
  "x-source": null,
} as const;

export type FieldName = keyof typeof places;

export const fieldNames: readonly FieldName[] = Object.keys(places) as FieldName[];

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(places, name);
}

/** The field of that name, with its schema as read from the package's `vocabulary/` folder. */
export function fieldOf(name: FieldName): Field {
  const where: readonly string[] | null = places[name];
  return { name, ...(where && { places: where }), schema: schemaOf(`${name}.schema.json`) };
}

/** A schema with its references followed; `kind` names the shared definition that it is, such as `when`. */
export function follow(schema: JsonSchema): { readonly schema: JsonSchema; readonly kind?: string } {
  if (schema.$ref === undefined) return { schema };
  const [file = "", pointer] = schema.$ref.split("#/$defs/");
  const found = pointer === undefined ? schemaOf(file) : schemaOf(file).$defs?.[pointer];
  if (found === undefined) throw new Error(`The vocabulary has no ${schema.$ref}.`);
  const { $ref: _, description: __, ...beside } = schema;
  const required = [...(found.required ?? []), ...(beside.required ?? [])];
  return {
    schema: Object.keys(beside).length === 0 ? found : { ...found, ...beside, required },
    kind: pointer ?? file.replace(".schema.json", ""),
  };
}

const folder = new URL("../../vocabulary/", import.meta.url);
const schemas = new Map<string, JsonSchema>();

function schemaOf(file: string): JsonSchema {
  const known = schemas.get(file);
  if (known) return known;
  const read = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as JsonSchema;
  schemas.set(file, read);
  return read;
}
