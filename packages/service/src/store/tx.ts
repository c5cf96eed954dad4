import { Collection } from "./collection.js";
import type { Sql } from "./database.js";
import type { Sought } from "./remembered.js";
import { tables, type Sequence, type TableName } from "./tables.js";

/** The collections of one transaction, and when it is. */
export type Tx = { readonly [Name in TableName]: Collection<Name> } & Moment;

export interface Moment {
  /** Milliseconds since 1970, by the service's clock: when the request began, or when the job was due. */
  readonly now: number;
  readonly database: Sql;
  /** The next number of a sequence, which is given once only. */
  readonly nextId: (name: Sequence) => Promise<number>;
  /** Until this transaction ends, no other one, of whatever account, is alone with the same thing. */
  readonly alone: (thing: string) => Promise<void>;
  /** Is told of every table that is written. */
  readonly wrote: (name: TableName) => void;
  /** Finds something in some tables, or gives what was found before, unless one of them was written since. */
  readonly remember: <T>(sought: Sought, find: () => Promise<T>) => T | Promise<T>;
}

class Collections implements Moment {
  readonly now: number;
  readonly database: Sql;
  readonly nextId: (name: Sequence) => Promise<number>;
  readonly alone: (thing: string) => Promise<void>;
  readonly wrote: (name: TableName) => void;
  readonly remember: Moment["remember"];

  constructor({ now, database, nextId, alone, wrote, remember }: Moment) {
    this.now = now;
    this.database = database;
    this.nextId = nextId;
    this.alone = alone;
    this.wrote = wrote;
    this.remember = remember;
  }
}

for (const name of Object.keys(tables) as TableName[]) {
  Object.defineProperty(Collections.prototype, name, {
    get(this: Collections) {
      return new Collection(this, name);
    },
  });
}

/** The accessors that are defined above are what `Tx` adds to a moment. */
export function txOf(moment: Moment): Tx {
  return new Collections(moment) as unknown as Tx;
}

/** A time as the API shows it: ISO 8601 in UTC, to the second. */
export function iso(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
