import { expectedStatuses } from "./judge.js";
import { isCounted, mostOf } from "./pace.js";
import type { Run } from "./stage.js";
import type { CallStep, Caller, Case, MakeStep, Recipe, Step, Template } from "./suite.js";

/**
 * How many seconds cases will wait for the rates of operations, where the clock cannot be moved past them; undefined when they do not. What
 * coded scenarios ask is not known.
 */
export function estimateOf(run: Run, cases: readonly Case[], lanes: number): number | undefined {
  if (run.clock.isControlled) return undefined;
  const { own, shared } = new Count(run).of(cases);
  const waits = [...new Set([...own.keys(), ...shared.keys()])].map((key) => {
    const calls = Math.ceil((own.get(key) ?? 0) / lanes) + (shared.get(key) ?? 0);
    const { rates = [] } = run.suite.operations[key.split(" ")[0] ?? ""] ?? {};
    return Math.max(...rates.map((rate) => Math.floor(Math.max(0, calls - 1) / mostOf(rate)) * rate.seconds));
  });
  // While one operation is waited for, the windows of the others pass too.
  const longest = Math.max(0, ...waits);
  return longest > 0 ? longest : undefined;
}

/** Calls, by operation and who calls. */
type Tally = Map<string, number>;

/** Where steps stand. */
interface Scope {
  readonly tally: Tally;
  readonly times: number;
  readonly caller: string;
  /** What tells a name's value from others: the same text, the same value for the whole lane. Null: it is the case's own. */
  readonly names: Map<string, string | null>;
  /** Of the shared thing that the steps make; null in a case, and in what it makes for itself. */
  readonly within: string | null;
  readonly recipes: ReadonlySet<Recipe>;
}

class Count {
  readonly #run: Run;
  readonly #own: Tally = new Map();
  readonly #shared: Tally = new Map();
  readonly #made = new Set<string>();

  constructor(run: Run) {
    this.#run = run;
  }

  of(cases: readonly Case[]): { readonly own: Tally; readonly shared: Tally } {
    for (const each of cases.filter(({ needs }) => this.#has(needs)))
      this.#walk(each.steps, {
        tally: this.#own,
        times: 1,
        caller: "main",
        names: new Map([["caller", "main"]]),
        within: null,
        recipes: new Set(),
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
        this.#recipe(this.#run.suite.actors.user, { scope, inputs: null });
      if ("as" in step && step.as !== undefined && !("make" in step))
        scope.names.set(step.as, scope.within === null ? null : `${scope.within}.${step.as}`);
    }
  }

  #call(step: CallStep, scope: Scope): void {
    const caller = this.#callerOf(step.by, scope);
    const facts = this.#run.suite.operations[step.call];
    if (facts?.rates === undefined || !isCounted(step, facts)) return;
    if (expectedStatuses(step.expect)?.includes(429) === true) return;
    const key = `${step.call} ${caller}`;
    scope.tally.set(key, (scope.tally.get(key) ?? 0) + scope.times);
  }

  #make(step: MakeStep, scope: Scope): void {
    const recipe = this.#run.suite.recipes[step.make];
    if (recipe === undefined || !this.#has(recipe.needs)) return;
    const caller = this.#callerOf(step.by, scope);
    const inputs = keyOf([step.of ?? {}, step.with ?? {}], scope);
    const key = inputs === null ? null : JSON.stringify([step.make, inputs, caller]);
    if (step.fresh === true || key === null) {
      this.#recipe(recipe, { scope: { ...scope, caller }, inputs });
      scope.names.set(step.as, scope.within === null ? null : `${scope.within}.${step.as}`);
      return;
    }
    scope.names.set(step.as, key);
    this.#once(key, recipe, { ...scope, caller });
  }

  /** A lane makes it for all its cases. */
  #once(key: string, recipe: Recipe, scope: Scope): void {
    if (this.#made.has(key)) return;
    this.#made.add(key);
    this.#recipe(recipe, { scope: { ...scope, tally: this.#shared, times: 1, within: key }, inputs: key });
  }

  #recipe(recipe: Recipe, { scope, inputs }: { readonly scope: Scope; readonly inputs: string | null }): void {
    if (scope.recipes.has(recipe)) return;
    const names = new Map([
      ["of", inputs],
      ["caller", scope.caller],
    ]);
    this.#walk(recipe.steps, { ...scope, names, recipes: new Set([...scope.recipes, recipe]) });
  }

  /** Whose window a call falls into. Tokens with other scopes are the same user's. */
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

  #has(needs: Case["needs"]): boolean {
    return needs.every((need) => this.#run.capabilities.has(need));
  }
}

/** Null where a value is new in each use, or one that the case has made for itself. */
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
