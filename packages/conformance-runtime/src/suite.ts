/**
 * A conformance suite as data: what a generator writes, and what the runtime runs. Nothing in it is code, and nothing names a server.
 * Lengths and ids are templates, worked out when a case runs.
 */
export interface Suite {
  readonly title: string;
  readonly version: string;
  /** The name of the command that runs it. */
  readonly command: string;
  readonly servers: readonly string[];
  /** True where the description is whole: a field or status that it does not have is then a mistake of the server. */
  readonly strict: boolean;
  readonly operations: Readonly<Record<string, OperationFacts>>;
  /** Operations of the server's test controls, when they are described. */
  readonly controls: Readonly<Record<string, OperationFacts>>;
  /** Named schemas: `{"$ref": "#/$defs/Instance"}` means one of these. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly recipes: Readonly<Record<string, Recipe>>;
  readonly actors: Actors;
  /** How the server's clock is read and moved, and its jobs settled and held; each is asked of the test controls. */
  readonly clock?: ClockControls;
  readonly requirements: Readonly<Record<string, RequirementFacts>>;
  readonly cases: readonly Case[];
}

export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface OperationFacts {
  readonly method: string;
  /** `/images/{imageId}`; empty for one that an address in a reply leads to. */
  readonly path: string;
  readonly area: string;
  /** Where the description has it, such as `spec/images/paths.yaml:41`. */
  readonly place: string;
  readonly parameters: readonly ParameterFacts[];
  /** What the body is sent as, unless a step says otherwise. */
  readonly mediaType?: string;
  /** By status, range (`4XX`) or `default`. */
  readonly replies: Readonly<Record<string, ReplyFacts>>;
  /** What a success of it makes, and which operation takes it away again. */
  readonly makes?: {
    readonly resource: string;
    readonly remove?: {
      readonly call: string;
      /** Each path parameter: `#/id` of the reply, or the request's own parameter of that name. */
      readonly path: Readonly<Record<string, { readonly reply: string } | { readonly request: string }>>;
    };
  };
  /** Things that a success makes by naming them, where they are not there yet, such as tags. They stay when what names them goes. */
  readonly names?: readonly NamedFacts[];
  /** Requests of one caller that it takes within so many seconds; of more, it refuses some. */
  readonly rates?: readonly { readonly max: number; readonly seconds: number }[];
  /** The operation takes away what its path names. */
  readonly removes?: string;
  /** True for a list whose reply tells what the account has: compared before and after a run. */
  readonly lists?: string;
  /** True for public operations: no token is needed. */
  readonly public?: true;
  /** Where the caller's token goes; each of them is sent. Absent: `Authorization: Bearer`. */
  readonly credentials?: readonly CredentialFacts[];
}

/** A security scheme as a request shows it. What goes with `basic` is `user:password`. */
export type CredentialFacts =
  | { readonly scheme: string; readonly as: "bearer" | "basic" }
  | {
      readonly scheme: string;
      readonly as: "apiKey";
      readonly in: "header" | "query" | "cookie";
      readonly name: string;
    };

export interface NamedFacts {
  readonly resource: string;
  /** Where the request's body names it: a JSON pointer in which `*` is each item of a list, or each field of a map. */
  readonly at: string;
  /** Which operation takes it away, and the path parameter that is its name. */
  readonly remove: { readonly call: string; readonly parameter: string };
}

export interface ParameterFacts {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  /** How many path segments it may have. */
  readonly segments: number;
  readonly style: string;
  readonly explode: boolean;
  /** `application/json` for a header or query parameter that is written so. */
  readonly mediaType?: string;
}

export interface ReplyFacts {
  readonly requirements: readonly string[];
  readonly mediaTypes: readonly string[];
  /** Of a JSON body; its nodes may carry `x-source: [requirement ids]`, to which a difference there is laid. */
  readonly schema?: JsonSchema;
  readonly headers: Readonly<
    Record<
      string,
      { readonly required: boolean; readonly schema: JsonSchema; readonly requirements: readonly string[] }
    >
  >;
}

export interface RequirementFacts {
  readonly document: string;
  readonly line: number;
  readonly says: string;
  /** Where the description states it, such as `spec/instances/schemas.yaml:12`. */
  readonly places: readonly string[];
  /** Why no case tests it. */
  readonly untested?: string;
}

/** The kinds of checks, by what of the description they come from. */
export type Kind =
  | "accepts"
  | "bounds"
  | "types"
  | "enums"
  | "nulls"
  | "required"
  | "formats"
  | "conditions"
  | "input"
  | "values"
  | "changes"
  | "replies"
  | "security"
  | "scopes"
  | "grants"
  | "resources"
  | "references"
  | "limits"
  | "states"
  | "effects"
  | "errors"
  | "visible"
  | "pagination"
  | "filters"
  | "http"
  | "workflows"
  | "scenarios";

/** What a server, or who runs the suite, has to have for a case. */
export type Capability =
  /** The server's test controls. */
  | "controls"
  /** A second account. */
  | "stranger"
  /** Users with limited rights. */
  | "users"
  /** Tokens with chosen scopes. */
  | "tokens"
  /** Moves of the clock. */
  | "clock"
  /** An HTTP server that the tested one can reach, or a name server, of the run's own. */
  | "listener";

export interface Case {
  /** Stable and path-like: `instances/createInstance/label/longer-than-64`. The first part is the area, the second the operation. */
  readonly id: string;
  readonly kind: Kind;
  /** The operation under test. */
  readonly operation: string;
  /** One sentence in the words of the description's reader. */
  readonly title: string;
  /** The requirements that it tests. */
  readonly requirements: readonly string[];
  readonly needs: readonly Capability[];
  /** True where it would disturb others or be disturbed: a moved clock, held jobs, a rate. */
  readonly alone?: true;
  /** True where it changes nothing on the server and makes nothing. */
  readonly safe?: true;
  readonly steps: readonly Step[];
}

/**
 * A step is told by the one key that it has of `call`, `make`, `actor`, `parallel`, `check`, `advance`, `settle`, `hold`, `repeat`, `code`.
 */
export type Step =
  | CallStep
  | MakeStep
  | ActorStep
  | ParallelStep
  | RepeatStep
  | CheckStep
  | AdvanceStep
  | SettleStep
  | HoldStep
  | CodeStep;

/** One request. */
export interface CallStep {
  /** An operation's name; `controls:` before it means one of the test controls. */
  readonly call: string;
  /** The lane's own user when absent. */
  readonly by?: Caller;
  readonly path?: Readonly<Record<string, Template>>;
  readonly query?: Readonly<Record<string, Template>>;
  readonly headers?: Readonly<Record<string, Template>>;
  readonly body?: Template;
  /** Sent as it is, in place of `body`: text, or a template that gives text. */
  readonly raw?: { readonly text: Template; readonly mediaType: string | null };
  /** Another method, or another address than the operation's: of a wrong method, or one that a reply gave. */
  readonly method?: string;
  readonly address?: Template;
  /** What the answer is called in later steps: `{status, headers, body, request}`. */
  readonly as?: string;
  /** Absent: any documented success. */
  readonly expect?: Expect;
  /** Asked again until the answer is as expected: what the platform does takes time. */
  readonly until?: true;
  /** The step prepares the case: when it goes wrong the case could not run, which is no failure. True for all steps but the checked ones. */
  readonly given?: true;
}

export interface Expect {
  /** Absent: any documented success. */
  readonly status?: number | readonly number[];
  /** Of an error: which entry there has to be. */
  readonly error?: {
    /** The field that is to blame; null: none; absent: whichever. Dots between parts. */
    readonly field?: Template;
    /** What its reason has to have in it. */
    readonly mentions?: readonly Template[];
  };
  /** Header names in lower case; the value is judged as text. */
  readonly headers?: Readonly<Record<string, Template>>;
  /** A JSON Schema that the body has to match, with templates where values stand. */
  readonly body?: Template;
  /** The body as text (of one that is no JSON) has to match this JSON Schema. */
  readonly text?: Template;
  /** What is wrong is laid to these, in place of the case's own requirements. */
  readonly requirements?: readonly string[];
}

/** Makes a resource by its recipe, or takes one that the lane has made for all its cases. */
export interface MakeStep {
  /** The recipe's name: a resource, or another that the suite has. */
  readonly make: string;
  /** What it is called in later steps: its representation, such as `instance#/id`. */
  readonly as: string;
  /** Inputs of the recipe: parents by the name of their resource, and `with`: what is laid over the body it is made with. */
  readonly of?: Readonly<Record<string, Template>>;
  readonly with?: Template;
  /** Its own for this case, because the case changes it, or deletes it. */
  readonly fresh?: true;
  readonly by?: Caller;
}

/** A user, made for this case and bound to a name: `{username, token}`. `by: {user: NAME}` calls as that user. */
export interface ActorStep {
  readonly actor: NewUser;
  readonly as: string;
}

export interface NewUser {
  /** `own`: of the lane's account. `other`: of an account of its own. */
  readonly account: "own" | "other";
  readonly restricted?: true;
  /** What a restricted user may, in the form that the API shows grants in. */
  readonly grants?: Template;
  /** Of its token; `*` when absent. */
  readonly scopes?: string;
}

export type Caller =
  /** The lane's user: unrestricted, with a token for everything. */
  | "main"
  /** No token at all. */
  | "anonymous"
  /** An unrestricted user of another account; one for the whole lane. */
  | "stranger"
  /** The lane's user, with a token of these scopes. */
  | { readonly scopes: string }
  /** A restricted user of the lane's account, with these grants; `scopes` is `*` when absent. */
  | { readonly grants: Template; readonly scopes?: string }
  /** One that an `actor` step has bound. */
  | { readonly user: string }
  /** The token itself. */
  | { readonly token: Template }
  /** The whole Authorization header. */
  | { readonly authorization: Template };

/** Calls that are under way together. `outcomes` says how many of them end with which status. */
export interface ParallelStep {
  readonly parallel: readonly CallStep[];
  /** Each call this many times. */
  readonly times?: number;
  readonly outcomes: readonly { readonly status: number | readonly number[]; readonly count: number }[];
  /** The answers, as a list. */
  readonly as?: string;
}

/** Steps one after another, several times; `index` is bound to 0, 1, … */
export interface RepeatStep {
  readonly repeat: readonly Step[];
  readonly times: number;
}

/** A value that earlier steps bound has to match a JSON Schema. */
export interface CheckStep {
  readonly check: Template;
  readonly matches: Template;
  readonly requirements?: readonly string[];
  /** What it means when it does not. */
  readonly message?: string;
}

/** Moves the server's clock: an ISO 8601 duration. */
export interface AdvanceStep {
  readonly advance: string;
}

/** Lets all jobs end; without controls it waits until `until` answers as it should. */
export interface SettleStep {
  readonly settle: true;
}

/** While held, no job of the platform ends. Let go at the case's end at the latest. */
export interface HoldStep {
  readonly hold: boolean;
}

/** What data cannot say: a function of the suite's package, by name. */
export interface CodeStep {
  readonly code: string;
  readonly given?: Readonly<Record<string, Template>>;
  readonly as?: string;
}

/**
 * How a resource comes to be, as steps. `caller` is bound to `{username, account}` of whoever makes it. `of` gives its inputs, `with` among
 * them always: `{"$get": "of#/Instance"}` is the parent's representation. */
export interface Recipe {
  readonly needs: readonly Capability[];
  readonly steps: readonly Step[];
  /** What the resource is then, such as `{"$get": "made#/body"}`. */
  readonly gives: Template;
}

/** Recipes for who calls. Inputs, always all of them: `{"$get": "of#/username"}`, `account`, `restricted`, `grants` (`{}`), `scopes` (`*`). Each gives `{username, token}`. */
export interface Actors {
  /** A user, with a token. */
  readonly user?: Recipe;
  /** Another token of the user that calls: input `scopes`. */
  readonly token?: Recipe;
}

export interface ClockControls {
  /** Gives the server's time, ISO 8601. */
  readonly now: Recipe;
  /** Input `by`, an ISO 8601 duration; gives the time. */
  readonly advance: Recipe;
  readonly settle: Recipe;
  /** Input `hold`. */
  readonly hold: Recipe;
}

/**
 * JSON in which an object with exactly one key that begins with `$` stands for a value:
 *
 * | form | value |
 * |---|---|
 * | `{"$get": "made#/body/id"}` | what a step bound, and a JSON pointer into it. Without a value the case could not run |
 * | `{"$text": ["a-", {"$get": "x#/id"}]}` | the parts as one text |
 * | `{"$repeat": ["x", 65]}` | a text this many times |
 * | `{"$list": [item, 26]}` | an array with the item this many times, each worked out anew |
 * | `{"$unique": "label"}` | new in every use, begins with the run's tag: see `UniqueKind` |
 * | `{"$time": "PT1H"}` | the server's time and a duration (`-PT1H` before it), as `2026-02-28T23:59:59Z` |
 * | `{"$merge": [a, b]}` | objects, the later on top; a key whose value is `{"$absent": true}` is taken away |
 * | `{"$sum": [1, {"$get": "x#/id"}]}` | numbers added |
 * | `{"$number": {"$get": "x#/id"}}` | the digits that a text ends with, as a number |
 * | `{"$count": {"$get": "x#/data"}}` | how many items |
 * | `{"$find": [list, schema]}` | the first item that matches a JSON Schema; without one the case could not run |
 * | `{"$json": value}` | the value as JSON text |
 * | `{"$index": true}` | which round of a `repeat` this is, from 0 |
 * | `{"$literal": value}` | the value, in which nothing stands for another |
 */
export type Template = Json;

/**
 * `label`: 3 to 32 letters, digits and hyphens, a letter first. `domain`: a name below example.com. `number`: 10 digits.
 * `username`: as label. `ssh-key`: an Ed25519 public key. `phone`: a US number in E.164.
 */
export type UniqueKind = "label" | "domain" | "number" | "username" | "ssh-key" | "phone";
