/** A schema of JSON Schema 2020-12. It stands alone: what it refers to is in `$defs`. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Schemas by media type. */
export type ContentSchemas = Readonly<Record<string, JsonSchema>>;

/** The schemas of an operation. Those of parameters are objects of decoded values, by name. */
export interface OperationSchemas {
  readonly path?: JsonSchema;
  readonly query?: JsonSchema;
  readonly headers?: JsonSchema;
  readonly cookies?: JsonSchema;
  /** By media type. Of bytes, only `contentMediaType` is stated. */
  readonly body?: ContentSchemas;
  /** By status and media type. For a stream, the schema of an item. */
  readonly responses: Readonly<Record<string, ContentSchemas>>;
}
