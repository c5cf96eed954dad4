import type { TableName } from "./tables.js";

/** What was found in a store that nobody else writes, until one of the tables in which it was looked for is written. */
export class Remembered {
  readonly #found = new Map<string, { readonly tables: readonly TableName[]; readonly values: Map<string, unknown> }>();
  #changes = 0;

  async find<T>({ tables, key }: Sought, find: () => Promise<T>): Promise<T> {
    const kind = tables.join();
    let group = this.#found.get(kind);
    if (group === undefined) this.#found.set(kind, (group = { tables, values: new Map() }));
    // What is kept by a key is what was found by it, always the same way.
    if (group.values.has(key)) return group.values.get(key) as T;
    const before = this.#changes;
    const value = await find();
    // What was written meanwhile may not have been seen.
    if (before !== this.#changes) return value;
    if (group.values.size >= most) group.values.clear();
    group.values.set(key, value);
    return value;
  }

  forget(written: ReadonlySet<TableName>): void {
    if (written.size === 0) return;
    this.#changes += 1;
    for (const { tables, values } of this.#found.values())
      if (values.size > 0 && tables.some((name) => written.has(name))) values.clear();
  }
}

/** What is looked for, and in which tables. */
export interface Sought {
  readonly tables: readonly TableName[];
  readonly key: string;
}

const most = 10_000;
