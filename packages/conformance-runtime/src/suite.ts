import type { JsonSchema, ResponseInfo, StreamInfo } from "./response-info.js";
import type { Json, Template, UniqueKind } from "./templates.js";

/**
 * A conformance suite as data: the generator writes it, the runtime runs it. It has no code and names no server. Ids and long texts are
 * templates, evaluated when a case runs.
 */
export interface Suite {
  readonly title: string;
  readonly version: string;
  /** The name of the command that runs it. */
  readonly command: string;
  readonly servers: readonly string[];
  /** True for a complete description: an undocumented field or status is then a failure of the server. */
  readonly strict: boolean;
  readonly operations: Readonly<Record<string, OperationInfo>>;
  /** Operations of the server's test controls, if they have a description. */
  readonly controls: Readonly<Record<string, OperationInfo>>;
  /** Named schemas: `{"$ref": "#/$defs/Instance"}` refers to one of them. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly fixtures: Readonly<Record<string, Fixture>>;
  readonly actors: ActorFixtures;
  /** The attributes of callers by label: those of `main`, and how others differ from it. Absent: callers have none. */
  readonly callers?: Readonly<Record<string, CallerAttributes>> | undefined;
  /** The grants of users that no case states: every one that has a name, if all callers need their grants. Absent: none. */
  readonly grants?: Template | undefined;
  /** Fixtures that read and advance the server's clock, and settle and hold its jobs. They call the test controls. */
  readonly clock?: ClockControls | undefined;
  /** What the cases of the kind `frame` read, and the objects that they read. Absent if there are none. */
  readonly frame?: FrameInfo | undefined;
  readonly requirements: Readonly<Record<string, RequirementInfo>>;
  readonly cases: readonly Case[];
}

export type { Json, Template, UniqueKind };
export type { JsonSchema, ResponseInfo, StreamInfo };

export interface OperationInfo {
  readonly method: string;
  /** `/images/{imageId}`; empty for an operation whose address comes from a response. */
  readonly path: string;
  readonly tag: string;
  /** Its location in the description, such as `spec/images/paths.yaml:41`. */
  readonly location: string;
  readonly parameters: readonly ParameterInfo[];
  /** The media type of the body. A step may override it. */
  readonly mediaType?: string | undefined;
  /** The fields of a form that have an encoding of their own. */
  readonly formFields?: readonly ParameterInfo[] | undefined;
  /** The media types of the files in a `multipart/form-data` body, by field. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** By status, range (`4XX`) or `default`. */
  readonly responses: Readonly<Record<string, ResponseInfo>>;
  /** The resource that a success creates, and the operation that deletes it, or ends it if nothing deletes it. */
  readonly creates?: CreationInfo | undefined;
  /** Objects, such as tags, that a success creates by naming them. They remain when the object that names them is deleted. */
  readonly sideEffects?: readonly SideEffectInfo[] | undefined;
  readonly rates?: readonly RateInfo[] | undefined;
  /** The resource that the operation deletes. */
  readonly deletes?: string | undefined;
  /** The resource that the operation ends, such as a loan that is returned. It remains, but no longer counts for limits. */
  readonly ends?: string | undefined;
  /** The resource that the operation lists. The run compares the list before and after. */
  readonly lists?: string | undefined;
  readonly pagination?: PaginationInfo | undefined;
  /** Where the bodies of its errors have what, if they have a form of their own. */
  readonly errorFormat?: ErrorFormat | undefined;
  /** True for public operations: no token is needed. */
  readonly public?: true | undefined;
  /** Where to send the caller's token; all of them are sent. Default: `Authorization: Bearer`. */
  readonly credentials?: readonly CredentialInfo[] | undefined;
}

/** Where the body of an error has its entries, and an entry its field and its reason: names from the outside to the inside. */
export interface ErrorFormat {
  /** Absent: the body itself is the only entry. */
  readonly entries?: readonly string[] | undefined;
  readonly field?: readonly string[] | undefined;
  readonly reason: readonly string[];
}

/** What a success creates. */
export interface CreationInfo {
  readonly resource: string;
  readonly deletedBy?: DeletionInfo | undefined;
}

/** The operation that deletes an object, or ends it if nothing deletes it. */
export interface DeletionInfo {
  readonly call: string;
  /** The value of each path parameter: a pointer into the response such as `#/id`, or a path parameter of the request. */
  readonly path: Readonly<Record<string, { readonly response: string } | { readonly request: string }>>;
  /** Operations with the same path parameters, after which an object can be deleted that could not before. */
  readonly releasedBy?: readonly string[] | undefined;
}

/** How an operation pages its list: the query parameter that selects a page, and what the response says of others. */
export interface PaginationInfo {
  /** The parameter with the number of the page, or with a cursor. */
  readonly page: string;
  /** The field with the items. Absent: the body is the array of the items. */
  readonly items?: string | undefined;
  /** The field with the number of pages. Absent: pages have cursors. */
  readonly pages?: string | undefined;
  /** The cursor of the next page, in `{headers, body}`: `/body/next`. */
  readonly next?: string | undefined;
}

/** How a request sends a credential of a security scheme. The credential of `basic` is `user:password`. */
export type CredentialInfo =
  | { readonly scheme: string; readonly as: "bearer" | "basic" }
  | {
      readonly scheme: string;
      readonly as: "apiKey";
      readonly in: "header" | "query" | "cookie";
      readonly name: string;
    };

/** How many requests a caller may send in a number of seconds. Operations with one id share the limit. */
export type RateInfo = { readonly id?: string | undefined; readonly max: number; readonly seconds: number };

export interface SideEffectInfo {
  readonly resource: string;
  /** A JSON pointer to the name in the request body, in which `*` is each item of a list or each field of a map. */
  readonly pointer: string;
  /** The operation that deletes it, and its path parameter for the name. */
  readonly deletedBy: { readonly call: string; readonly parameter: string };
}

export interface ParameterInfo {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  /** The number of path segments of the value. */
  readonly segments: number;
  readonly style: string;
  readonly explode: boolean;
  /** How arrays in `deepObject` are written: `a[0]=1` or `a=1`. Absent: `a[]=1`. */
  readonly nestedArrays?: "indices" | "repeat" | undefined;
  /** `application/json` for a header or query parameter that is sent as JSON. */
  readonly mediaType?: string | undefined;
}

export interface RequirementInfo {
  readonly document: string;
  readonly line: number;
  readonly text: string;
  /** Its locations in the description, such as `spec/instances/schemas.yaml:12`. */
  readonly locations: readonly string[];
  /** Why no case tests it. */
  readonly untested?: string | undefined;
}

/** The kinds of checks, by the part of the description that they test. */
export type CaseKind =
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
  | "responses"
  | "security"
  | "scopes"
  | "grants"
  | "resources"
  | "references"
  | "limits"
  | "states"
  | "effects"
  | "errors"
  | "frame"
  | "visible"
  | "pagination"
  | "filters"
  | "http"
  | "workflows"
  | "scenarios";

/** What a case requires of the server or of the options of the run. */
export type Capability =
  /** The server's test controls. */
  | "controls"
  /** A second account. */
  | "other-account"
  /** Users with chosen attributes and grants. */
  | "users"
  /** A caller with other attributes and without any grant. */
  | "callers"
  /** Tokens with chosen scopes. */
  | "tokens"
  /** A clock that can be advanced. */
  | "clock"
  /** An HTTP server or a name server of the run that the tested server can reach. */
  | "listener"
  /** An object that the path of an operation names: the suite knows none, and the server rejected the path that it made up. */
  | "object";

export interface Case {
  /** Stable and path-like: `instances/createInstance/label/longer-than-64`. The first part is the area, the second the operation. */
  readonly id: string;
  readonly kind: CaseKind;
  /** The operation under test. */
  readonly operation: string;
  /** One sentence for readers of the description. */
  readonly title: string;
  /** The requirements that it tests. */
  readonly requirements: readonly string[];
  readonly requires: readonly Capability[];
  /** True for a case that must run exclusively, such as one that advances the clock, holds jobs or tests a rate limit. */
  readonly exclusive?: true | undefined;
  /**
   * The seconds within which the server has to receive the requests between two waits, or all requests where test controls move its clock.
   * Where they took longer by its clock, a failure proves nothing.
   */
  readonly windowSeconds?: number | undefined;
  /** True for a case that creates and changes nothing on the server. */
  readonly readOnly?: true | undefined;
  readonly steps: readonly Step[];
}

/**
 * A step has exactly one of the keys `call`, `make`, `actor`, `parallel`, `check`, `advance`, `settle`, `hold`, `repeat`, `code`, `frame`,
 * `rejections`.
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
  | CodeStep
  | FrameStep
  | RejectionsStep;

/** One request. */
export interface CallStep {
  /** The name of an operation. The prefix `controls:` selects one of the test controls. */
  readonly call: string;
  /** The caller. Default: the worker's user. */
  readonly by?: Caller | undefined;
  readonly path?: Readonly<Record<string, Template>> | undefined;
  readonly query?: Readonly<Record<string, Template>> | undefined;
  readonly headers?: Readonly<Record<string, Template>> | undefined;
  readonly cookies?: Readonly<Record<string, Template>> | undefined;
  readonly body?: Template | undefined;
  /** A text that is sent unchanged instead of `body`. */
  readonly raw?: { readonly text: Template; readonly mediaType: string | null } | undefined;
  /** A method or an address other than the operation's, such as a wrong method or an address from a response. */
  readonly method?: string | undefined;
  readonly address?: Template | undefined;
  /** The name to which the response is bound: `{status, headers, body, request}`. */
  readonly as?: string | undefined;
  /** The expected response. Default: any documented success. */
  readonly expect?: Expectation | undefined;
  /** Reads all pages of a list. The expected body, and the bound one, have the items of all. */
  readonly everyPage?: true | undefined;
  /** Repeats the request until the response is as expected, for work of the platform that takes time. */
  readonly until?: true | undefined;
  /** True for a request that tests a rate limit: it does not wait for the window, and a 429 does not repeat it. */
  readonly isImmediate?: true | undefined;
  /** True for a call whose path may name no object that permits it: a documented rejection skips the case, since nothing was checked. */
  readonly needsObject?: true | undefined;
  /** True for a step that prepares the case: if it fails, the case could not run, which does not count as a failure. */
  readonly setup?: true | undefined;
}

export interface Expectation {
  /** The expected status. Default: any documented success. */
  readonly status?: number | readonly number[] | undefined;
  /** The entry that the error must have. */
  readonly error?: ErrorExpectation | undefined;
  /** Expected headers, with names in lower case. Values are compared as text. */
  readonly headers?: Readonly<Record<string, Template>> | undefined;
  /** A JSON Schema for the body, in which values may be templates. */
  readonly body?: Template | undefined;
  /** A JSON Schema for the text of a body that is not JSON. */
  readonly text?: Template | undefined;
  /** The requirements to which differences are attributed. Default: the requirements of the case. */
  readonly requirements?: readonly string[] | undefined;
}

/** The entry that an error has to have. */
export interface ErrorExpectation {
  /** The form of the body; `documented`: as the operation has it. Default: `{"errors": [{"field", "reason"}]}`. */
  readonly format?: "problem-details" | "documented" | undefined;
  /** The URI that a problem has as its `type`. Absent: the type is not compared. */
  readonly type?: string | undefined;
  /** The dotted path of the invalid field. Null: no field. Absent: the field does not matter. */
  readonly field?: Template | undefined;
  /** Texts that its reason must contain. */
  readonly reasonContains?: readonly Template[] | undefined;
}

/** Creates a resource by its fixture, or uses the shared one of the worker. */
export interface MakeStep {
  /** The name of the fixture: a resource, or another name. */
  readonly make: string;
  /** The name to which its representation is bound, as in `instance#/id`. */
  readonly as: string;
  /** Inputs of the fixture: parents by the name of their resource. `with`: fields to merge into the request body. */
  readonly of?: Readonly<Record<string, Template>> | undefined;
  readonly with?: Template | undefined;
  /** Fields to add to `with`, without those that the server rejects, and those whose values nothing has. */
  readonly also?: Readonly<Record<string, Template>> | undefined;
  /** True for an object without values in its optional fields. In cases of the kind `frame`, others have those of `frame.fields`. */
  readonly bare?: true | undefined;
  /** The number of one of several shared objects with the same inputs. */
  readonly copy?: number | undefined;
  /** True when the case needs an object of its own, since it changes or deletes it. */
  readonly fresh?: true | undefined;
  readonly by?: Caller | undefined;
}

/** Creates a user for this case and binds `{username, token}` to a name. `by: {user: NAME}` calls as that user. */
export interface ActorStep {
  readonly actor: NewUser;
  readonly as: string;
  /**
   * Without users the worker's user acts instead, once nothing of it counts for a limit: its shared objects are deleted, and it has sent nothing
   * for so many seconds. Absent: the case needs users.
   */
  readonly idleSeconds?: number | undefined;
}

/** Attributes of a caller, such as a role. */
export type CallerAttributes = Readonly<Record<string, string | number | boolean>>;

export interface NewUser {
  /** `own`: of the worker's account. `other`: of an account of its own. */
  readonly account: "own" | "other";
  /** The label of its attributes in `callers`. Default: `main`. */
  readonly caller?: string | undefined;
  /** Its grants, in the API's own schema of grants. */
  readonly grants?: Template | undefined;
  /** The scopes of its token. Default: `*`. */
  readonly scopes?: string | undefined;
}

export type Caller =
  /** The worker's user, which may do most, with all scopes. */
  | "main"
  /** No token. */
  | "anonymous"
  /** A user of another account with the attributes of `main`, shared by the cases of the worker. */
  | "other-account"
  /**
   * The worker's user with a token of these scopes. If the run cannot create tokens, one of the profile's tokens with all scopes of `holding`, and
   * none of `lacking`, stands in.
   */
  | {
      readonly scopes: string;
      readonly holding?: readonly string[] | undefined;
      readonly lacking?: readonly string[] | undefined;
    }
  /**
   * Another user of the worker's account, with the attributes of a label and these grants; `scopes` defaults to `*`. Without `grants`, and with
   * `lacksAll`, a caller of the profile without any grant can stand in.
   */
  | {
      readonly caller: string;
      readonly grants?: Template | undefined;
      readonly scopes?: string | undefined;
      readonly lacksAll?: true | undefined;
    }
  /** A user that an `actor` step has bound. */
  | { readonly user: string }
  /** The token itself. */
  | { readonly token: Template }
  /** The complete Authorization header. */
  | { readonly authorization: Template };

/** Sends calls concurrently. `outcomes`: how many of them end with which status. */
export interface ParallelStep {
  readonly parallel: readonly CallStep[];
  /** Each call this many times. */
  readonly times?: number | undefined;
  readonly outcomes: readonly { readonly status: number | readonly number[]; readonly count: number }[];
  /** The name to which the list of responses is bound. */
  readonly as?: string | undefined;
}

/** Repeats steps in sequence; `index` is bound to 0, 1, … */
export interface RepeatStep {
  readonly repeat: readonly Step[];
  readonly times: number;
}

/** Checks that a value of earlier steps matches a JSON Schema. */
export interface CheckStep {
  readonly check: Template;
  readonly matches: Template;
  readonly requirements?: readonly string[] | undefined;
  /** The message when it does not match. */
  readonly message?: string | undefined;
}

/** Advances the server's clock by an ISO 8601 duration. Without controls the run waits, for ten seconds at most. */
export interface AdvanceStep {
  readonly advance: string;
}

/** Lets all jobs of the platform end. Without controls a later step with `until` waits for the result. */
export interface SettleStep {
  readonly settle: true;
}

/** While jobs are held, none of them ends. The end of the case releases them. */
export interface HoldStep {
  readonly hold: boolean;
}

/** Calls a function of the suite's package, for checks that data cannot express. */
export interface CodeStep {
  readonly code: string;
  readonly inputs?: Readonly<Record<string, Template>> | undefined;
  readonly as?: string | undefined;
}

/** Performs a call, and checks that nothing changes but what may change. The response is bound to `answer`. */
export interface FrameStep {
  readonly frame: CallStep;
  /** Bodies that are sent before that of the call, but for those that the server rejects. */
  readonly earlier?: readonly Template[] | undefined;
  /**
   * A body that is sent first, or each of its fields alone where the server rejects it: what the call does not send has values then that
   * it could lose. What the call is about is read again afterwards.
   */
  readonly fill?: Template | undefined;
  /** The path of another object that is filled with the same values. */
  readonly twin?: CallStep["path"];
  readonly may: readonly FrameClaim[];
  /** Creates what the call could reach by mistake. A step that fails is left out. */
  readonly around?: readonly Step[] | undefined;
  /** Another client of the caller, which reads what only it may see. */
  readonly client?: Caller | undefined;
  /** Calls of the operation about other objects, after that of the case. What the server rejects is left out. */
  readonly beside?: readonly Pick<FrameStep, "frame" | "may">[] | undefined;
}

/** Sends requests of other cases that the server rejects, and checks that nothing changes. What does is narrowed to one request by halves. */
export interface RejectionsStep {
  readonly rejections: readonly Rejection[];
}

/** A rejected request, after the steps before it. */
export interface Rejection {
  /** The id of its case. */
  readonly of: string;
  /** The index of the call in the steps of the case. */
  readonly step: number;
  /** Valid fields that are sent beside those of the call, which a server could store before it rejects these. */
  readonly beside?: Template | undefined;
  /** How many times it is sent. Default: once. */
  readonly times?: number | undefined;
}

/** What an operation may change. An object of no claim stays as it is. */
export interface FrameClaim {
  /** A resource, the operation that reads the values, or `*` for all. */
  readonly to: string;
  /** A resource that `*` excludes. */
  readonly but?: string | undefined;
  /** `set`: fields change. `create`, `delete`: objects come, or go. */
  readonly does: "set" | "create" | "delete";
  /** The id of the object. Absent: each object of the kind may change. */
  readonly object?: Template | undefined;
  /** The id of an object that it belongs to. Absent: it may belong to each. */
  readonly of?: Template | undefined;
  /** A JSON Schema for the object. */
  readonly where?: Template | undefined;
  /** The only item that a list may lose. It gets none. */
  readonly items?: Template | undefined;
  /** A JSON Schema for the object after the change. */
  readonly becomes?: Template | undefined;
  /** The id, or the ids, of the objects that the claim excludes. */
  readonly except?: Template | undefined;
  /** The fields that change, as JSON pointers. Absent: each field may change. */
  readonly fields?: readonly string[] | undefined;
  /** True for the fields that the request sends. */
  readonly sent?: true | undefined;
  /** True for what the platform does later: it is expected only if the run cannot let its jobs end. */
  readonly later?: true | undefined;
  /** A pointer to the time in the object from which the claim holds. */
  readonly due?: string | undefined;
  /** Pointers to times in the object. The claim holds only if one of them is between the two readings: then the platform did something itself. */
  readonly timed?: readonly string[] | undefined;
}

export interface FrameInfo {
  /** In the order in which the ids of their paths are known. */
  readonly reads: readonly FrameRead[];
  /** Creates the objects that are read, and gives them values other than the initial ones. A step that fails is left out. */
  readonly world: readonly Step[];
  /** What may change at any time. */
  readonly always: readonly FrameClaim[];
  /** Values of the optional fields of each resource. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, Template>>>>;
}

/** A read of objects, or of one object. */
export interface FrameRead {
  readonly call: string;
  /** The resource of the objects. Absent: the values belong to the object of the path. */
  readonly resource?: string | undefined;
  /** Who has objects of their own: the caller itself, its account, or all callers the same. */
  readonly owner: "user" | "account" | "platform";
  /** The objects in the path: the resource and the field of each parameter. */
  readonly path: Readonly<Record<string, { readonly resource: string; readonly by: string }>>;
  /** The locations of the objects: of lists of them, or of one. And the field that identifies each. */
  readonly list?: { readonly items: readonly string[]; readonly by: string } | undefined;
  /** Query parameters for large pages. */
  readonly query?: Readonly<Record<string, Json>> | undefined;
  /** Fields with objects of other resources. */
  readonly embedded?: readonly EmbeddedObjects[] | undefined;
}

export interface EmbeddedObjects {
  readonly field: string;
  readonly resource: string;
  readonly by: string;
}

/**
 * Creates a resource by steps. `caller` is bound to `{username, account}` of the caller, `of` to the inputs: `{"$get": "of#/Instance"}` is
 * the parent's representation, and `of#/with` is always bound. */
export interface Fixture {
  readonly requires: readonly Capability[];
  readonly steps: readonly Step[];
  /** The representation of the resource, such as `{"$get": "made#/body"}`. */
  readonly outputs: Template;
}

/**
 * Fixtures for callers. Inputs, all of them always bound: `{"$get": "of#/username"}`, `account`, `attributes`, `grants` (default `{}`),
 * `scopes` (default `*`). Each returns `{username, token}`.
 */
export interface ActorFixtures {
  /** Creates a user with a token. */
  readonly user?: Fixture | undefined;
  /** Creates another token for the caller. Input: `scopes`. */
  readonly token?: Fixture | undefined;
}

export interface ClockControls {
  /** Returns the server's time, ISO 8601. */
  readonly now: Fixture;
  /** Input `by`: an ISO 8601 duration. Returns the time. */
  readonly advance: Fixture;
  readonly settle: Fixture;
  /** Input `hold`. */
  readonly hold: Fixture;
}
