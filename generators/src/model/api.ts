/**
 * What an API is, as plain frozen data: complete, so that no generator looks back into OpenAPI, and in no target language.
 * Its order is the description's order. `plumbline model` prints it as JSON.
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
  /** Operations without a path: the address in a reply leads to them, as that of an upload does. */
  readonly linked: readonly Operation[];
  /** Named shapes; `Shape.ref` names one of these. */
  readonly shapes: readonly NamedShape[];
  readonly resources: readonly Resource[];
  readonly machines: readonly StateMachine[];
  /** Failures that every operation shares. */
  readonly failures: readonly Failure[];
  readonly requirements: readonly Requirement[];
  readonly assumptions: readonly Assumption[];
  readonly origin: Origin;
}

export interface Server {
  /** With its variables filled by their defaults. */
  readonly url: string;
  readonly description?: string;
}

/** A group of operations: a tag of the description. */
export interface Area {
  readonly name: string;
  readonly description?: string;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

// Operations

export type Method = "GET" | "PUT" | "POST" | "DELETE" | "PATCH" | "HEAD" | "OPTIONS" | "TRACE" | "QUERY";

export interface Operation {
  /** A camel-case name, unique without regard to case. */
  readonly name: string;
  readonly method: Method;
  /** The template as written, such as `/images/{imageId}`; empty for a linked operation. */
  readonly path: string;
  readonly area: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  /** Where it is served, when not at the API's own servers. */
  readonly servers: readonly Server[];
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly replies: readonly Reply[];
  /** Alternatives, of which one has to hold; an empty alternative admits anonymous callers; no alternative at all means public. */
  readonly security: readonly SecurityAlternative[];
  readonly grants: readonly Grant[];
  readonly limits: readonly Limit[];
  readonly effects: readonly Effect[];
  /** Failures of its own, after which the API's shared ones apply. */
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
  /** Serialised by `mediaType`. */
  | "content";

export interface Parameter {
  /** As on the wire. */
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description?: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly mediaType?: string;
  /** How many path segments the value may have; 1 but for ids such as `compute/debian12`. */
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

/** One representation of a body or a reply. */
export interface Content {
  /** Lower case, without parameters, such as `application/json`. */
  readonly mediaType: string;
  readonly shape: Shape;
  /** How the properties of a form are written. */
  readonly encoding: Readonly<
    Record<string, { readonly contentType?: string; readonly style?: ParameterStyle; readonly explode?: boolean }>
  >;
  readonly example?: Json;
}

/** How a body is read. */
export interface BodyInput {
  readonly absent: "keep" | "clear";
  readonly nulls: "absent" | "judged";
  readonly readOnly: "ignore" | "refuse";
  readonly unknown: "ignore" | "refuse";
  /** A value that repeats the stored one is accepted whatever its bounds. */
  readonly unchanged: "judge" | "accept";
  /** The shape that the stored object with the changes on top has to match. */
  readonly merged?: string;
}

export interface Reply {
  /** 200, or a range by its first digit as 2XX, or every other status. */
  readonly status: number | `${1 | 2 | 3 | 4 | 5}XX` | "default";
  readonly description: string;
  readonly headers: readonly Header[];
  /** Empty when the reply has no body. */
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

/** Which parameters ask for a page, and which fields of the reply hold it. */
export interface Pagination {
  readonly page: string;
  readonly size: string;
  readonly envelope: { readonly items: string; readonly page: string; readonly pages: string; readonly total: string };
}

// Shapes: JSON Schema 2020-12 after 3.0's dialect is gone, with the vocabulary beside it

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

export interface NamedShape {
  readonly name: string;
  /** Set on a form that is derived from another shape: what a request carries instead of what a reply does. */
  readonly formOf?: { readonly name: string; readonly form: Form };
  readonly shape: Shape;
}

/** `read`: without `writeOnly` fields. `create`: without `readOnly` ones. `update`: without `readOnly` and create-only ones. */
export type Form = "read" | "create" | "update";

export interface Shape {
  /** Names a shape of `Api.shapes`; what stands beside it holds as well. */
  readonly ref?: string;
  /** Empty: every type. */
  readonly types: readonly JsonType[];
  /** True for the schema `false`, which nothing matches. */
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
  /** Absent: properties that are not described are allowed and not typed. */
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
  // the vocabulary
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
  /** The value of the property, and the shape that it stands for. */
  readonly mapping: readonly { readonly value: string; readonly shape: string }[];
}

export interface Filterable {
  /** Absent: whatever the type allows. */
  readonly operators?: readonly string[];
}

// Who may call

export type SecurityScheme = { readonly name: string; readonly description?: string; readonly origin: Origin } & (
  | { readonly kind: "bearer" | "basic" | "oauth2" | "openIdConnect" | "mutualTLS" }
  | { readonly kind: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly key: string }
  | { readonly kind: "http"; readonly scheme: string }
);

/** Every scheme of it is needed, with every scope of each. */
export type SecurityAlternative = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

export interface ScopeGrammar {
  readonly scheme: string;
  readonly areas: readonly string[];
  /** Each level, and the levels that it implies. */
  readonly levels: Readonly<Record<string, readonly string[]>>;
  readonly all: string;
  readonly separator: string;
  /** The resources that are credentials, and the state in which they admit. */
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
  /** The name of its shape. */
  readonly name: string;
  /** Inherited from the parent where a resource says nothing itself. */
  readonly owner: readonly Owner[];
  readonly parent?: string;
  /** The array of the grants that holds its entities. */
  readonly grants?: string;
  readonly public?: Shape;
  readonly list?: string;
  readonly read?: string;
  readonly delete?: string;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

/** This value names a resource. */
export interface Reference {
  readonly to: string;
  /** The field of it that is named; its id when absent. */
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

// Limits, values, changes, states, failures

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
  /** How requests end that count; of an `outcome-rate`. */
  readonly counts?: { readonly errors: readonly string[]; readonly effects: readonly string[] };
  /** Effects with which counting begins again. */
  readonly since?: readonly string[];
  /** The effect that the last one within the bound has. */
  readonly reached?: string;
  readonly until?: { readonly settled: Expression };
  readonly by?: readonly string[];
  readonly within?: "array" | "parent" | "user" | "account" | "platform";
  readonly error?: string;
  readonly sources: readonly Source[];
  readonly origin: Origin;
}

/** ISO 8601, and what it amounts to with days of 24 hours. */
export interface Duration {
  readonly text: string;
  readonly seconds: number;
}

/** One rule of an ordered list; the first that fits gives the value. */
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
  /** `InstanceStatus`: the resource and, where states are a field, the field. */
  readonly name: string;
  readonly resource: string;
  /** Absent for a sequence that no field shows. */
  readonly field?: string;
  /** Every state, hidden ones last. */
  readonly states: readonly string[];
  /** States that are shown as another one. */
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
  /** The object that moves, where it is not the one that the path names. */
  readonly on?: Expression;
  /** `except` is worked out: these are the states themselves. */
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
  /** `null`: about no field. Absent: whichever field broke the rule. */
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

/** Every member has to hold. */
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
  /** As written, such as `$request.body#/computes/*`. */
  readonly text: string;
  readonly root: "request" | "response" | "caller" | "target" | "refs" | "relative";
  /** `path`, `query`, `header` or `body` of a request; the field whose reference is followed for `refs`; levels up for `relative`. */
  readonly part?: string;
  /** The parameter, or the field of the caller. */
  readonly name?: string;
  /** Unescaped tokens of the JSON pointer; `*` is each item. */
  readonly pointer: readonly string[];
}

// Where everything comes from

export type Source = { readonly requirement: string } | { readonly assumption: Choice };

/** What is chosen where the documents are silent, why, and the open point that it settles. */
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
  /** The documents leave it open; an assumption settles it. */
  readonly open: boolean;
  /** Where the description states it. */
  readonly statedAt: readonly Origin[];
  /** Whether the nodes that state it have nothing but prose: no keyword and no extension field that a program reads. */
  readonly isProseOnly: boolean;
  readonly origin: Origin;
}

/** A choice, where it is made. */
export interface Assumption extends Choice {
  readonly origin: Origin;
}
