import type { Actors, Caller, Capability, ClockControls, Recipe, Step, Template } from "@plumbline/conformance-runtime";
import type { Api } from "../model/api.js";
import type { Workflow } from "../model/workflow.js";

/** What a suite is made from beside the description. */
export interface ConformanceInput {
  readonly settings: Settings;
  /** The description of the server's test controls. */
  readonly controls: Api | undefined;
  readonly workflows: readonly Workflow[];
  /** What takes a function, by its name. */
  readonly scenarios: Readonly<Record<string, Scenario>>;
}

/** A case that data cannot tell, and where it belongs. */
export interface Scenario {
  readonly operation: string;
  readonly title: string;
  readonly requirements: readonly string[];
  readonly needs: readonly Capability[];
  readonly alone: boolean;
}

/** What the owner of a description says beside it, so that its suite can be run: `conformance.yaml`. */
export interface Settings {
  readonly actors: Actors;
  readonly clock: ClockControls | undefined;
  /** How resources come to be where the description does not tell, or not well enough; and recipes of other names that steps use. */
  readonly recipes: Readonly<Record<string, Recipe>>;
  /** What a fitting request of an operation takes. */
  readonly operations: Readonly<Record<string, FittingRequest>>;
  /**
   * Requirements, and the cases that test them beside those that come of where they are stated. A case is named by its id, in which `*`
   * stands for one part, and at the end for all that follow.
   */
  readonly also: Readonly<Record<string, readonly string[]>>;
  /** Which of the requirements that the security schemes carry are about what; of a subject that is not here, all of them. */
  readonly callers?: Readonly<Partial<Record<Subject, readonly string[]>>>;
  /** Why no case tests a requirement. Where it is given, every other requirement has to have a case. */
  readonly untested: Readonly<Record<string, string>> | undefined;
  /** By list: two items of which one has less than the other. */
  readonly filters?: Readonly<Record<string, FilteredItems>>;
  /** By operation and failure: requests for which the condition holds, and just does not, where it cannot be worked out. */
  readonly errors?: Readonly<Record<string, Readonly<Record<string, FailingRequests>>>>;
}

/** What the cases that are about callers look at: tokens as such, calls without one, the scopes of tokens, the grants of users. */
export type Subject = "token" | "anonymous" | "scopes" | "grants";

/** Two items that a list is filtered and ordered with. The greater one is made first. */
export interface FilteredItems {
  readonly lesser?: FilteredItem;
  readonly greater?: FilteredItem;
  /** The fields of which the lesser one has less. */
  readonly differ: readonly string[];
  /** The fields of which what is made later has more, as ids. */
  readonly later?: readonly string[];
  /** The fields in which the two differ without an order. */
  readonly distinct?: readonly string[];
  /** Fields that both have, where items need not have them. */
  readonly present?: readonly string[];
  /** The field by which the two are told from all others. */
  readonly alone?: string;
}

export interface FilteredItem {
  /** A recipe; the list's own resource when absent. */
  readonly make?: string;
  readonly with?: Template;
}

/** How a failure comes about, and how it just does not. */
export interface FailingRequests {
  /** In place of what comes before the operation's fitting request. */
  readonly before?: readonly Step[];
  /** In place of the parts of the fitting request that it has; fields of a body are laid over the fitting one's. */
  readonly fails?: FittingRequest;
  /** Other ways to the same failure, by name. */
  readonly others?: Readonly<Record<string, FittingRequest>>;
  readonly passes?: FittingRequest;
  /** The field that is to blame, where it is not the failure's own. */
  readonly field?: Template;
}

/** A request that the operation accepts. What is not said is worked out from the description. */
export interface FittingRequest {
  readonly path?: Readonly<Record<string, Template>>;
  readonly query?: Readonly<Record<string, Template>>;
  readonly headers?: Readonly<Record<string, Template>>;
  readonly body?: Template;
  /** What has to be so first; the objects of the path are made before these steps, each under the name of its resource, such as `instance`. */
  readonly before?: readonly Step[];
  /** What is laid over the body that the object of the path is made with, by the name of its resource. */
  readonly with?: Readonly<Record<string, Template>>;
  /** What else a body has where a field is in it, by the way to the field, such as `image` or `pools.*.type`. */
  readonly beside?: Readonly<Record<string, Readonly<Record<string, Template>>>>;
  readonly by?: Caller;
  readonly needs?: readonly Capability[];
  readonly alone?: boolean;
  /** Fields of the body that are judged by more than the description says: of no value but the fitting one is it known that it is accepted. */
  readonly judged?: readonly string[];
}

export const noSettings: Settings = {
  actors: {},
  clock: undefined,
  recipes: {},
  operations: {},
  also: {},
  untested: undefined,
};
