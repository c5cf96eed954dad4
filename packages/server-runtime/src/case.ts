import type { PublicFault } from "@plumbline/validator-runtime";
import type { Groups } from "@plumbline/validator-runtime/serving";
import type { ServedApi } from "./api.js";
import type { Call, Caller } from "./call.js";
import { entriesOf, RefusedWith, refusalOf, sharedRefusal, type Detail } from "./errors.js";
import type { Facts } from "./facts.js";
import type { Grants } from "./grants.js";
import type { Awaitable } from "./handlers.js";
import type { ServeOptions } from "./options.js";
import type { Plan } from "./plan.js";
import type { Reference, Shelf } from "./resources.js";
import type { Named } from "./named-in.js";
import { Rows, type Chain } from "./rows.js";

/** What a server needs to check a request against stored data. */
export interface Around {
  readonly api: ServedApi;
  readonly options: ServeOptions;
  readonly shelf: Shelf;
}

/**
 * A decoded request while the server checks it against stored data.
 * It is itself the `Facts` of the conditions: they are many, and a copy for each would cost time.
 */
export class Case implements Facts {
  readonly plan: Plan;
  readonly input: Groups;
  readonly context: Call;
  readonly around: Around;
  readonly caller: Caller | undefined;
  readonly refs: Rows;
  /** Each row that the path names, with its ancestors, by the name of the parameter. */
  readonly parameters: Map<string, Chain> = new Map();
  /** The ids that the body has for each reference of the plan, with their locations. */
  named: readonly (readonly Named[])[] = [];
  readonly chains: (readonly (Chain | undefined)[])[] = [];
  target: unknown;
  body: unknown;
  #grants: Awaitable<Grants> | undefined;

  constructor(plan: Plan, input: Groups, { context, around }: { readonly context: Call; readonly around: Around }) {
    this.plan = plan;
    this.input = input;
    this.context = context;
    this.around = around;
    this.caller = context.caller;
    this.refs = new Rows(around.shelf, context, { isLocked: plan.isLocking });
    this.body = input["body"];
  }

  /** The same facts with another body. */
  withBody(body: unknown): Facts {
    const { caller, input, target, refs } = this;
    return { caller, input, body, target, refs };
  }

  /** The caller's grants. Loads them once a request. */
  grants(): Awaitable<Grants> {
    const { caller } = this;
    const { options } = this.around;
    if (options.grants === undefined || caller === undefined)
      throw new TypeError("Missing option `grants`. Provide a function that returns the grants of a restricted user.");
    return (this.#grants ??= options.grants(caller, this.context));
  }

  refusedFor(faults: readonly PublicFault[]): RefusedWith {
    return new RefusedWith({ status: 400, errors: entriesOf(faults) });
  }

  /** The error response for a resource that does not exist, or that the caller may not see. */
  missing(reference: Reference | undefined, places?: readonly string[]): RefusedWith {
    const id = reference?.missing;
    return id === undefined || !Object.hasOwn(this.plan.failures, id) ? this.shared(404) : this.refusedAt(id, places);
  }

  forbidden(id: string | undefined): RefusedWith {
    return id === undefined ? this.shared(403) : this.refused(id);
  }

  refused(id: string, detail: Detail = {}): RefusedWith {
    return new RefusedWith(refusalOf(id, this.plan.failures, detail));
  }

  /** The error response with one entry for each location, if the description leaves the field open. */
  refusedAt(id: string | undefined, places: readonly string[] = []): RefusedWith {
    if (id === undefined) return this.shared(400);
    const refusal = refusalOf(id, this.plan.failures);
    const about = this.plan.failures[id]?.field;
    const isOpen = about === undefined || (about !== null && about.startsWith("$"));
    if (!isOpen || places.length === 0) return new RefusedWith(refusal);
    const reason = refusal.errors[0]?.reason ?? "";
    return new RefusedWith({ ...refusal, errors: places.slice(0, mostTold).map((field) => ({ field, reason })) });
  }

  shared(status: 400 | 403 | 404): RefusedWith {
    const { sharedFailures, byStatus } = this.around.api;
    return new RefusedWith(sharedRefusal(status, sharedFailures, byStatus));
  }
}

const mostTold = 100;
