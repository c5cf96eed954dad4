import { asText, at, isFields, type Fields } from "./json.js";
import { nameOf, type Journal, type Made } from "./journal.js";
import type { Identity, Lane } from "./stage.js";
import type { Json, OperationFacts } from "./suite.js";
import type { Trail } from "./trail.js";

/** An object that the run has created and not deleted. */
export interface Held {
  readonly made: Made;
  readonly maker: Identity;
  readonly lane: Lane;
  /** The trail of the case, or of the shared object, for which it was created. */
  readonly trail: Trail;
}

/** The objects that the run has created, in memory and in the journal. */
export interface Ledger {
  add(held: Held): void;
  /** @returns True when it was registered. */
  remove(made: Pick<Made, "remove" | "path" | "account">): boolean;
  /** Newest first, without objects that a request only named. */
  of(whose: Trail | Lane): readonly Held[];
  /** Objects that requests of the lane have named, and may have created. */
  named(lane: Lane): readonly Held[];
}

export function keepLedger(journal: Journal): Ledger {
  const held = new Map<string, Held>();
  // Every case reads its own objects. A search of all objects would take longer than the requests of the case.
  const byTrail = new WeakMap<Trail, Map<string, Held>>();
  return {
    add(each) {
      const key = keyOf(each.made);
      // An explicitly created object stays with its case, also when a later request names it.
      if (each.made.named === true && held.has(key)) return;
      forget(key);
      held.set(key, each);
      const own = byTrail.get(each.trail) ?? new Map<string, Held>();
      byTrail.set(each.trail, own.set(key, each));
      journal.made(each.made);
    },
    remove(made) {
      const found = forget(keyOf(made));
      if (found) journal.removed(made);
      return found;
    },
    of: (whose) => {
      const all = "hops" in whose ? byTrail.get(whose) : held;
      const own = [...(all?.values() ?? [])].filter((each) => each.lane === whose || each.trail === whose);
      return own.filter(({ made }) => made.named !== true).toReversed();
    },
    named: (lane) => [...held.values()].filter((each) => each.made.named === true && each.lane === lane),
  };

  function forget(key: string): boolean {
    const found = held.get(key);
    if (found === undefined) return false;
    byTrail.get(found.trail)?.delete(key);
    return held.delete(key);
  }
}

/** The object that a successful call has created. Undefined when no operation deletes it, or the response does not name it. */
export function madeBy(
  operation: string,
  facts: OperationFacts,
  exchange: { readonly request: Fields; readonly body: Json; readonly by: Identity },
): Made | undefined {
  const remove = facts.makes?.remove;
  if (facts.makes === undefined || remove === undefined) return undefined;
  const path: Record<string, Json> = {};
  for (const [name, from] of Object.entries(remove.path)) {
    const value = "reply" in from ? at(exchange.body, from.reply.replace(/^#/, "")) : exchange.request[from.request];
    if (value === undefined || value === null || isFields(value)) return undefined;
    path[name] = value;
  }
  return {
    operation,
    resource: facts.makes.resource,
    remove: remove.call,
    path,
    account: exchange.by.account,
    username: exchange.by.username,
  };
}

export function told(made: Made): string {
  return `${made.resource} ${Object.values(made.path).map(asText).join("/")}`;
}

function keyOf(made: Pick<Made, "remove" | "path" | "account">): string {
  return `${made.account ?? ""} ${nameOf(made)}`;
}
