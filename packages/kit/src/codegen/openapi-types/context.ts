import type { Code } from "../printer.js";
import type { Discriminators } from "./discriminators.js";
import type { JsonObject } from "./document.js";

/** The options of the types of a document. The defaults are those of openapi-typescript. */
export interface OpenapiTypesOptions {
  /** Constants with the values of each enum. Default: false. */
  readonly enumValues?: boolean;
  /** All properties and arrays are `readonly`. Default: false. */
  readonly readonly?: boolean;
  /** The type of `format: date-time`. Default: `string`. */
  readonly dates?: "string" | "Date";
  /** Properties with a default are required, but in requests. Default: true. */
  readonly defaultNonNullable?: boolean;
  /** Types to which entries of `components.schemas` refer, by the name of the schema. Default: none. */
  readonly schemaTypes?: ReadonlyMap<string, Code>;
}

/** What all functions that print a part of the document share. */
export interface TypesContext {
  readonly document: JsonObject;
  readonly options: OpenapiTypesOptions;
  readonly discriminators: Discriminators;
  /** The operations that have an id, by it. */
  readonly operations: Map<string, Code>;
  /** The constants with values of enums, by name. */
  readonly enumConstants: Map<string, Code>;
  /** The schemas without a name that are being printed, since they may refer to themselves. */
  readonly within: Set<string>;
  /** True once `WithRequired` is used. */
  usesRequired: boolean;
}

/** Where a part is in the document. */
export interface Place {
  readonly context: TypesContext;
  /** A JSON pointer. */
  readonly pointer: string;
}
