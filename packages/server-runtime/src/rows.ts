import { isObject, ownField } from "@plumbline/validator-runtime";
import type { Call, Key } from "./call.js";
import type { Found } from "./facts.js";
import { isPending, type Awaitable } from "./handlers.js";
import type { Reference, Shelf, Wanted } from "./resources.js";

/** The rows of one request. Each row is loaded once; one query loads all rows of a kind. */
export class Rows implements Found {
  readonly #shelf: Shelf;
  readonly #context: Call;
  readonly #isLocked: boolean;
  /** An array: one request has few kinds. */
  readonly #kinds: Kind[] = [];
  readonly #pointers = new Map<string, NamedRows>();
  readonly #parameters = new Map<string, unknown>();

  constructor(shelf: Shelf, context: Call, { isLocked }: { readonly isLocked: boolean }) {
    this.#shelf = shelf;
    this.#context = context;
    this.#isLocked = isLocked;
  }

  at(pointer: string): NamedRows | undefined {
    return this.#pointers.get(pointer);
  }

  parameter(name: string): readonly unknown[] | undefined {
    const row = this.#parameters.get(name);
    return row === undefined ? undefined : [row];
  }

  /** Links a reference of the body to the rows of its kind. */
  note({ key, to, by }: Pick<Reference, "to" | "by"> & { readonly key: string }): void {
    this.#pointers.set(key, this.#kindOf(to, by).rows);
  }

  noteParameter(name: string, row: unknown): void {
    this.#parameters.set(name, row);
  }

  /** Loads rows of a resource by one field. Returns these and all rows loaded before; undefined for rows that do not exist. */
  load(resource: string, by: string, ids: readonly unknown[]): Awaitable<NamedRows> {
    const { rows: known } = this.#kindOf(resource, by);
    const unknown = ids.filter((id) => !known.has(id));
    if (unknown.length === 0) return known;
    const store = this.#shelf.stores[resource];
    if (store?.load === undefined)
      throw new TypeError(
        `Missing option \`resources.${resource}.load\`. Provide a function that loads rows by \`${by}\`.`,
      );
    const values = (unknown.length === 1 ? unknown : [...new Set(unknown)]) as Key[];
    const rows = store.load({ by, values, isLocked: this.#isLocked }, this.#context);
    return isPending(rows)
      ? rows.then((found) => keep(found, known, { by, values }))
      : keep(rows, known, { by, values });
  }

  /** A loaded row. Undefined if it does not exist. */
  loaded({ to, by }: Pick<Reference, "to" | "by">, id: unknown): unknown {
    return this.#kindOf(to, by).rows.get(id);
  }

  /** The caller's only row of a resource. */
  own(resource: string): unknown {
    const store = this.#shelf.stores[resource];
    if (store?.own === undefined)
      throw new TypeError(
        `Missing option \`resources.${resource}.own\`. Provide a function that loads the caller's row.`,
      );
    return store.own(this.#context);
  }

  /** Loads each row's ancestors, with one query for each kind. Undefined for a row that does not exist, or whose ancestor does not. */
  chains(resource: string, rows: readonly unknown[], depth = 0): Awaitable<readonly (Chain | undefined)[]> {
    const parent = this.#shelf.resources[resource]?.parent;
    if (parent === undefined || rows.length === 0)
      return rows.map((row) => (row === undefined ? undefined : [{ resource, row }]));
    if (depth > mostLinks) throw new TypeError(`resources: a ${resource} is its own ancestor`);
    return this.#chainsUp({ resource, parent, depth }, rows);
  }

  async #chainsUp(
    { resource, parent, depth }: { readonly resource: string; readonly parent: string; readonly depth: number },
    rows: readonly unknown[],
  ): Promise<readonly (Chain | undefined)[]> {
    const store = this.#shelf.stores[resource];
    if (store?.parent === undefined)
      throw new TypeError(
        `Missing option \`resources.${resource}.parent\`. Provide a function that returns the id of a row's parent.`,
      );
    // A row may have outlived its parent.
    const ids: readonly (Key | null | undefined)[] = rows.map((row) =>
      row === undefined ? undefined : store.parent?.(row),
    );
    const known = await this.load(
      parent,
      "id",
      ids.filter((id) => id !== undefined && id !== null),
    );
    const parents = ids.map((id) => known.get(id) ?? undefined);
    const above = await this.chains(parent, parents, depth + 1);
    return above.map((chain, index) => (chain === undefined ? undefined : [{ resource, row: rows[index] }, ...chain]));
  }

  #kindOf(resource: string, by: string): Kind {
    const known = this.#kinds.find((each) => each.resource === resource && each.by === by);
    if (known !== undefined) return known;
    const kind: Kind = { resource, by, rows: new Map() };
    this.#kinds.push(kind);
    return kind;
  }
}

/** Deeper than any description nests resources. */
const mostLinks = 100;

/** Rows by the value that identifies them. */
export type NamedRows = ReadonlyMap<unknown, unknown>;

interface Kind {
  readonly resource: string;
  readonly by: string;
  readonly rows: Map<unknown, unknown>;
}

function keep(
  rows: Iterable<unknown>,
  known: Map<unknown, unknown>,
  { by, values }: Pick<Wanted<Key>, "by" | "values">,
): NamedRows {
  // A row that does not exist is not loaded again.
  for (const value of values) known.set(value, undefined);
  for (const row of rows) known.set(keyOf(row, by), row);
  return known;
}

/** A row and its ancestors. */
export type Chain = readonly Link[];

export interface Link {
  readonly resource: string;
  readonly row: unknown;
}

export function keyOf(row: unknown, by: string): unknown {
  return isObject(row) ? ownField(row, by) : undefined;
}
