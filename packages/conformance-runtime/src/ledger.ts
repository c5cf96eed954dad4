import { asText, at, isFields, type Fields } from "./json.js";
import { nameOf, type Journal, type Made } from "./journal.js";
import type { Identity, Lane } from "./stage.js";
import type { Json, OperationFacts } from "./suite.js";
import type { Trail } from "./trail.js";

/** A thing that the run has made and not taken away. */
export interface Held {
  readonly made: Made;
  readonly maker: Identity;
  readonly lane: Lane;
  /** The case's or the shared thing's that it was made for. */
  readonly trail: Trail;
}

/** What the run has made: in memory, and in the journal. */
export interface Ledger {
  add(held: Held): void;
  /** True when it was there. */
  remove(made: Pick<Made, "remove" | "path" | "account">): boolean;
  /** The youngest first, without what was only named. */
  of(whose: Trail | Lane): readonly Held[];
  /** What requests of the lane have named, and perhaps made by that. */
  named(lane: Lane): readonly Held[];
}

export function keepLedger(journal: Journal): Ledger {
  const held = new Map<string, Held>();
  return {
    add(each) {
      const key = keyOf(each.made);
      // What was made by itself goes with its case, whoever names it after that.
      if (each.made.named === true && held.has(key)) return;
      held.set(key, each);
      journal.made(each.made);
    },
    remove(made) {
      const found = held.delete(keyOf(made));
      if (found) journal.removed(made);
      return found;
    },
    of: (whose) =>
      [...held.values()]
        .filter(({ made, lane, trail }) => made.named !== true && (lane === whose || trail === whose))
        .toReversed(),
    named: (lane) => [...held.values()].filter((each) => each.made.named === true && each.lane === lane),
  };
}

/** What a success of an operation has made; undefined when there is nothing to take away, or the reply does not name it. */
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
