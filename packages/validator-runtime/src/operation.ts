import type { BodyDecoder } from "./bodies.js";
import type { Check, Normalizer } from "./issues.js";
import {
  validateBodyValue,
  validateCall,
  type RawInput,
  type ValidationResult,
  type UnknownFieldPolicy,
} from "./validate-input.js";
import type { ParameterDecoder } from "./decoders.js";

/** The parameters, bodies and media types of an operation, with compiled checks. */
export interface OperationDefinition {
  readonly name: string;
  readonly method: string;
  /** `{id}` is one segment, `{+id}` up to `segments` of them. `{;id}` may contain semicolons. */
  readonly path: string;
  readonly parameters?: readonly ParameterDefinition[];
  readonly body?: BodyDefinition;
  /** Media types of the responses, one of which the Accept header has to allow. Absent if no response has a body. */
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
  /** How a server validates and normalizes a change, when it has loaded the stored object. */
  readonly stored?: { readonly check?: Check; readonly normalize?: Normalizer };
}

/** Validates the input of one operation without a server. */
export interface Operation<Input = unknown> {
  (value: RawInput, options?: { readonly unknown?: UnknownFieldPolicy }): ValidationResult<Input>;
  readonly definition: OperationDefinition;
  /** Validates a parsed body only. */
  body(value: unknown, options?: { readonly unknown?: UnknownFieldPolicy }): ValidationResult<BodyOf<Input>>;
}

/** The input of an operation's handler. */
export type InputOf<O extends Operation> = O extends Operation<infer Input> ? Input : never;

type BodyOf<Input> = Input extends { readonly body?: infer Body } ? Body : undefined;

export function defineOperation<Input>(definition: OperationDefinition): Operation<Input> {
  const validate = (value: RawInput, options: { readonly unknown?: UnknownFieldPolicy } = {}) =>
    validateCall<Input>(definition, value, options.unknown ?? "ignore");
  const body = (value: unknown, options: { readonly unknown?: UnknownFieldPolicy } = {}) =>
    validateBodyValue<BodyOf<Input>>(definition, value, options.unknown ?? "ignore");
  return Object.assign(validate, { definition, body });
}
