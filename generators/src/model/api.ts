/**
 * The model of an API: plain frozen data, independent of any target language. It is complete: generators never read
 * OpenAPI.
 * The order is that of the description. `plumbline model` prints it as JSON.
 */
import type { Origin } from "../problem.js";

export interface Api {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  readonly description?: string;
  readonly servers: readonly Server[];
  readonly areas: readonly Area[];
  readonly schemes: readonly SecurityScheme[];
  readonly scopes?: ScopeGrammar;
  readonly operations: readonly Operation[];
  /** Operations without a path. Their URLs are in responses, such as the URL of an upload. */
  readonly linked: readonly Operation[];
  /** The named schemas. `Shape.ref` refers to them. */
  readonly shapes: readonly NamedShape[];
  readonly resources: readonly Resource[];
  readonly machines: readonly StateMachine[];
  /** Errors that all operations share. */
  readonly failures: readonly Failure[];
  readonly requirements: readonly Requirement[];
  readonly assumptions: readonly Assumption[];
  readonly origin: Origin;
}

export interface Server {
  /** The URL, with variables replaced by their defaults. */
  readonly url: string;
  readonly description?: string;
}

/** A tag of the description, which groups operations. */
export interface Area {
  readonly name: string;
  readonly description?: string;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

// Operations

export type Method = "GET" | "PUT" | "POST" | "DELETE" | "PATCH" | "HEAD" | "OPTIONS" | "TRACE" | "QUERY";

export interface Operation {
  /** The name in camel case, unique regardless of case. */
  readonly name: string;
  readonly method: Method;
  /** The path template, such as `/images/{imageId}`. Empty for an operation without a path. */
  readonly path: string;
  readonly area: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  /** Servers of this operation, if they differ from those of the API. */
  readonly servers: readonly Server[];
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly replies: readonly Reply[];
  /**
   * Security requirements, one of which has to be met. An empty requirement allows anonymous callers; no requirement at
   * all means public.
   */
  readonly security: readonly SecurityAlternative[];
  readonly grants: readonly Grant[];
  readonly limits: readonly Limit[];
  readonly effects: readonly Effect[];
  /** Errors of this operation. Those of the API apply as well. */
  readonly failures: readonly Failure[];
  readonly pagination?: Pagination;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

export type ParameterPlace = "path" | "query" | "header" | "cookie";
export type ParameterStyle =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  /** Serialized by `mediaType`. */
  | "content";

export interface Parameter {
  /** The name on the wire. */
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description?: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly mediaType?: string;
  /** Maximum number of path segments of the value. More than 1 for ids such as `compute/debian12`. */
  readonly segments: number;
  /** Whether the one path segment of the value may have slashes, written `%2F`. */
  readonly encodedSlash: boolean;
  readonly shape: Shape;
  readonly reference?: Reference;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

export interface Body {
  readonly required: boolean;
  readonly description?: string;
  readonly contents: readonly Content[];
  readonly input: BodyInput;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

/** One media type of a request body or a response. */
export interface Content {
  /** In lower case and without parameters, such as `application/json`. */
  readonly mediaType: string;
  readonly shape: Shape;
  /** How the properties of a form are encoded. */
  readonly encoding: Readonly<
    Record<string, { readonly contentType?: string; readonly style?: ParameterStyle; readonly explode?: boolean }>
  >;
  readonly example?: Json;
}

/** How a request body is read: `x-input`. */
export interface BodyInput {
  readonly absent: "keep" | "clear";
  readonly nulls: "absent" | "judged";
  readonly readOnly: "ignore" | "refuse";
  readonly unknown: "ignore" | "refuse";
  /** With `"accept"`, a value that equals the stored one is valid whatever its constraints. */
  readonly unchanged: "judge" | "accept";
  /** The schema that the stored object has to match once the changes are applied. */
  readonly merged?: string;
}

export interface Reply {
  /** A status code, a range such as `2XX`, or `default` for every other status. */
  readonly status: number | `${1 | 2 | 3 | 4 | 5}XX` | "default";
  readonly description: string;
  readonly headers: readonly Header[];
  /** Empty if the response has no body. */
  readonly contents: readonly Content[];
  readonly visible?: Visibility;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

export interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly shape: Shape;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

/** The query parameters that select a page, and the response fields that contain it. */
export interface Pagination {
  readonly page: string;
  readonly size: string;
  readonly envelope: { readonly items: string; readonly page: string; readonly pages: string; readonly total: string };
}

// Schemas: JSON Schema 2020-12, with the dialect of OpenAPI 3.0 converted and the vocabulary added

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

export interface NamedShape {
  readonly name: string;
  /** Set on a schema that is derived from another one for requests. */
  readonly formOf?: { readonly name: string; readonly form: Form };
  readonly shape: Shape;
}

/**
 * `read`: without `writeOnly` properties. `create`: without `readOnly` properties. `update`: without `readOnly` and
 * create-only properties.
 */
export type Form = "read" | "create" | "update";

export interface Shape {
  /** The name of a schema in `Api.shapes`. Keywords beside it apply as well. */
  readonly ref?: string;
  /** The allowed types. Empty: any type. */
  readonly types: readonly JsonType[];
  /** True for the schema `false`, which matches nothing. */
  readonly never?: true;
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: true;
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly items?: Shape;
  readonly prefixItems?: readonly Shape[];
  readonly contains?: Shape;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly properties?: readonly Property[];
  readonly required?: readonly string[];
  /** Absent: other properties are allowed and untyped. */
  readonly additionalProperties?: Shape;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly propertyNames?: Shape;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly dependentSchemas?: Readonly<Record<string, Shape>>;
  readonly allOf?: readonly Shape[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly not?: Shape;
  readonly if?: Shape;
  readonly then?: Shape;
  readonly else?: Shape;
  readonly unevaluatedProperties?: Shape;
  readonly unevaluatedItems?: Shape;
  readonly discriminator?: Discriminator;
  // Fields of the vocabulary
  readonly limits?: readonly Limit[];
  readonly values?: readonly ValueRule[];
  readonly reference?: Reference;
  readonly visible?: Visibility;
  readonly filterable?: Filterable;
  readonly scopeCeiling?: { readonly atMost: Expression; readonly error: string };
  readonly failures?: readonly Failure[];
  readonly sources?: readonly Source[];
  readonly origin: Origin;
}

export interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly change?: Change;
  readonly shape: Shape;
}

export interface Discriminator {
  readonly property: string;
  /** The values of the property, and the schema that each selects. */
  readonly mapping: readonly { readonly value: string; readonly shape: string }[];
}

export interface Filterable {
  /** Absent: every operator that the type allows. */
  readonly operators?: readonly string[];
}

// Security

export type SecurityScheme = { readonly name: string; readonly description?: string; readonly origin: Origin } & (
  | { readonly kind: "bearer" | "basic" | "oauth2" | "openIdConnect" | "mutualTLS" }
  | { readonly kind: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly key: string }
  | { readonly kind: "http"; readonly scheme: string }
);

/** All schemes of a requirement have to be met, each with all of its scopes. */
export type SecurityAlternative = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

export interface ScopeGrammar {
  readonly scheme: string;
  readonly areas: readonly string[];
  /** Each level, with the levels that it implies. */
  readonly levels: Readonly<Record<string, readonly string[]>>;
  readonly all: string;
  readonly separator: string;
  /** The resources that are credentials, and the state in which they are valid. */
  readonly credentials: readonly { readonly to: string; readonly in: string }[];
  readonly errors: { readonly missing: string; readonly invalid: string; readonly scope: string };
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

export type Grant = (
  | { readonly kind: "global"; readonly global: string }
  | { readonly kind: "unrestricted" }
  | { readonly kind: "entity"; readonly on: Expression; readonly level: string }
) & {
  readonly when?: Condition;
  readonly error?: string;
  readonly sources: readonly Source[];
  readonly origin: Origin;
};

// Resources

export type Owner = "platform" | "account" | "user" | "client";

export interface Resource {
  /** The name of its schema. */
  readonly name: string;
  /** The kinds of owners. Default: those of the parent. */
  readonly owner: readonly Owner[];
  readonly parent?: string;
  /** The member of the grants that lists entities of this resource. */
  readonly grants?: string;
  readonly public?: Shape;
  readonly list?: string;
  readonly read?: string;
  readonly delete?: string;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

/** States that a value refers to a resource. */
export interface Reference {
  readonly to: string;
  /** The field of the resource that the value equals. Default: `id`. */
  readonly by?: string;
  readonly of?: Expression;
  readonly where?: Shape;
  readonly unfit?: string;
  readonly missing?: string;
  readonly deleted?: "detach" | "refuse";
}

export interface Effect {
  readonly id: string;
  readonly summary?: string;
  readonly when?: Condition;
  readonly does?: "create" | "delete" | "replace" | "set" | "add" | "remove" | "keep";
  readonly to?: string;
  readonly of?: Expression;
  readonly where?: Shape;
  readonly except?: Expression;
  readonly count?: number | Expression;
  readonly values: Readonly<Record<string, Take>>;
  readonly proof?: string;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

// Limits, values, mutability, states, errors

export type LimitKind =
  | "rate"
  | "outcome-rate"
  | "concurrency"
  | "unique"
  | "combined-length"
  | "serialized-length"
  | "bytes"
  | "retention";

export interface Limit {
  readonly id: string;
  readonly kind: LimitKind;
  readonly max?: number;
  readonly window?: Duration;
  readonly per?: Expression;
  /** For an `outcome-rate`: the outcomes that count. */
  readonly counts?: { readonly errors: readonly string[]; readonly effects: readonly string[] };
  /** Effects that reset the count. */
  readonly since?: readonly string[];
  /** The effect of the last request within the limit. */
  readonly reached?: string;
  readonly until?: { readonly settled: Expression };
  readonly by?: readonly string[];
  readonly within?: "array" | "parent" | "user" | "account" | "platform";
  readonly error?: string;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

/** An ISO 8601 duration, and its length in seconds. A day has 24 hours. */
export interface Duration {
  readonly text: string;
  readonly seconds: number;
}

/** A rule of an ordered list. The first rule that matches sets the value. */
export interface ValueRule {
  readonly absent?: true;
  readonly sent?: Shape;
  readonly when?: Condition;
  readonly take?: Take;
  readonly means?: Json;
  readonly round?: "up" | "nearest";
  readonly to?: readonly number[];
  readonly escape?: "ascii";
}

export type Take =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "from"; readonly from: Expression; readonly times?: number; readonly minus?: Expression }
  | { readonly kind: "platform" }
  | { readonly kind: "ignore" };

export interface Change {
  readonly rule: "create-only" | "one-way" | "increase" | "next";
  readonly to?: Json;
  readonly order?: string;
  readonly error?: string;
}

export interface Visibility {
  readonly in?: readonly string[];
  readonly when?: Condition;
  readonly otherwise?: "absent" | null | { readonly first: number };
  readonly secret?: true;
}

export interface StateMachine {
  /** Such as `InstanceStatus`: the resource, and the field that contains the state if there is one. */
  readonly name: string;
  readonly resource: string;
  /** The field that contains the state. Absent if responses do not contain it. */
  readonly field?: string;
  /** All states. Hidden states come last. */
  readonly states: readonly string[];
  /** Hidden states, each with the state that responses contain instead. */
  readonly hidden: Readonly<Record<string, string>>;
  readonly initial: readonly InitialState[];
  readonly transitions: readonly Transition[];
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

export type Trigger =
  | { readonly kind: "operation"; readonly operation: string }
  | { readonly kind: "platform"; readonly platform: string }
  | { readonly kind: "after"; readonly after: Duration }
  | { readonly kind: "at"; readonly at: string };

export interface InitialState {
  readonly by: Trigger;
  readonly when?: Condition;
  readonly to: string;
  readonly then: readonly string[];
  /** Fields that the new object gets. */
  readonly sets?: Readonly<Record<string, Take>>;
  readonly takes?: Duration;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

export interface Transition {
  readonly by: Trigger;
  /** The object that changes state, if it is not the one in the path. */
  readonly on?: Expression;
  /** The states in which the transition can start. `except` is resolved. */
  readonly from: readonly string[];
  /** A state, `$gone` or `$before`. */
  readonly to: string;
  readonly then: readonly string[];
  readonly when?: Condition;
  /** Fields that change with the state. */
  readonly sets?: Readonly<Record<string, Take>>;
  readonly while?: string;
  readonly limit?: string;
  readonly takes?: Duration;
  readonly else?: string;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

export interface Failure {
  readonly id: string;
  readonly status: number;
  /** `null`: not about a field. Absent: about the field that violates the rule. */
  readonly field?: string | null;
  readonly summary?: string;
  readonly when?: Condition;
  readonly mentions: readonly string[];
  readonly retry: boolean;
  readonly proof?: string;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

// Conditions and expressions

/** A condition holds if all of its members hold. */
export interface Condition {
  readonly caller?: Shape;
  readonly body?: Shape;
  readonly target?: Shape;
  readonly sent?: Shape;
  readonly refs?: Readonly<Record<string, Shape>>;
  readonly changes?: readonly string[];
  readonly compare?: {
    readonly left: Expression;
    readonly operator: "eq" | "ne" | "lt" | "lte" | "in" | "notIn";
    readonly right: Expression | Json;
  };
}

export interface Expression {
  /** The text in the description, such as `$request.body#/computes/*`. */
  readonly text: string;
  readonly root: "request" | "response" | "caller" | "target" | "refs" | "relative";
  /**
   * For a request: `path`, `query`, `header` or `body`. For `refs`: the field with the reference. For `relative`: the
   * number of levels up.
   */
  readonly part?: string;
  /** The name of the parameter, or of the caller's field. */
  readonly name?: string;
  /** Unescaped tokens of the JSON pointer. `*` stands for each item. */
  readonly pointer: readonly string[];
}

// Sources

export type Source = { readonly requirement: string } | { readonly assumption: Choice };

/** What is assumed where the documents are silent, why, and which open requirement it settles. */
export interface Choice {
  readonly assumed: string;
  readonly because: string;
  readonly settles?: string;
  /** Neither the documents nor other evidence has it. */
  readonly unsourced?: true;
}

export interface Requirement {
  readonly id: string;
  readonly document: string;
  readonly section: string;
  readonly line: number;
  readonly says: string;
  /** True if the documents leave it open. Then an assumption has to settle it. */
  readonly open: boolean;
  /** The nodes of the description that state it. */
  readonly statedAt: readonly Origin[];
  /** True if the nodes that state it contain only prose: no keyword and no extension field that a program reads. */
  readonly isProseOnly: boolean;
  readonly origin: Origin;
}

/** An assumption, with its location. */
export interface Assumption extends Choice {
  readonly origin: Origin;
}
