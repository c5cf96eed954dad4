import type { Identity } from "../http/identity.js";
import type { Suite } from "../suite.js";

/** The ids in each list of an account, by the operation that lists them. */
export type AccountSnapshot = ReadonlyMap<string, ReadonlySet<string>>;

/** The account in which a worker creates objects. */
export interface WorkerAccount {
  /** As the test controls name it. Null: the account of the main token. */
  readonly account: string | null;
  /** The user who may do most. */
  readonly main: Identity;
  /** The objects of the account before the run. */
  readonly initialSnapshot: AccountSnapshot;
}

/** The ids of each list of a resource that the snapshot has. Empty when the account cannot list the resource. */
export function listsOfResource(
  snapshot: AccountSnapshot,
  resource: string,
  operations: Suite["operations"],
): readonly ReadonlySet<string>[] {
  return [...snapshot].flatMap(([list, ids]) => (operations[list]?.lists === resource ? [ids] : []));
}
