import type { PatternMatcher } from "../patterns.js";
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
 * Prepares an instance: formats of the description that it does not know are ignored, as JSON Schema specifies, and a pattern with which a
 * text could make its engine slow is matched as compiled checks do.
 *
 * @throws TypeError if the instance does not know the keywords of JSON Schema 2020-12: it would ignore them, or not compile
 */
export function prepareAjv(
  ajv: AjvInstance,
  { formats, slowPatterns }: { readonly formats: readonly string[]; readonly slowPatterns?: readonly PatternMatcher[] },
): void {
  if (ajv.getKeyword("prefixItems") === false || ajv.getKeyword("unevaluatedProperties") === false)
    throw new TypeError('The Ajv instance does not know JSON Schema 2020-12. Import it from "ajv/dist/2020.js".');
  for (const format of formats) if (!Object.hasOwn(ajv.formats, format)) ajv.addFormat(format, true);
  if (slowPatterns === undefined) return;
  const { code } = ajv.opts;
  const engine = code.regExp;
  const matchers = new Map(slowPatterns.map((each) => [each.source, { ...each, toString: () => `/${each.source}/` }]));
  code.regExp = Object.assign((pattern: string, flags: string) => matchers.get(pattern) ?? engine(pattern, flags), {
    code: engine.code,
  });
}
