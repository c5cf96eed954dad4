import type { JsonSchema } from "../schemas.js";

/** The part of an Ajv instance that the validator uses. Its types are those of every Ajv 8. */
export interface AjvInstance {
  /** Known formats, by name. */
  readonly formats: Readonly<Record<string, unknown>>;
  readonly opts: { readonly code: { regExp: AjvExpressionEngine } };
  compile(schema: JsonSchema): AjvValidate;
  addFormat(name: string, format: true): unknown;
  /** False for an unknown keyword. */
  getKeyword(keyword: string): unknown;
}

/** What Ajv compiles patterns with. */
export interface AjvExpressionEngine {
  (pattern: string, flags: string): Pick<RegExp, "test">;
  /** An expression that yields the engine, in code that Ajv prints. */
  code: string;
}

/** A function that Ajv has compiled. */
export interface AjvValidate {
  (value: unknown): unknown;
  errors?: readonly AjvError[] | null;
}

/** An error of Ajv. Localizers write `message`. */
export interface AjvError {
  readonly keyword: string;
  /** A JSON pointer into the value. */
  readonly instancePath: string;
  /** A JSON pointer into the schema, as a fragment of a URI. */
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The name of the property that `propertyNames` rejects. */
  readonly propertyName?: string;
  message?: string;
}

/**
 * Prepares an instance: formats of the description that it does not know are ignored, as JSON Schema specifies.
 *
 * @throws TypeError if the instance does not know the keywords of JSON Schema 2020-12: it would ignore them, or not compile
 */
export function prepareAjv(ajv: AjvInstance, formats: readonly string[]): void {
  if (ajv.getKeyword("prefixItems") === false || ajv.getKeyword("unevaluatedProperties") === false)
    throw new TypeError('The Ajv instance does not know JSON Schema 2020-12. Import it from "ajv/dist/2020.js".');
  for (const format of formats) if (!Object.hasOwn(ajv.formats, format)) ajv.addFormat(format, true);
}
