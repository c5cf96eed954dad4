import { expectedStatuses } from "../assert/assertions.js";
import { countsTowardsRate, maxRequestsInWindow } from "../http/request-throttle.js";
import type { RunContext } from "./run-context.js";
import type { CallStep, Caller, Case, MakeStep, Fixture, Step, Template } from "../suite.js";

/**
 * Estimates how many seconds cases will wait for rate limits. Undefined when they do not wait, or when the clock can be advanced. It does
 * not count the requests of coded scenarios.
 */
export function estimateWaitSeconds(
  run: Pick<RunContext, "suite" | "capabilities" | "clock">,
  cases: readonly Case[],
  workers: number,
): number | undefined {
  if (run.clock.isControlled) return undefined;
  const { own, shared } = new CallCounter(run).of(cases);
  const waits = [...new Set([...own.keys(), ...shared.keys()])].map((key) => {
    const calls = Math.ceil((own.get(key) ?? 0) / workers) + (shared.get(key) ?? 0);
    const { rates = [] } = run.suite.operations[key.split(" ")[0] ?? ""] ?? {};
    return Math.max(
      ...rates.map((rate) => Math.floor(Math.max(0, calls - 1) / maxRequestsInWindow(rate)) * rate.seconds),
    );
  });
  // While cases wait for one operation, the windows of the others pass too.
  const longest = Math.max(0, ...waits);
  return longest > 0 ? longest : undefined;
}

type EstimatedRun = Pick<RunContext, "suite" | "capabilities">;

/** Numbers of calls, by operation and caller. */
type CallCounts = Map<string, number>;

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
  readonly #run: EstimatedRun;
  readonly #own: CallCounts = new Map();
  readonly #shared: CallCounts = new Map();
  readonly #made = new Set<string>();

  constructor(run: EstimatedRun) {
    this.#run = run;
  }

  of(cases: readonly Case[]): { readonly own: CallCounts; readonly shared: CallCounts } {
    for (const each of cases.filter(({ requires }) => this.#has(requires)))
      this.#walk(each.steps, {
        tally: this.#own,
        times: 1,
        caller: "main",
        names: new Map([["caller", "main"]]),
        within: null,
        fixtures: new Set(),
      });
    return { own: this.#own, shared: this.#shared };
  }

  #walk(steps: readonly Step[], scope: Scope): void {
    for (const step of steps) {
      if ("call" in step) this.#call(step, scope);
      else if ("make" in step) this.#make(step, scope);
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
    const facts = this.#run.suite.operations[step.call];
    if (facts?.rates === undefined || !countsTowardsRate(step, facts)) return;
    if (expectedStatuses(step.expect)?.includes(429) === true) return;
    const key = `${step.call} ${caller}`;
    scope.tally.set(key, (scope.tally.get(key) ?? 0) + scope.times);
  }

  #make(step: MakeStep, scope: Scope): void {
    const fixture = this.#run.suite.fixtures[step.make];
    if (fixture === undefined || !this.#has(fixture.requires)) return;
    const caller = this.#callerOf(step.by, scope);
    const inputs = keyOf([step.of ?? {}, step.with ?? {}], scope);
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
    if (this.#made.has(key)) return;
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
    if ("grants" in by) {
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
