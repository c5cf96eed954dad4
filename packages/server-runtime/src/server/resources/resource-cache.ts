import { isObject, ownField } from "../../http/index.js";
import type { LoadedRows } from "../conditions/evaluation-context.js";
import type { Awaitable } from "../handlers.js";
import { andThen } from "../request/in-turn.js";
import type { RequestContext, EntityId } from "../request/request-context.js";
import type { ReferencedId } from "./body-references.js";
import type { Reference, ResourceRegistry, LoadQuery } from "./resources.js";

/** The rows of one request. Each row is loaded once; one query loads all rows of a kind. */
export class ResourceCache implements LoadedRows {
  readonly #registry: ResourceRegistry;
  readonly #context: RequestContext;
  readonly #forUpdate: boolean;
  readonly #fields: readonly ReferencingField[];
  /** An array: one request has few kinds. */
  readonly #kinds: RowGroup[] = [];
  readonly #parameters = new Map<string, AncestorChain>();
  readonly #references = new Map<Reference, BodyRows>();

  /** @param plan the fields of the body that reference rows, and whether the operation may change rows */
  constructor(
    registry: ResourceRegistry,
    context: RequestContext,
    {
      bodyReferences,
      isLocking,
    }: { readonly bodyReferences: readonly ReferencingField[]; readonly isLocking: boolean },
  ) {
    this.#registry = registry;
    this.#context = context;
    this.#forUpdate = isLocking;
    this.#fields = bodyReferences;
  }

  at(pointer: string): RowsById | undefined {
    const field = this.#fields.find(({ key }) => key === pointer);
    return field && this.#kindOf(field.to, field.by).rows;
  }

  parameter(name: string): readonly unknown[] | undefined {
    const [link] = this.#parameters.get(name) ?? [];
    return link === undefined ? undefined : [link.row];
  }

  /** The row that a path parameter names, with its ancestors. */
  parameterChain(name: string): AncestorChain | undefined {
    return this.#parameters.get(name);
  }

  setParameter(name: string, chain: AncestorChain): void {
    this.#parameters.set(name, chain);
  }

  /** What a reference of the body names. */
  referenced(reference: Reference | undefined): BodyRows {
    return (reference && this.#references.get(reference)) ?? noBodyRows;
  }

  setReferenced(reference: Reference, rows: BodyRows): void {
    this.#references.set(reference, rows);
  }

  /** Loads rows of a resource by one field. Returns these and all rows loaded before; undefined for rows that do not exist. */
  load(resource: string, by: string, ids: readonly unknown[]): Awaitable<RowsById> {
    const { rows: cached } = this.#kindOf(resource, by);
    const unknown = ids.filter((id) => !cached.has(id));
    if (unknown.length === 0) return cached;
    const store = this.#registry.stores[resource];
    if (store?.load === undefined)
      throw new TypeError(
        `Missing option \`resources.${resource}.load\`. Provide a function that loads rows by \`${by}\`.`,
      );
    const values = (unknown.length === 1 ? unknown : [...new Set(unknown)]) as EntityId[];
    const rows = store.load({ by, values, forUpdate: this.#forUpdate }, this.#context);
    return andThen(rows, (loaded) => cacheRows(loaded, cached, { by, values }));
  }

  /** Loads rows by one field, each with its ancestors. Undefined for a row that does not exist, or whose ancestor does not. */
  chainsOf(resource: string, by: string, ids: readonly unknown[]): Awaitable<readonly (AncestorChain | undefined)[]> {
    return andThen(this.load(resource, by, ids), (rows) =>
      this.chains(
        resource,
        ids.map((id) => rows.get(id)),
      ),
    );
  }

  /** A loaded row. Undefined if it does not exist. */
  get({ to, by }: Pick<Reference, "to" | "by">, id: unknown): unknown {
    return this.#kindOf(to, by).rows.get(id);
  }

  /** The caller's only row of a resource. */
  loadOwn(resource: string): unknown {
    const store = this.#registry.stores[resource];
    if (store?.own === undefined)
      throw new TypeError(
        `Missing option \`resources.${resource}.own\`. Provide a function that loads the caller's row.`,
      );
    return store.own(this.#context);
  }

  /** Loads each row's ancestors, with one query for each kind. Undefined for a row that does not exist, or whose ancestor does not. */
  chains(resource: string, rows: readonly unknown[], depth = 0): Awaitable<readonly (AncestorChain | undefined)[]> {
    const parent = this.#registry.resources[resource]?.parent;
    if (parent === undefined || rows.every((row) => row === undefined))
      return rows.map((row) => (row === undefined ? undefined : [{ resource, row }]));
    if (depth > maxAncestors) throw new TypeError(`resources: a ${resource} is its own ancestor`);
    return this.#chainsUp({ resource, parent, depth }, rows);
  }

  async #chainsUp(
    { resource, parent, depth }: { readonly resource: string; readonly parent: string; readonly depth: number },
    rows: readonly unknown[],
  ): Promise<readonly (AncestorChain | undefined)[]> {
    const store = this.#registry.stores[resource];
    if (store?.parent === undefined)
      throw new TypeError(
        `Missing option \`resources.${resource}.parent\`. Provide a function that returns the id of a row's parent.`,
      );
    // A row may have outlived its parent.
    const ids: readonly (EntityId | null | undefined)[] = rows.map((row) =>
      row === undefined ? undefined : store.parent?.(row),
    );
    const parentRows = await this.load(
      parent,
      this.#registry.resources[parent]?.key ?? "id",
      ids.filter((id) => id !== undefined && id !== null),
    );
    const parents = ids.map((id) => parentRows.get(id) ?? undefined);
    const above = await this.chains(parent, parents, depth + 1);
    return above.map((chain, index) => (chain === undefined ? undefined : [{ resource, row: rows[index] }, ...chain]));
  }

  #kindOf(resource: string, by: string): RowGroup {
    const group = this.#kinds.find((each) => each.resource === resource && each.by === by);
    if (group !== undefined) return group;
    const kind: RowGroup = { resource, by, rows: new Map() };
    this.#kinds.push(kind);
    return kind;
  }
}

/** The ids that the body has for a reference, each with its row and the ancestors of that. */
export interface BodyRows {
  readonly ids: readonly ReferencedId[];
  readonly chains: readonly (AncestorChain | undefined)[];
}

const noBodyRows: BodyRows = { ids: [], chains: [] };

/** Deeper than any description nests resources. */
const maxAncestors = 100;

/** Rows by the value that identifies them. */
export type RowsById = ReadonlyMap<unknown, unknown>;

/** A field of the body that references rows. */
type ReferencingField = Pick<Reference, "to" | "by"> & { readonly key: string };

interface RowGroup {
  readonly resource: string;
  readonly by: string;
  readonly rows: Map<unknown, unknown>;
}

function cacheRows(
  rows: Iterable<unknown>,
  cached: Map<unknown, unknown>,
  { by, values }: Pick<LoadQuery<EntityId>, "by" | "values">,
): RowsById {
  // A row that does not exist is not loaded again.
  for (const value of values) cached.set(value, undefined);
  for (const row of rows) cached.set(rowField(row, by), row);
  return cached;
}

/** A row and its ancestors. */
export type AncestorChain = readonly Ancestor[];

export interface Ancestor {
  readonly resource: string;
  readonly row: unknown;
}

export function rowField(row: unknown, by: string): unknown {
  return isObject(row) ? ownField(row, by) : undefined;
}
