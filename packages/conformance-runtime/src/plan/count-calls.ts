import { expectedStatuses } from "../assert/assertions.js";
import { countsTowardsRate, identifyLimit } from "../http/request-throttle.js";
import { isSuccessStatus } from "../http/status.js";
import type { RunContext } from "../run/run-context.js";
import type { CallStep, Caller, Case, Fixture, FrameStep, MakeStep, RateInfo, Step, Template } from "../suite.js";

/** The suite, and what the server and the options of the run provide. */
export type CountedRun = Pick<RunContext, "suite" | "capabilities">;

/** Numbers of calls, by rate limit and caller. All requests together have the key `allRequests`. */
export type CallCounts = Map<string, number>;

export const allRequests = "";

/** The calls of cases. */
export interface CountedCalls {
  /** Calls that each case sends for itself. */
  readonly own: CallCounts;
  /** Calls that create objects which the cases of a worker share. */
  readonly shared: CallCounts;
  /** The rate limits of each key. */
  readonly rates: ReadonlyMap<string, readonly RateInfo[]>;
  /** Keys of the shared objects that these cases are the first to use. */
  readonly created: ReadonlySet<string>;
}

/**
 * Counts the calls of cases, as far as their steps tell: coded scenarios are not counted.
 *
 * @param created Keys of the shared objects that exist already.
 */
export function countCalls(
  run: CountedRun,
  cases: readonly Case[],
  created: ReadonlySet<string> = new Set(),
): CountedCalls {
  return new CallCounter(run, created).of(cases);
}

/** The scope of steps. */
interface Scope {
  readonly tally: CallCounts;
  readonly times: number;
  readonly caller: string;
  /** Identifies a bound value: equal texts are the same value in the whole worker. Null: the value belongs to the case. */
  readonly names: Map<string, string | null>;
  /** Key of the shared object that the steps create. Null in a case, and in what a case creates for itself. */
  readonly within: string | null;
  readonly fixtures: ReadonlySet<Fixture>;
}

class CallCounter {
  readonly #run: CountedRun;
  readonly #own: CallCounts = new Map();
  readonly #shared: CallCounts = new Map();
  readonly #rates = new Map<string, readonly RateInfo[]>();
  readonly #known: ReadonlySet<string>;
  readonly #made = new Set<string>();

  constructor(run: CountedRun, created: ReadonlySet<string>) {
    this.#run = run;
    this.#known = created;
  }

  of(cases: readonly Case[]): CountedCalls {
    for (const each of cases.filter(({ requires }) => this.#has(requires)))
      this.#walk(each.steps, {
        tally: this.#own,
        times: 1,
        caller: "main",
        names: new Map([["caller", "main"]]),
        within: null,
        fixtures: new Set(),
      });
    return { own: this.#own, shared: this.#shared, rates: this.#rates, created: this.#made };
  }

  #walk(steps: readonly Step[], scope: Scope): void {
    for (const step of steps) {
      if ("call" in step) this.#call(step, scope);
      else if ("make" in step) this.#make(step, scope);
      else if ("frame" in step) this.#frame(step, scope);
      else if ("rejections" in step) this.#readings(scope, step.rejections.length);
      else if ("repeat" in step) this.#walk(step.repeat, { ...scope, times: scope.times * step.times });
      else if ("parallel" in step && !step.outcomes.some(({ status }) => [status].flat().includes(429)))
        for (const each of step.parallel) this.#call(each, { ...scope, times: scope.times * (step.times ?? 1) });
      else if ("actor" in step && this.#run.suite.actors.user !== undefined)
        this.#fixture(this.#run.suite.actors.user, { scope, inputs: null });
      if ("as" in step && step.as !== undefined && !("make" in step))
        scope.names.set(step.as, scope.within === null ? null : `${scope.within}.${step.as}`);
    }
  }

  #call(step: CallStep, scope: Scope): void {
    const caller = this.#callerOf(step.by, scope);
    const info = this.#run.suite.operations[step.call];
    addTo(scope.tally, allRequests, scope.times);
    const statuses = expectedStatuses(step.expect);
    if (info === undefined || !countsTowardsRate(step, info) || statuses?.includes(429) === true) return;
    this.#count(step.call, caller, scope);
    // What a request creates is deleted at the end of the case.
    const deletion = statuses?.some(isSuccessStatus) === false ? undefined : info.creates?.deletedBy?.call;
    if (deletion === undefined) return;
    addTo(scope.tally, allRequests, scope.times);
    this.#count(deletion, caller, scope);
  }

  /** The reading before a call is often that after the one before. */
  #frame({ frame, earlier = [], fill, around = [], beside = [] }: FrameStep, scope: Scope): void {
    this.#walk([...around, ...beside.map((each) => each.frame)], scope);
    for (const body of [...(fill === undefined ? [] : [fill]), ...earlier]) this.#call({ ...frame, body }, scope);
    this.#call(frame, scope);
    this.#readings(scope, 0);
  }

  #readings({ tally, times }: Scope, between: number): void {
    addTo(tally, allRequests, times * (2 * (this.#run.suite.frame?.reads.length ?? 0) + between));
  }

  #count(operation: string, caller: string, { tally, times }: Scope): void {
    const rates = this.#run.suite.operations[operation]?.rates ?? [];
    const keys = new Set(rates.map((rate) => `${identifyLimit(rate, operation)} ${caller}`));
    for (const key of keys) {
      this.#rates.set(
        key,
        rates.filter((rate) => `${identifyLimit(rate, operation)} ${caller}` === key),
      );
      addTo(tally, key, times);
    }
  }

  #make(step: MakeStep, scope: Scope): void {
    const fixture = this.#run.suite.fixtures[step.make];
    if (fixture === undefined || !this.#has(fixture.requires)) return;
    const caller = this.#callerOf(step.by, scope);
    const inputs = keyOf([step.of ?? {}, step.with ?? {}, step.copy ?? 1], scope);
    const key = inputs === null ? null : JSON.stringify([step.make, inputs, caller]);
    if (step.fresh === true || key === null) {
      this.#fixture(fixture, { scope: { ...scope, caller }, inputs });
      scope.names.set(step.as, scope.within === null ? null : `${scope.within}.${step.as}`);
      return;
    }
    scope.names.set(step.as, key);
    this.#once(key, fixture, { ...scope, caller });
  }

  /** A worker creates it once for all its cases. */
  #once(key: string, fixture: Fixture, scope: Scope): void {
    if (this.#known.has(key) || this.#made.has(key)) return;
    this.#made.add(key);
    this.#fixture(fixture, { scope: { ...scope, tally: this.#shared, times: 1, within: key }, inputs: key });
  }

  #fixture(fixture: Fixture, { scope, inputs }: { readonly scope: Scope; readonly inputs: string | null }): void {
    if (scope.fixtures.has(fixture)) return;
    const names = new Map([
      ["of", inputs],
      ["caller", scope.caller],
    ]);
    this.#walk(fixture.steps, { ...scope, names, fixtures: new Set([...scope.fixtures, fixture]) });
  }

  /** The window of a call. Tokens of one user with different scopes share a window. */
  #callerOf(by: Caller | undefined, scope: Scope): string {
    if (by === undefined) return scope.caller;
    if (typeof by === "string") return by;
    const { user, token } = this.#run.suite.actors;
    const key = JSON.stringify(by);
    if ("caller" in by) {
      if (user !== undefined) this.#once(key, user, scope);
      return key;
    }
    if ("scopes" in by && token !== undefined) this.#once(key, token, { ...scope, caller: "main" });
    return "user" in by ? `user ${by.user}` : "main";
  }

  #has(needs: Case["requires"]): boolean {
    return needs.every((need) => this.#run.capabilities.has(need));
  }
}

/** Adds to a number of calls. */
export function addTo(counts: CallCounts, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Null for a value that is unique in each use, and for one that belongs to the case. */
function keyOf(template: Template, { names, within }: Scope): string | null {
  let isOwn = false;
  const text = JSON.stringify(template, (key, value: unknown) => {
    if (key === "$unique" || key === "$index") isOwn ||= within === null;
    if (key !== "$get" || typeof value !== "string") return value;
    const [name = "", ...rest] = value.split("#");
    const known = names.get(name);
    if (known === null) isOwn = true;
    return [known ?? name, ...rest];
  });
  return isOwn ? null : text;
}
