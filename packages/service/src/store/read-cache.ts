import type { TableName } from "./tables.js";

/** Cached results of reads, for a store with a single writer, until one of their tables is written. */
export class ReadCache {
  readonly #entries = new Map<string, Group>();
  #changes = 0;

  find<T>(sought: CacheQuery, find: () => Promise<T>): T | Promise<T> {
    const { tables, key } = sought;
    const kind = tables.join();
    let group = this.#entries.get(kind);
    if (group === undefined) this.#entries.set(kind, (group = { tables, values: new Map() }));
    // A key always has the same query, so the type of the cached value is right.
    return group.values.has(key) ? (group.values.get(key) as T) : this.#store(group, sought, find);
  }

  async #store<T>({ values }: Group, { key, most }: CacheQuery, find: () => Promise<T>): Promise<T> {
    const before = this.#changes;
    const value = await find();
    // A write in the meantime may be missing in the result.
    if (before !== this.#changes) return value;
    if (values.size >= most) values.clear();
    values.set(key, value);
    return value;
  }

  invalidate(written: ReadonlySet<TableName>): void {
    if (written.size === 0) return;
    this.#changes += 1;
    for (const { tables, values } of this.#entries.values())
      if (values.size > 0 && tables.some((name) => written.has(name))) values.clear();
  }
}

interface Group {
  readonly tables: readonly TableName[];
  readonly values: Map<string, unknown>;
}

/** The query of a cached result, and its tables. */
export interface CacheQuery {
  readonly tables: readonly TableName[];
  readonly key: string;
  /** Maximum number of cached results of these tables. With more, all are dropped. */
  readonly most: number;
}
