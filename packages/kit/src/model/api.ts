/**
 * The model of an API: plain frozen data, independent of any target language. It is complete: generators never read
 * OpenAPI.
 * The order is that of the description. `plumbline model` prints it as JSON.
 */
import type { FilterOperator, OrderSyntax } from "@plumbline/server-runtime";
import type { SourceRef } from "./diagnostic.js";

export type { FilterOperator, OrderSyntax };

export interface Api {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  readonly description?: string;
  readonly servers: readonly Server[];
  /** How clients write arrays in `deepObject`. Absent: `brackets`. */
  readonly nestedArrays?: NestedArrays;
  readonly tags: readonly Tag[];
  readonly securitySchemes: readonly SecurityScheme[];
  readonly scopeGrammar?: ScopeGrammar;
  readonly operations: readonly Operation[];
  /** Operations without a path. Their URLs are in responses, such as the URL of an upload. */
  readonly operationsWithoutPath: readonly Operation[];
  /** Webhooks, and callbacks of operations. Absent if there are none. */
  readonly sentRequests?: readonly SentRequest[];
  /** The named schemas. `Schema.ref` refers to them. */
  readonly schemas: readonly NamedSchema[];
  readonly resources: readonly Resource[];
  readonly stateMachines: readonly StateMachine[];
  /** Errors that all operations share. */
  readonly errors: readonly ErrorDefinition[];
  /** Set if errors are problem details. */
  readonly problemDetails?: ProblemDetailsFormat;
  /** What `x-callers` states. `callersOf` has the defaults. */
  readonly callers?: StatedCallers;
  /** What `x-headers` states. */
  readonly headers?: StatedHeaders;
  readonly requirements: readonly Requirement[];
  readonly assumptions: readonly Assumption[];
  /** Patterns that JavaScript cannot evaluate, so that nothing checks them. Absent if there are none. */
  readonly uncheckedPatterns?: readonly UncheckedPattern[];
  /** Patterns that generated code does not match with `RegExp`, because some text could keep it busy. Absent if there are none. */
  readonly slowPatterns?: readonly SlowPattern[];
  readonly origin: SourceRef;
}

/**
 * What a response header says: the id of the request; the scopes of the token, and those that the operation requires; of the narrowest
 * rate, the maximum, the remaining requests and the end of the window; or all of these in the fields of the IETF.
 */
export type HeaderRole =
  | "requestId"
  | "scopes"
  | "acceptedScopes"
  | "limit"
  | "remaining"
  | "reset"
  | "rateLimit"
  | "rateLimitPolicy";

/** The headers of responses whose roles the description states. */
export interface StatedHeaders {
  readonly names: Readonly<Partial<Record<HeaderRole, string>>>;
  /** The value of the header `scopes` without a token. Absent: the response does not have it then. */
  readonly noScopes?: string;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

/** A pattern with which a text can make a backtracking matcher, such as `RegExp`, slow. */
export interface SlowPattern {
  readonly pattern: string;
  /** The length in characters up to which no text can. */
  readonly fastLength: number;
  /** False if it cannot be matched in linear time either. */
  readonly isLinear: boolean;
}

/** A pattern that nothing checks. */
export interface UncheckedPattern {
  readonly pattern: string;
  /** The schema with the pattern. */
  readonly origin: SourceRef;
}

export interface Server {
  /** The URL, with variables replaced by their defaults. */
  readonly url: string;
  readonly description?: string;
}

/** A tag of the description, which groups operations. */
export interface Tag {
  readonly name: string;
  /** The name of the tag that contains it. */
  readonly parent?: string;
  readonly description?: string;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

// Operations

export type Method = "GET" | "PUT" | "POST" | "DELETE" | "PATCH" | "HEAD" | "OPTIONS" | "TRACE" | "QUERY";

export interface Operation {
  /** The name in camel case, unique regardless of case. */
  readonly name: string;
  readonly method: Method;
  /** The path template, such as `/images/{imageId}`. Empty for an operation without a path. */
  readonly path: string;
  readonly tag: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly deprecation?: Deprecation;
  /** Servers of this operation, if they differ from those of the API. */
  readonly servers: readonly Server[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: readonly OperationResponse[];
  /**
   * Security requirements, one of which has to be met. An empty requirement allows anonymous callers; no requirement at
   * all means public.
   */
  readonly security: readonly SecurityRequirement[];
  readonly grants: readonly Grant[];
  readonly limits: readonly Limit[];
  readonly effects: readonly Effect[];
  /** Errors of this operation. Those of the API apply as well. */
  readonly errors: readonly ErrorDefinition[];
  readonly pagination?: Pagination;
  /** How requests filter this list. Absent: the description does not state it. */
  readonly filter?: FilterSyntax;
  /** How requests order this list. Absent: the description does not state it. */
  readonly order?: OrderSyntax;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

/** A request that the API sends: a webhook, or a callback of an operation. */
export interface SentRequest {
  /** Such as `webhook paid`, or `callback paid of createOrder`. Several addresses of a callback follow the name. */
  readonly name: string;
  readonly method: Method;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly deprecation?: Deprecation;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBody;
  /** What the API accepts as responses. */
  readonly responses: readonly OperationResponse[];
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

export type ParameterLocation = "path" | "query" | "header" | "cookie";
export type ParameterStyle =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  | "cookie"
  /** Serialized by `mediaType`. */
  | "content";

/**
 * How clients write arrays in the style `deepObject`, which OpenAPI leaves open: `a[]=1&a[]=2`, `a[0]=1&a[1]=2` or `a=1&a=2`. Objects in arrays have
 * indices in all of them: `a[0][b]=1`.
 */
export type NestedArrays = "brackets" | "indices" | "repeat";

export interface Parameter {
  /** The name on the wire. */
  readonly name: string;
  readonly in: ParameterLocation;
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
  readonly schema: Schema;
  readonly reference?: ResourceReference;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description?: string;
  readonly contents: readonly MediaTypeObject[];
  readonly input: RequestBodyRules;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

/** One media type of a request body or a response. */
export interface MediaTypeObject {
  /** In lower case and without parameters, such as `application/json`. */
  readonly mediaType: string;
  readonly schema: Schema;
  /** Of a stream, such as `application/jsonl`: the schema of each item. */
  readonly itemSchema?: Schema;
  /** Of `text/event-stream`: `data` of each event is JSON, and `itemSchema` has the schema of its value. Absent: it is text. */
  readonly itemData?: "json";
  /** How the properties of a form are encoded. */
  readonly encoding: Readonly<
    Record<
      string,
      {
        readonly contentType?: string;
        readonly style?: ParameterStyle;
        readonly explode?: boolean;
        /** True if the part has headers of its own. */
        readonly hasHeaders?: true;
      }
    >
  >;
  readonly example?: Json;
  /** The named examples. `example` is one of them, or an example without a name. */
  readonly examples?: Readonly<Record<string, Json>>;
}

/** How a request body is read: `x-input`. */
export interface RequestBodyRules {
  readonly absent: "keep" | "clear";
  readonly nulls: "absent" | "validated";
  readonly readOnly: "ignore" | "reject";
  readonly unknown: "ignore" | "reject";
  /** With `"accept"`, a value that equals the stored one is valid whatever its constraints. */
  readonly unchanged: "validate" | "accept";
  /** The schema that the stored object has to match once the changes are applied. */
  readonly merged?: string;
}

export interface OperationResponse {
  /** A status code, a range such as `2XX`, or `default` for every other status. */
  readonly status: number | `${1 | 2 | 3 | 4 | 5}XX` | "default";
  readonly description: string;
  readonly headers: readonly ResponseHeader[];
  /** Empty if the response has no body. */
  readonly contents: readonly MediaTypeObject[];
  readonly visibility?: Visibility;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

export interface ResponseHeader {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

/** When an operation was deprecated or will be, when it ends, and what replaces it. */
export interface Deprecation {
  readonly since?: Instant;
  readonly sunset?: Instant;
  /** The URL of a page about the deprecation. */
  readonly link?: string;
  /** The URL of a page about the end. */
  readonly sunsetLink?: string;
  /** The name of the operation that replaces it. */
  readonly replacement?: string;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

/** A date, which begins at midnight in UTC, or a time in UTC; and its seconds since 1970. */
export interface Instant {
  readonly text: string;
  readonly seconds: number;
}

/** The query parameters that select a page, and the response fields that contain it. */
export type Pagination = NumberedPages | CursorPages;

/** Pages with numbers, of which the response has the count. */
export interface NumberedPages {
  readonly page: string;
  readonly size: string;
  readonly envelope: { readonly items: string; readonly page: string; readonly pages: string; readonly total: string };
  readonly next?: undefined;
  readonly error?: undefined;
}

/** Pages in a chain: each has the cursor of the next one, and the last one has none. */
export interface CursorPages {
  /** The query parameter with the cursor. */
  readonly page: string;
  readonly size?: string;
  /** Without `items`, the response is the array of the items. */
  readonly envelope: {
    readonly items?: string;
    readonly page?: undefined;
    readonly pages?: undefined;
    readonly total?: undefined;
  };
  readonly next: CursorPlace;
  /** The id of the error for a cursor that no page had. */
  readonly error?: string;
}

/** Where a response has the cursor of the next page: in a field of the body, or in a header. */
export type CursorPlace =
  | { readonly in: "body"; readonly pointer: readonly string[] }
  | { readonly in: "header"; readonly name: string };

/**
 * How requests filter a list. `json`: a JSON object in one parameter. `brackets`: `filter[size][gte]=10`. `query`: a parameter for each field
 * and operator, `size_gte=10`. `prefix`: a parameter for each field, `size=gte:10`.
 */
export interface FilterSyntax {
  readonly style: "json" | "brackets" | "query" | "prefix";
  /** The parameter with the filter, and its location. Absent in the styles `query` and `prefix`. */
  readonly parameter?: { readonly in: "header" | "query"; readonly name: string };
  /** How each operator is written: a key, what follows the name of the field in the style `query`, or what precedes the value in `prefix`. */
  readonly operators: Readonly<Partial<Record<FilterOperator, string>>>;
  /** The key of filters that all have to match. */
  readonly all?: string;
  /** The key of filters one of which has to match. */
  readonly any?: string;
  /** The id of the error for a field that the list cannot be filtered by. */
  readonly error?: string;
}

// Schemas: JSON Schema 2020-12, with the dialect of OpenAPI 3.0 converted and the vocabulary added

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

export interface NamedSchema {
  readonly name: string;
  /** Set on a schema that is derived from another one for requests. */
  readonly variantOf?: { readonly name: string; readonly variant: SchemaVariant };
  readonly schema: Schema;
}

/**
 * `read`: without `writeOnly` properties. `create`: without `readOnly` properties. `update`: without `readOnly` and
 * immutable properties.
 */
export type SchemaVariant = "read" | "create" | "update";

export interface Schema {
  /** The name of a schema in `Api.schemas`. Keywords beside it apply as well. */
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
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly contains?: Schema;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly properties?: readonly Property[];
  readonly required?: readonly string[];
  /** Absent: other properties are allowed and untyped. */
  readonly additionalProperties?: Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly dependentSchemas?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly unevaluatedProperties?: Schema;
  readonly unevaluatedItems?: Schema;
  readonly discriminator?: Discriminator;
  /** The values of custom keywords, by name: those that plumbline.yaml lists in `keywords`. Validators check them with functions of their users. */
  readonly keywords?: Readonly<Record<string, Json>>;
  // Fields of the vocabulary
  readonly limits?: readonly Limit[];
  readonly valueRules?: readonly ValueRule[];
  readonly reference?: ResourceReference;
  readonly visibility?: Visibility;
  readonly filterable?: Filterable;
  readonly scopeCeiling?: { readonly atMost: Expression; readonly error: string };
  readonly errors?: readonly ErrorDefinition[];
  readonly sources?: readonly Source[];
  readonly origin: SourceRef;
}

export interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly mutability?: Mutability;
  readonly schema: Schema;
}

export interface Discriminator {
  readonly propertyName: string;
  /** The values of the property, and the schema that each selects. */
  readonly mapping: readonly { readonly value: string; readonly schema: string }[];
}

export interface Filterable {
  /** Absent: every operator that the type allows. */
  readonly operators?: readonly FilterOperator[];
}

// Security

export type SecurityScheme = { readonly name: string; readonly description?: string; readonly origin: SourceRef } & (
  | { readonly kind: "bearer" | "basic" | "oauth2" | "openIdConnect" | "mutualTLS" }
  | { readonly kind: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly key: string }
  | { readonly kind: "http"; readonly scheme: string }
);

/** All schemes of a requirement have to be met, each with all of its scopes. */
export type SecurityRequirement = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

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
  readonly origin: SourceRef;
}

/** The attributes of callers, which of them own objects, and who needs no grant. */
export interface StatedCallers {
  /** The attributes besides `user`, `scopes` and the owners. */
  readonly attributes: Readonly<Record<string, Schema>>;
  /** The attributes that own objects. Absent: `account`, `user` and `client`. */
  readonly owners?: readonly string[];
  /** The callers that need no grant. Absent: all need their grants. */
  readonly needNoGrants?: CallerValues;
  /** The member of a user's grants with those that have names. Absent: `named`. */
  readonly namedGrants?: string;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

/** The values of attributes, one of which a caller has to have of each attribute. */
export type CallerValues = Readonly<Record<string, readonly (string | number | boolean)[]>>;

/** What a caller needs: an attribute, a grant by its name, or a level on an entity. */
export type Grant = (
  | { readonly kind: "caller"; readonly caller: CallerValues }
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "entity"; readonly on: Expression; readonly level: string }
) & {
  readonly when?: Condition;
  readonly error?: string;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
};

// Resources

/** `platform`, or an attribute of callers such as `account`. */
export type Owner = string;

export interface Resource {
  /** The name of its schema. */
  readonly name: string;
  /** The kinds of owners. Default: those of the parent. */
  readonly owner: readonly Owner[];
  readonly parent?: string;
  /** The member of the grants that lists entities of this resource. */
  readonly grants?: string;
  readonly public?: Schema;
  readonly list?: string;
  readonly read?: string;
  readonly delete?: string;
  /** The field with the time of the last change. */
  readonly modified?: string;
  /** True if any operation may add objects. */
  readonly isLog?: true;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

/** States that a value refers to a resource. */
export interface ResourceReference {
  readonly to: string;
  /** The field of the resource that the value equals. Default: `id`. */
  readonly by?: string;
  readonly of?: Expression;
  readonly where?: Schema;
  readonly onConstraintViolation?: string;
  readonly onNotFound?: string;
  readonly onDelete?: "set-null" | "restrict";
}

export interface Effect {
  readonly id: string;
  readonly summary?: string;
  readonly when?: Condition;
  readonly does?: "create" | "delete" | "replace" | "set" | "add" | "remove" | "keep";
  readonly to?: string;
  /** The expression in `to`. Absent if `to` is a name. */
  readonly object?: Expression;
  readonly of?: Expression;
  readonly where?: Schema;
  readonly except?: Expression;
  readonly count?: number | Expression;
  readonly values: Readonly<Record<string, ValueSource>>;
  readonly verifiedBy?: string;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
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
  /** `array`, `parent`, `platform`, or an owner. Absent: the tenant. */
  readonly within?: string;
  readonly error?: string;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

/** An ISO 8601 duration, and its length in seconds. A day has 24 hours. */
export interface Duration {
  readonly text: string;
  readonly seconds: number;
}

/** A rule of an ordered list. The first rule that matches sets the value. */
export interface ValueRule {
  readonly absent?: true;
  readonly matches?: Schema;
  readonly when?: Condition;
  readonly set?: ValueSource;
  readonly interpretAs?: Json;
  readonly round?: "up" | "nearest";
  readonly to?: readonly number[];
  readonly escape?: "ascii";
}

export type ValueSource =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "from"; readonly from: Expression; readonly times?: number; readonly minus?: Expression }
  | { readonly kind: "platform" }
  | { readonly kind: "ignore" };

export interface Mutability {
  readonly rule: "immutable" | "one-way" | "increase" | "next";
  readonly to?: Json;
  readonly order?: string;
  readonly error?: string;
}

export interface Visibility {
  readonly in?: readonly string[];
  readonly when?: Condition;
  readonly otherwise?: "absent" | null | { readonly truncate: number };
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
  readonly origin: SourceRef;
}

export type TransitionEvent =
  | { readonly kind: "operation"; readonly operation: string }
  | { readonly kind: "platform"; readonly platform: string }
  | { readonly kind: "after"; readonly after: Duration }
  | { readonly kind: "at"; readonly at: string };

export interface InitialState {
  readonly event: TransitionEvent;
  readonly when?: Condition;
  readonly to: string;
  readonly then: readonly string[];
  /** Fields that the new object gets. */
  readonly sets?: Readonly<Record<string, ValueSource>>;
  readonly duration?: Duration;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

export interface Transition {
  readonly event: TransitionEvent;
  /** The object that changes state, if it is not the one in the path. */
  readonly subject?: Expression;
  /** The states in which the transition can start. `except` is resolved. */
  readonly from: readonly string[];
  /** A state, `$deleted` or `$previous`. */
  readonly to: string;
  readonly then: readonly string[];
  readonly when?: Condition;
  /** Fields that change with the state. */
  readonly sets?: Readonly<Record<string, ValueSource>>;
  readonly while?: string;
  readonly limit?: string;
  readonly duration?: Duration;
  readonly error?: string;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

export interface ErrorDefinition {
  readonly id: string;
  readonly status: number;
  /** `null`: not about a field. Absent: about the field that violates the rule. */
  readonly field?: string | null;
  readonly summary?: string;
  readonly when?: Condition;
  readonly reasonContains: readonly string[];
  readonly retry: boolean;
  readonly verifiedBy?: string;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

/** Errors are problem details (RFC 9457) of the media type `application/problem+json`. */
export interface ProblemDetailsFormat {
  /** The prefix of the types of documented errors, which their ids follow. Absent: the type is `about:blank`. */
  readonly types?: string;
  readonly sources: readonly Source[];
  readonly origin: SourceRef;
}

// Conditions and expressions

/** A condition holds if all of its members hold. */
export interface Condition {
  readonly caller?: Schema;
  readonly body?: Schema;
  readonly target?: Schema;
  readonly sent?: Schema;
  readonly refs?: Readonly<Record<string, Schema>>;
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

export type Source = { readonly requirement: string } | { readonly assumption: AssumptionDetails };

/** What is assumed where the documents are silent, why, and which open requirement it settles. */
export interface AssumptionDetails {
  readonly id: string;
  readonly text: string;
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
  readonly text: string;
  /** True if the documents leave it open. Then an assumption has to settle it. */
  readonly open: boolean;
  /** The nodes of the description that state it. */
  readonly statedAt: readonly SourceRef[];
  /** True if the nodes that state it contain only prose: no keyword and no extension field that a program reads. */
  readonly isProseOnly: boolean;
  readonly origin: SourceRef;
}

/** An assumption, with its location. */
export interface Assumption extends AssumptionDetails {
  /** The nodes of the description that are based on it. */
  readonly statedAt: readonly SourceRef[];
  readonly origin: SourceRef;
}
