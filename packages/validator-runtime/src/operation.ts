import type { BodyReader } from "./bodies.js";
import type { Check, Take } from "./faults.js";
import { judgeBodyValue, judgeCall, type Given, type Judgement, type Unknown } from "./judge.js";
import type { Reader } from "./readers.js";

/** The parameters, bodies and media types of an operation, with compiled checks. */
export interface Definition {
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
  readonly read: Reader;
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
  readonly read?: BodyReader;
  readonly check?: Check;
  readonly take?: Take;
  /** How a server validates and normalizes a change, when it has loaded the stored object. */
  readonly stored?: { readonly check?: Check; readonly take?: Take };
}

/** Validates the input of one operation without a server. */
export interface Operation<Input = unknown> {
  (given: Given, options?: { readonly unknown?: Unknown }): Judgement<Input>;
  readonly definition: Definition;
  /** Validates a parsed body only. */
  body(value: unknown, options?: { readonly unknown?: Unknown }): Judgement<BodyOf<Input>>;
}

/** The input of an operation's handler. */
export type InputOf<O extends Operation> = O extends Operation<infer Input> ? Input : never;

type BodyOf<Input> = Input extends { readonly body?: infer Body } ? Body : undefined;

export function operation<Input>(definition: Definition): Operation<Input> {
  const judge = (given: Given, options: { readonly unknown?: Unknown } = {}) =>
    judgeCall<Input>(definition, given, options.unknown ?? "ignore");
  const body = (value: unknown, options: { readonly unknown?: Unknown } = {}) =>
    judgeBodyValue<BodyOf<Input>>(definition, value, options.unknown ?? "ignore");
  return Object.assign(judge, { definition, body });
}
