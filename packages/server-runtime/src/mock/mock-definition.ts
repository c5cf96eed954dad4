import type { Check } from "../http/index.js";
import type { CallerRules, Condition, Expression, ListSyntax, PageSyntax } from "../server/index.js";

/** What a description says about the behavior of its API, in full. */
export interface MockDefinition {
  readonly title: string;
  readonly version: string;
  /** Where paths begin, such as `/v4`. */
  readonly basePath: string;
  readonly operations: Readonly<Record<string, MockOperation>>;
  readonly resources: Readonly<Record<string, MockResource>>;
  readonly stateMachines: readonly MockStateMachine[];
  readonly uniqueLimits: Readonly<Record<string, MockUniqueLimit>>;
  readonly securitySchemes: readonly string[];
  /** The scope that implies every other. Absent if tokens have no scopes. */
  readonly allScopes?: string;
  /** The highest level of grants, which a creator gets on a new object. */
  readonly highestLevel?: string;
  readonly credentials: readonly MockCredential[];
  /** The resource whose objects are the users, if the description has one. */
  readonly userResource?: string;
  readonly callers: MockCallers;
  /** The resource whose objects are the accounts, if the description has one. */
  readonly accountResource?: string;
  /** The effect that follows the last request within a limit, and the operation that documents it. */
  readonly reachedEffects: Readonly<Record<string, { readonly operation: string; readonly effect: string }>>;
  /** The list from which the values of a field come in their order, by operation. */
  readonly orderedLists: Readonly<Record<string, { readonly resource: string; readonly field: string }>>;
}

/** What callers of the API are. */
export interface MockCallers extends CallerRules {
  /** The attribute that users of one account share. Absent: each user is alone. */
  readonly tenant?: string;
  /** The values that each attribute can have, the one of a caller who may do most first. Empty: every value. */
  readonly attributes: Readonly<Record<string, readonly (string | number | boolean)[]>>;
}

/** A resource whose objects authenticate callers. */
export interface MockCredential {
  readonly resource: string;
  /** The state in which it is valid, and the state machine with it. */
  readonly stateMachine: string;
  readonly state: string;
}

/** What an operation does with the object that it is about. */
export type OperationRole = "create" | "list" | "read" | "update" | "delete" | "act";

export interface MockOperation {
  readonly method: string;
  /** The path template, such as `/pets/{petId}`. Empty for an operation without a path. */
  readonly path: string;
  readonly role: OperationRole;
  /** The resource that the operation creates, lists, reads, changes or deletes. */
  readonly resource?: string;
  /** The object that the path names, or the only one of the caller. */
  readonly target?: MockTarget;
  /** Path parameters that name objects, outermost first. */
  readonly pathReferences: readonly MockPathReference[];
  /** True if the server looks up what the path names. Otherwise the mock does. */
  readonly isLookedUp: boolean;
  /** Creates what the path names, if that does not exist. */
  readonly createsMissing?: true;
  /** The body names the object that the operation is about, by the identifier of the resource. */
  readonly isNamedByBody?: true;
  /** Holds if the operation creates an object. Absent: always, if its role is to create. */
  readonly createsWhen?: Condition;
  /** Fields of the body that refer to resources. */
  readonly bodyReferences: readonly MockBodyReference[];
  readonly effects: readonly MockEffect[];
  readonly concurrency: readonly { readonly id: string; readonly per?: Expression; readonly settled?: Expression }[];
  /** The document that a path without resources has: it reads what it was sent before. Absent: none. */
  readonly document?: string;
  /** What an absent field of the body does to the stored value. */
  readonly absent: "keep" | "clear";
  /** The fields of the body, if it clears those that it does not have. */
  readonly bodyFields: readonly string[];
  /** Responses of success, in the order in which they apply. */
  readonly success: readonly MockResponse[];
  /** Documented responses by status, for clients that ask for one. */
  readonly documented: Readonly<Record<string, DocumentedResponse>>;
  readonly list?: MockList;
}

export interface MockTarget {
  readonly resource: string;
  /** Absent: each caller has one. */
  readonly parameter?: string;
}

export interface MockPathReference {
  readonly parameter: string;
  readonly resource: string;
  readonly by: string;
  /** Whatever the parameter names exists: nothing creates or lists such objects, and no response is documented for a missing one. */
  readonly findsAnything?: true;
}

export interface MockBodyReference {
  readonly pointer: readonly string[];
  /** The key under which the server hands the objects to a handler. */
  readonly name: string;
  readonly resource: string;
  readonly by: string;
  readonly isMany: boolean;
  /** Creates what does not exist. */
  readonly creates?: true;
}

/** Where a response has the cursor of the next page. The last page has null there, or nothing. */
export type CursorPlace =
  | { readonly in: "body"; readonly pointer: readonly string[]; readonly isNullable?: true }
  | { readonly in: "header"; readonly name: string };

/** How a list selects its items. */
export interface MockList extends Omit<ListSyntax, "pages"> {
  readonly resources: readonly string[];
  /** The names of query parameters and envelope fields. Absent names: the list has none. */
  readonly page?: string;
  readonly size?: string;
  readonly offset?: string;
  readonly defaultSize: number;
  readonly envelope?: {
    readonly items: string;
    readonly page?: string;
    readonly pages?: string;
    readonly total?: string;
  };
  /** Set if pages have cursors. */
  readonly cursor?: { readonly pages: PageSyntax; readonly next: CursorPlace };
  /** Query parameters that have the name of a field of the items. */
  readonly queryFields: readonly string[];
  /** The field of the items that refers to the object of the path, by resource, if it is not their parent. */
  readonly referring: Readonly<Record<string, { readonly pointer: readonly string[]; readonly by: string }>>;
}

export interface MockResponse {
  readonly status: number;
  readonly when?: Condition;
  readonly mediaType?: string;
  readonly body?: BodyShape;
  /** Headers that the description requires, with samples. */
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface DocumentedResponse {
  readonly mediaType?: string;
  readonly example?: unknown;
  /** Examples by name. */
  readonly examples?: Readonly<Record<string, unknown>>;
  readonly sample?: unknown;
  /** Set for an error that is one of several schemas, or has fixed values: only documented examples have these. */
  readonly isExact?: true;
}

/** How a response body is composed. */
export type BodyShape =
  /** One object of a resource. A nullable one is null where the operation is about no such object. */
  | { readonly kind: "object"; readonly resource: string; readonly isNullable?: true }
  /** Objects of resources. A variant is an object around each, such as one with its type. */
  | { readonly kind: "objects"; readonly variants: readonly ItemVariant[] }
  /** An object with some fields of these kinds. Other fields come from the sample. */
  | { readonly kind: "fields"; readonly sample: unknown; readonly fields: Readonly<Record<string, BodyShape>> }
  /** The grants of the caller, by resource. */
  | { readonly kind: "grants"; readonly sample: unknown }
  /** An absolute URL of an operation without a path. */
  | { readonly kind: "address"; readonly operation: string }
  /** A value that no resource explains. */
  | {
      readonly kind: "value";
      readonly sample: unknown;
      readonly secrets: readonly SecretField[];
      /** The fields of the request body that the response repeats. */
      readonly echoed?: readonly string[];
      /** Set if the response has the schema of the request body, which it repeats. */
      readonly isEcho?: true;
    };

export interface ItemVariant {
  readonly resource: string;
  /** The field with the object, and the other fields. Absent: the item is the object. */
  readonly within?: { readonly field: string; readonly sample: unknown };
}

/** The field that identifies an object. */
export interface MockIdentifier {
  readonly field: string;
  readonly type: "number" | "string";
  readonly sample: unknown;
  /** True if objects have no such field: only the mock knows it. */
  readonly isHidden?: true;
}

export interface MockResource {
  /** `platform`, or attributes of callers. */
  readonly owner: readonly string[];
  readonly parent?: string;
  readonly grants?: string;
  readonly public?: Check;
  readonly identifier: MockIdentifier;
  /** True if each caller has one. */
  readonly isSingleton: boolean;
  /** The values of a new object, before those that its creator states. */
  readonly initial: Readonly<Record<string, unknown>>;
  /** The fields of the schema. */
  readonly fields: readonly string[];
  /** The JSON types of fields that responses have in fewer types than requests: a price that may be sent as a number, and is shown as a text. */
  readonly shownTypes?: Readonly<Record<string, readonly string[]>>;
  /** The required fields of objects inside, for those that clients send without them. */
  readonly nested: readonly NestedValues[];
  /** Objects that exist from the start. */
  readonly seeds: readonly Readonly<Record<string, unknown>>[];
  readonly generated: readonly GeneratedField[];
  readonly secrets: readonly SecretField[];
  /** Fields that contain the children of an object. */
  readonly embedded: readonly { readonly field: string; readonly resource: string }[];
  readonly references: readonly FieldReference[];
  /** Objects that are older, or more than that many, are gone. */
  readonly retention?: { readonly seconds?: number; readonly max?: number };
}

/** Values of the objects at a path; `*` stands for each item or field. */
export interface NestedValues {
  readonly pointer: readonly string[];
  readonly initial: Readonly<Record<string, unknown>>;
}

/** A field that the mock fills. */
export interface GeneratedField {
  readonly pointer: readonly string[];
  readonly value: "created" | "updated" | "expires" | "uuid" | "username" | "attribute";
  /** For a time at which the object expires: seconds after its creation. */
  readonly seconds?: number;
  /** True for a date without a time. */
  readonly isDate?: true;
}

export interface SecretField {
  readonly pointer: readonly string[];
  readonly length: number;
}

/** A field of a resource that refers to another one. */
export interface FieldReference {
  readonly pointer: readonly string[];
  readonly to: string;
  readonly by: string;
  readonly onDelete?: "set-null" | "restrict";
}

/** The source of a value, as in the description. */
export type MockValueSource =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "from"; readonly from: Expression; readonly times?: number; readonly minus?: Expression }
  /** The platform chooses the value: one like the sample. */
  | { readonly kind: "platform"; readonly sample?: unknown; readonly format?: "ipv4" }
  | { readonly kind: "ignore" };

export interface MockEffect {
  readonly id: string;
  readonly when?: Condition;
  readonly does: "create" | "delete" | "replace" | "set" | "add" | "remove" | "keep";
  readonly to: EffectTarget;
  /** The object below which the effect happens. */
  readonly of?: ObjectExpression;
  readonly where?: Check;
  readonly except?: Expression;
  readonly count?: number | Expression;
  readonly values: Readonly<Record<string, MockValueSource>>;
}

export type EffectTarget =
  | { readonly kind: "resource"; readonly resource: string }
  | { readonly kind: "operation"; readonly operation: string }
  | ({ readonly kind: "object" } & ObjectExpression)
  | { readonly kind: "unknown" };

/** An expression whose values identify objects of a resource. */
export interface ObjectExpression {
  readonly expression: Expression;
  readonly resource?: string;
  readonly by?: string;
}

export interface MockStateMachine {
  readonly name: string;
  readonly resource: string;
  readonly field?: string;
  readonly states: readonly string[];
  readonly hidden: Readonly<Record<string, string>>;
  readonly initial: readonly MockInitialState[];
  readonly transitions: readonly MockTransition[];
}

export type MockEvent =
  | { readonly kind: "operation"; readonly operation: string }
  | { readonly kind: "platform"; readonly platform: string }
  | { readonly kind: "after"; readonly seconds: number }
  | { readonly kind: "at"; readonly field: string };

/** The states that follow an event. */
export interface MockStateSteps {
  readonly event: MockEvent;
  readonly when?: Condition;
  readonly to: string;
  readonly then: readonly string[];
  readonly sets: Readonly<Record<string, MockValueSource>>;
  readonly durationSeconds?: number;
}

export type MockInitialState = MockStateSteps;

export interface MockTransition extends MockStateSteps {
  readonly subject?: ObjectExpression;
  readonly from: readonly string[];
  readonly while?: string;
}

export interface MockUniqueLimit {
  readonly resource: string;
  readonly by: readonly string[];
  /** `parent`, `platform`, or an attribute of callers. */
  readonly within: string;
}
