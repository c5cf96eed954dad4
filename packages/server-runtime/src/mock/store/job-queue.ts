import type { MockStateMachine } from "../mock-definition.js";
import type { MockStore } from "./mock-store.js";
import type { StoredObject } from "./stored-object.js";

/** Something that happens to an object on its own. */
export interface DueEvent {
  /** The key of the object. */
  readonly key: number;
  readonly stateMachine: MockStateMachine;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `then`: the end of a transient state. Otherwise the index of a transition with a deadline. */
  readonly cause: "then" | number;
}

/** Finds what is due. Deadlines are part of objects, so the queue keeps only when the next one may be. */
export class JobQueue {
  readonly #store: MockStore;
  readonly #stateMachines: readonly MockStateMachine[];
  #earliest = Number.POSITIVE_INFINITY;
  /** While held, no transient state ends. */
  isHeld = false;

  constructor(store: MockStore, stateMachines: readonly MockStateMachine[]) {
    this.#store = store;
    this.#stateMachines = stateMachines;
  }

  /** Considers an object that has changed. */
  schedule(object: StoredObject): void {
    for (const event of this.#eventsOf(object)) this.#earliest = Math.min(this.#earliest, event.at);
  }

  /** Considers every object, such as after a restored snapshot. */
  rescan(): void {
    this.#earliest = Number.NEGATIVE_INFINITY;
  }

  /** The next event that is due. */
  nextDue(now: number): DueEvent | undefined {
    if (this.#earliest > now) return undefined;
    const next = this.#earliestOf(() => true);
    this.#earliest = next?.at ?? Number.POSITIVE_INFINITY;
    return next !== undefined && next.at <= now ? next : undefined;
  }

  /** The next end of a transient state, whether due or not. */
  nextJob(): DueEvent | undefined {
    return this.#earliestOf(({ cause }) => cause === "then");
  }

  #earliestOf(isWanted: (event: DueEvent) => boolean): DueEvent | undefined {
    let earliest: DueEvent | undefined;
    for (const object of this.#store.everything())
      for (const event of this.#eventsOf(object))
        if (isWanted(event) && (earliest === undefined || event.at < earliest.at)) earliest = event;
    return earliest;
  }

  #eventsOf(object: StoredObject): readonly DueEvent[] {
    const events: DueEvent[] = [];
    for (const stateMachine of this.#stateMachines) {
      const current = stateMachine.resource === object.resource ? object.states[stateMachine.name] : undefined;
      if (current === undefined) continue;
      const { key } = object;
      if (current.dueAt !== undefined && !this.isHeld)
        events.push({ key, stateMachine, at: current.dueAt, cause: "then" });
      for (const [index, { event, from }] of stateMachine.transitions.entries()) {
        if (!from.includes(current.state)) continue;
        const at = event.kind === "after" ? current.enteredAt + event.seconds * 1000 : deadline(event, object);
        if (!Number.isNaN(at)) events.push({ key, stateMachine, at, cause: index });
      }
    }
    return events;
  }
}

/** NaN without a deadline. */
function deadline(event: { readonly kind: string; readonly field?: string }, { values }: StoredObject): number {
  const value = event.kind === "at" && event.field !== undefined ? values[event.field] : undefined;
  return typeof value === "string" ? Date.parse(value) : Number.NaN;
}
