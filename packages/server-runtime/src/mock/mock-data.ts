import type { Check } from "../http/index.js";
import type { Condition, FilterField } from "../server/index.js";
import type {
  DocumentedResponse,
  FieldReference,
  GeneratedField,
  MockBodyReference,
  MockDefinition,
  MockEffect,
  MockIdentifier,
  MockList,
  MockOperation,
  MockPathReference,
  MockResource,
  MockStateMachine,
  MockStateSteps,
  MockTarget,
  MockTransition,
} from "./mock-definition.js";

/**
 * A definition as a generated package has it: without defaults, and without what follows from the rest. `readDefinition` adds both.
 * Pointers are JSON pointers, and expressions have the text that they have in the description.
 */
export interface MockData
  extends
    Omit<MockDefinition, "operations" | "resources" | "stateMachines" | OptionalTable>,
    Partial<Pick<MockDefinition, OptionalTable>> {
  readonly operations: Readonly<Record<string, OperationData>>;
  readonly resources?: Readonly<Record<string, ResourceData>>;
  readonly stateMachines?: readonly MockStateMachineData[];
}

type OptionalTable = "uniqueLimits" | "securitySchemes" | "credentials" | "reachedEffects" | "orderedLists";

export interface OperationData
  extends
    Pick<MockOperation, "role" | "createsMissing" | "isNamedByBody" | "createsWhen">,
    Partial<Pick<MockOperation, "isLookedUp" | "absent" | "bodyFields">> {
  /** The method and the path template. Without a path: the method. */
  readonly route: string;
  /** Default: the resource of the target. */
  readonly resource?: string | null;
  /** Default: the last reference of the path. */
  readonly target?: MockTarget | null;
  readonly pathReferences?: readonly WithDefaults<MockPathReference, "by">[];
  readonly bodyReferences?: readonly BodyReferenceData[];
  readonly effects?: readonly EffectData[];
  readonly concurrency?: readonly { readonly id: string; readonly per?: string; readonly settled?: string }[];
  /** The response of success, or several in the order in which they apply. */
  readonly success: ResponseData | readonly ResponseData[];
  /** The other documented responses. */
  readonly errors?: readonly ResponseData[];
  readonly list?: ListData;
}

type WithDefaults<Whole, Names extends keyof Whole> = Omit<Whole, Names> & Partial<Pick<Whole, Names>>;

/** Default of `by`: `id`. Of `name`: the pointer, joined by dots. */
export interface BodyReferenceData extends Pick<MockBodyReference, "resource" | "creates"> {
  readonly pointer: string;
  readonly name?: string;
  readonly by?: string;
}

/** Defaults: 100 items a page, of the resource of the operation. A filter field is its type if it has all operators of the type. */
export interface ListData extends Partial<Omit<MockList, "filterFields" | "referring">> {
  readonly filterFields?: Readonly<Record<string, FilterField["type"] | FilterField>>;
  readonly referring?: Readonly<Record<string, { readonly pointer: string; readonly by?: string }>>;
}

/** A documented response. Default of `sample`: the example. Of `mediaType`, if there is an example: JSON. */
export interface ResponseData extends Omit<DocumentedResponse, "isExact"> {
  /** A status, a range such as `4XX`, or `default`. */
  readonly status: number | string;
  readonly when?: Condition;
  /** Default: the example, which no resource explains. */
  readonly body?: BodyData;
  /** Headers that the description requires, with samples. */
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly isExact?: boolean;
}

/** How a body is composed: one object of the named resource, or else by the one member. Samples are those of the example. */
export type BodyData =
  | string
  | { readonly nullable: string }
  | { readonly items: readonly ItemData[] }
  | { readonly fields: Readonly<Record<string, BodyData>> }
  | { readonly grants: true }
  | { readonly address: string }
  | {
      readonly value: {
        readonly secrets?: Readonly<Record<string, number>>;
        readonly echoed?: readonly string[];
        readonly isEcho?: true;
      };
    };

/** A resource, or an object with one in a field. */
export type ItemData = string | { readonly resource: string; readonly within: string; readonly sample: unknown };

export interface ResourceData
  extends
    Pick<MockResource, "parent" | "grants" | "public" | "initial" | "retention" | "shownTypes">,
    Partial<Pick<MockResource, "owner" | "isSingleton" | "seeds" | "embedded">> {
  /** Default: the number or text in the field `id` of the initial values. */
  readonly identifier?: Partial<MockIdentifier>;
  /** The fields of the schema that a new object does not have. */
  readonly optional?: readonly string[];
  readonly nested?: readonly { readonly pointer: string; readonly initial: Readonly<Record<string, unknown>> }[];
  readonly generated?: Readonly<Record<string, GeneratedField["value"] | Omit<GeneratedField, "pointer">>>;
  /** The lengths of the texts that only their creator sees. */
  readonly secrets?: Readonly<Record<string, number>>;
  /** Default of `by`: `id`. */
  readonly references?: readonly (Pick<FieldReference, "to" | "onDelete"> & {
    readonly pointer: string;
    readonly by?: string;
  })[];
}

export interface EffectData extends Pick<MockEffect, "id" | "when" | "does"> {
  /** A resource or an operation by its name, or an object. */
  readonly to?: string | ObjectData;
  readonly of?: ObjectData;
  readonly where?: Check;
  readonly except?: string;
  readonly count?: number | string;
  readonly values?: ValuesData;
}

/** An expression, the resource that its values identify, and the identifying field. */
export type ObjectData = readonly [expression: string, resource?: string, by?: string];

export type ValuesData = Readonly<Record<string, ValueSourceData>>;

/** The source of a value. A text, a number, a boolean and null are the value. */
export type ValueSourceData =
  | string
  | number
  | boolean
  | null
  | { readonly value: unknown }
  | { readonly from: string; readonly times?: number; readonly minus?: string }
  | { readonly by: "platform"; readonly sample?: unknown; readonly format?: "ipv4" }
  | { readonly by: "ignore" };

export interface MockStateMachineData extends Omit<MockStateMachine, "hidden" | "initial" | "transitions"> {
  readonly hidden?: Readonly<Record<string, string>>;
  readonly initial?: readonly StateStepsData[];
  readonly transitions?: readonly TransitionData[];
}

export interface StateStepsData extends Pick<MockStateSteps, "when" | "to" | "durationSeconds"> {
  /** The event: the name of an operation or of what the platform does, the seconds after which it happens, or the field with its time. */
  readonly on: EventData;
  readonly then?: readonly string[];
  readonly sets?: ValuesData;
}

export type EventData =
  | { readonly operation: string }
  | { readonly platform: string }
  | { readonly after: number }
  | { readonly at: string };

export interface TransitionData extends StateStepsData, Pick<MockTransition, "while"> {
  /** Default: every state. */
  readonly from?: readonly string[];
  readonly subject?: ObjectData;
}
