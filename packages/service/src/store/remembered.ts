import type { TableName } from "./tables.js";

/** What was found in a store that nobody else writes, until one of the tables in which it was looked for is written. */
export class Remembered {
  readonly #found = new Map<string, Group>();
  #changes = 0;

  find<T>(sought: Sought, find: () => Promise<T>): T | Promise<T> {
    const { tables, key } = sought;
    const kind = tables.join();
    let group = this.#found.get(kind);
    if (group === undefined) this.#found.set(kind, (group = { tables, values: new Map() }));
    // What is kept by a key is what was found by it, always the same way.
    return group.values.has(key) ? (group.values.get(key) as T) : this.#keep(group, sought, find);
  }

  async #keep<T>({ values }: Group, { key, most }: Sought, find: () => Promise<T>): Promise<T> {
    const before = this.#changes;
    const value = await find();
    // What was written meanwhile may not have been seen.
    if (before !== this.#changes) return value;
    if (values.size >= most) values.clear();
    values.set(key, value);
    return value;
  }

  forget(written: ReadonlySet<TableName>): void {
    if (written.size === 0) return;
    this.#changes += 1;
    for (const { tables, values } of this.#found.values())
      if (values.size > 0 && tables.some((name) => written.has(name))) values.clear();
  }
}

interface Group {
  readonly tables: readonly TableName[];
  readonly values: Map<string, unknown>;
}

/** What is looked for, and in which tables. */
export interface Sought {
  readonly tables: readonly TableName[];
  readonly key: string;
  /** With more of these tables than so many, all are forgotten. */
  readonly most: number;
}
