import type { BodyDecoder } from "./decode/bodies.js";
import type { ParameterDecoder } from "./decode/decoders.js";
import type { Check, Conversion, Normalizer } from "./issues/issues.js";

/** The parameters, bodies and media types of an operation, with compiled checks. */
export interface OperationDefinition {
  readonly name: string;
  readonly method: string;
  /** `{id}` is one segment, `{+id}` up to `segments` of them. `{;id}` may contain semicolons. */
  readonly path: string;
  readonly parameters?: readonly ParameterDefinition[];
  readonly body?: BodyDefinition;
  /** Media types of successes, one of which the Accept header has to allow. Absent if a success may have no body. */
  readonly produces?: readonly string[];
}

export interface ParameterDefinition {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required?: true;
  readonly segments?: number;
  /** A path parameter of one segment accepts `%2F` in it. Default: the path is not found. */
  readonly encodedSlash?: true;
  readonly decode: ParameterDecoder;
  readonly check?: Check;
  readonly default?: unknown;
  readonly convert?: Conversion;
}

export interface BodyDefinition {
  readonly required?: true;
  /** By lower-case media type. A key may be a range, such as `image/*`. */
  readonly contents: Readonly<Record<string, ContentDefinition>>;
}

export interface ContentDefinition {
  /** Decodes the bytes. Default: JSON. Absent in operations that validate parsed bodies only. */
  readonly decode?: BodyDecoder;
  readonly check?: Check;
  readonly normalize?: Normalizer;
  readonly convert?: Conversion;
  /** How a server validates and normalizes a change, when it has loaded the stored object. */
  readonly stored?: { readonly check?: Check; readonly normalize?: Normalizer };
}
