import type {
  ActorFixtures,
  Caller,
  Capability,
  ClockControls,
  Fixture,
  OperationInfo,
  Step,
  Template,
} from "@plumbline/conformance-runtime";
import type { Api, Workflow } from "@plumbline/kit/model";

/** The inputs of a suite beside the description. */
export interface ConformanceInput {
  readonly settings: ConformanceSettings;
  /** The description of the server's test controls. */
  readonly controls: Api | undefined;
  /** The controls of a mock, if the suite uses them. */
  readonly mockControls?: Readonly<Record<string, OperationInfo>>;
  readonly workflows: readonly Workflow[];
  /** Coded scenarios, by name. */
  readonly scenarios: Readonly<Record<string, Scenario>>;
}

/** A case that is a function, since data cannot express it. */
export interface Scenario {
  readonly operation: string;
  readonly title: string;
  readonly requirements: readonly string[];
  readonly requires: readonly Capability[];
  readonly exclusive: boolean;
}

/** The settings of a suite: `conformance.yaml`. */
export interface ConformanceSettings {
  readonly actors: ActorFixtures;
  readonly clock: ClockControls | undefined;
  /** Fixtures by resource, where the description is not enough, and fixtures with other names that steps use. */
  readonly fixtures: Readonly<Record<string, Fixture>>;
  /** Parts of the valid request of an operation. */
  readonly operations: Readonly<Record<string, AcceptedRequest>>;
  /**
   * Additional cases of requirements, by the ids of cases. In an id `*` matches one segment, and at the end all that follow.
   */
  readonly also: Readonly<Record<string, readonly string[]>>;
  /** The requirements of the security schemes, by subject. Default for a subject: all of them. */
  readonly callers?: Readonly<Partial<Record<CallerSubject, readonly string[]>>>;
  /** Reasons of requirements without a case. If set, every other requirement must have a case. */
  readonly untested: Readonly<Record<string, string>> | undefined;
  /** Markdown for the README of the package, such as what the suite is known to find. */
  readonly notes?: string;
  /** Two items to filter, by the operation of the list. */
  readonly filters?: Readonly<Record<string, FilteredItems>>;
  /** Requests that cause an error, and that narrowly do not, by operation and error. For errors whose condition is not enough. */
  readonly errors?: Readonly<Record<string, Readonly<Record<string, FailingRequests>>>>;
}

/** The subjects of cases about callers: tokens, anonymous calls, scopes, grants. */
export type CallerSubject = "token" | "anonymous" | "scopes" | "grants";

/** Two items to filter and order. The greater one is created first. */
export interface FilteredItems {
  readonly lesser?: FilteredItem;
  readonly greater?: FilteredItem;
  /** Fields with a smaller value in the lesser item. */
  readonly differ: readonly string[];
  /** Fields with a greater value in the later item, such as ids. */
  readonly later?: readonly string[];
  /** Fields with different values that have no order. */
  readonly distinct?: readonly string[];
  /** Optional fields that both items have. */
  readonly present?: readonly string[];
  /** The field that distinguishes the two items from all others. */
  readonly identifyingField?: string;
}

export interface FilteredItem {
  /** The fixture of the item. Default: that of the list's resource. */
  readonly fixture?: string;
  readonly with?: Template;
}

/** Requests that cause an error, and that narrowly do not. */
export interface FailingRequests {
  /** Steps that replace those before the valid request. */
  readonly before?: readonly Step[];
  /** Parts that replace those of the valid request; body fields are merged. */
  readonly fails?: AcceptedRequest;
  /** Further requests that cause the same error, by name. */
  readonly alternatives?: Readonly<Record<string, AcceptedRequest>>;
  readonly passes?: AcceptedRequest;
  /** The invalid field. Default: the field of the error. */
  readonly field?: Template;
}

/** A valid request of an operation. Missing parts are derived from the description. */
export interface AcceptedRequest {
  readonly path?: Readonly<Record<string, Template>>;
  readonly query?: Readonly<Record<string, Template>>;
  readonly headers?: Readonly<Record<string, Template>>;
  readonly body?: Template;
  /** Setup steps. The path's objects are created before them, each with the name of its resource, such as `instance`. */
  readonly before?: readonly Step[];
  /** Fields to add to the request that creates an object of the path, by resource. */
  readonly with?: Readonly<Record<string, Template>>;
  /** Additional body fields for a field, by its path, such as `image` or `pools.*.type`. */
  readonly beside?: Readonly<Record<string, Readonly<Record<string, Template>>>>;
  readonly by?: Caller;
  readonly requires?: readonly Capability[];
  readonly exclusive?: boolean;
  /** Other accepted values of body fields, from which derived defaults differ from constant ones, such as a larger plan. */
  readonly others?: Readonly<Record<string, Template>>;
  /** Body fields with rules outside of the description: only the value of the valid request is known to be accepted. */
  readonly fixed?: readonly string[];
}

export const emptySettings: ConformanceSettings = {
  actors: {},
  clock: undefined,
  fixtures: {},
  operations: {},
  also: {},
  untested: undefined,
};
