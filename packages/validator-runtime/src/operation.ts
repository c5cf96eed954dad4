import type { BodyReader } from "./bodies.js";
import type { Check, Take } from "./faults.js";
import { judgeBodyValue, judgeCall, type Given, type Judgement, type Unknown } from "./judge.js";
import type { Reader } from "./readers.js";

/** What an operation takes and gives, as data with compiled checks. */
export interface Definition {
  readonly name: string;
  readonly method: string;
  /** `{id}` is one segment, `{+id}` up to `segments` of them, `{;id}` may hold semicolons. */
  readonly path: string;
  readonly parameters?: readonly ParameterDefinition[];
  readonly body?: BodyDefinition;
  /** Media types of the replies; Accept has to allow one of them. Absent: no reply has a body. */
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
  /** By media type in lower case; a key may be a range, such as `image/*`. */
  readonly contents: Readonly<Record<string, ContentDefinition>>;
}

export interface ContentDefinition {
  /** From bytes to a value; as JSON unless said. What judges parsed bodies alone does not carry it. */
  readonly read?: BodyReader;
  readonly check?: Check;
  readonly take?: Take;
  /** What is judged and taken of a change once it is known what is stored, by whoever knows it. */
  readonly stored?: { readonly check?: Check; readonly take?: Take };
}

/** Judges what was given for one operation, without a server. */
export interface Operation<Input = unknown> {
  (given: Given, options?: { readonly unknown?: Unknown }): Judgement<Input>;
  readonly definition: Definition;
  /** Judges a parsed body alone. */
  body(value: unknown, options?: { readonly unknown?: Unknown }): Judgement<BodyOf<Input>>;
}

/** What an operation's handler gets. */
export type InputOf<O extends Operation> = O extends Operation<infer Input> ? Input : never;

type BodyOf<Input> = Input extends { readonly body?: infer Body } ? Body : undefined;

export function operation<Input>(definition: Definition): Operation<Input> {
  const judge = (given: Given, options: { readonly unknown?: Unknown } = {}) =>
    judgeCall<Input>(definition, given, options.unknown ?? "ignore");
  const body = (value: unknown, options: { readonly unknown?: Unknown } = {}) =>
    judgeBodyValue<BodyOf<Input>>(definition, value, options.unknown ?? "ignore");
  return Object.assign(judge, { definition, body });
}
