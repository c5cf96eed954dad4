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

/** What a server needs to judge by what is stored. */
export interface Around {
  readonly api: ServedApi;
  readonly options: ServeOptions;
  readonly shelf: Shelf;
}

/** A decoded request while it is judged by what is stored. It is what conditions are judged by, too: they are many, and would each want a copy. */
export class Case implements Facts {
  readonly plan: Plan;
  readonly input: Groups;
  readonly context: Call;
  readonly around: Around;
  readonly caller: Caller | undefined;
  readonly refs: Rows;
  /** What was found, with all that it lies in, by the parameter that names it. */
  readonly parameters: Map<string, Chain> = new Map();
  /** What the body names by each reference of the plan, and what was found of each. */
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

  /** The same of another body. */
  withBody(body: unknown): Facts {
    const { caller, input, target, refs } = this;
    return { caller, input, body, target, refs };
  }

  /** What the caller holds; asked for once. */
  grants(): Awaitable<Grants> {
    const { caller } = this;
    const { options } = this.around;
    if (options.grants === undefined || caller === undefined)
      throw new TypeError("grants: nothing tells what a user holds");
    return (this.#grants ??= options.grants(caller, this.context));
  }

  refusedFor(faults: readonly PublicFault[]): RefusedWith {
    return new RefusedWith({ status: 400, errors: entriesOf(faults) });
  }

  /** What is answered where something named is not there, or is nothing that the caller may know of. */
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

  /** A failure, told of each place where the description leaves the field open. */
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
