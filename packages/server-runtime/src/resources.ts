import { holds, isList, isObject, ownField, type Check } from "@plumbline/validator-runtime";
import type { Call, Caller, Key } from "./call.js";
import { at } from "./expressions.js";
import type { Found } from "./facts.js";
import { isPending, type Awaitable } from "./handlers.js";

/** A resource, as the description has it. */
export interface Resource {
  readonly owner: readonly ("platform" | "account" | "user" | "client")[];
  /** A child dies with its parent, and inherits its owner and its grants. */
  readonly parent?: string;
  /** The list of a user's grants that holds its entities. */
  readonly grants?: string;
  /** What is everybody's to read. */
  readonly public?: Check;
}

/** What names a resource: a parameter of the path, or a field of the body. */
export interface Reference {
  readonly to: string;
  /** The field of the resource that is named. */
  readonly by: string;
  /** The parameter that names the object within which it has to be. */
  readonly of?: string;
  readonly missing?: string;
  /** The condition in which it has to be. */
  readonly where?: Check;
  readonly unfit?: string;
}

export interface BodyReference extends Reference {
  /** `*` is each item. */
  readonly pointer: readonly string[];
  /** What a handler finds it under. */
  readonly name: string;
}

export interface OperationResources {
  readonly path: readonly (Reference & { readonly parameter: string })[];
  readonly body: readonly BodyReference[];
  /** What the path names last, or the one of the caller's that it is about. */
  readonly target?: { readonly resource: string; readonly parameter?: string };
  /** The resource that is listed, of which a caller may not see all. */
  readonly list?: string;
}

/** What is asked of a store. */
export interface Wanted<Id> {
  /** The field that names each. */
  readonly by: string;
  readonly values: readonly Id[];
  /** True for what the operation may change: it has to stay as it is until the transaction ends. */
  readonly isLocked: boolean;
}

/** Finds rows by what names them, in one query; those that are not there are left out. */
export interface Stored<Row, Id, Context> {
  load(wanted: Wanted<Id>, context: Context): Iterable<Row> | Promise<Iterable<Row>>;
}

/** Whose a row is. */
export interface Owned<Row, Owner extends string> {
  owner(row: Row): Readonly<Record<Owner, Key>>;
}

/** What names the parent of a row. */
export interface Child<Row, Id> {
  parent(row: Row): Id;
}

/** What each caller has one of, such as a profile. */
export interface Single<Row, Context> {
  own(context: Context): Row | undefined | Promise<Row | undefined>;
}

/** Tells the state of a row where no field does. */
export interface Moving<Row, Machine extends string> {
  readonly states: { readonly [M in Machine]: (row: Row) => string };
}

/** A resource as a server is given it. */
export interface Store {
  load?(wanted: Wanted<Key>, context: Call): Iterable<unknown> | Promise<Iterable<unknown>>;
  owner?(row: unknown): Readonly<Partial<Record<"account" | "user" | "client", Key>>>;
  parent?(row: unknown): Key;
  own?(context: Call): unknown;
  readonly states?: Readonly<Record<string, (row: unknown) => string>>;
}

/** What of a list its caller may see. */
export interface Visible<Id = Key> {
  /** Whose they have to be. Absent for what is the platform's, and for anonymous callers, who see what is public. */
  readonly owner?: { readonly account?: Key; readonly user?: Key; readonly client?: Key };
  /** These only, of that owner's. Absent: all of them. */
  readonly ids?: readonly Id[];
  /** Whether what is public is seen besides. */
  readonly andPublic: boolean;
}

export interface Shelf {
  readonly resources: Readonly<Record<string, Resource>>;
  readonly stores: Readonly<Record<string, Store>>;
}

/** The rows of one request. Each kind is asked for once for each field that names it, and nothing twice. */
export class Rows implements Found {
  readonly #shelf: Shelf;
  readonly #context: Call;
  readonly #isLocked: boolean;
  /** There are few kinds in one request. */
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

  /** Notes what a field of the body names, by the key of its reference. */
  note(key: string, rows: NamedRows): void {
    this.#pointers.set(key, rows);
  }

  noteParameter(name: string, row: unknown): void {
    this.#parameters.set(name, row);
  }

  /** Rows of a resource by what names them, and all that were asked for before; undefined for what is not there. */
  load(resource: string, by: string, ids: readonly unknown[]): Awaitable<NamedRows> {
    const { rows: known } = this.#kindOf(resource, by);
    const unknown = ids.filter((id) => !known.has(id));
    if (unknown.length === 0) return known;
    const store = this.#shelf.stores[resource];
    if (store?.load === undefined) throw new TypeError(`resources: there is no load for ${resource}`);
    const values = (unknown.length === 1 ? unknown : [...new Set(unknown)]) as Key[];
    const rows = store.load({ by, values, isLocked: this.#isLocked }, this.#context);
    return isPending(rows)
      ? rows.then((found) => keep(found, known, { by, values }))
      : keep(rows, known, { by, values });
  }

  /** A row that was loaded; undefined where it is not there. */
  loaded({ to, by }: Pick<Reference, "to" | "by">, id: unknown): unknown {
    return this.#kindOf(to, by).rows.get(id);
  }

  /** The one that the caller has of a resource. */
  own(resource: string): unknown {
    const store = this.#shelf.stores[resource];
    if (store?.own === undefined) throw new TypeError(`resources: there is no own for ${resource}`);
    return store.own(this.#context);
  }

  /** Each row with its parent, and so on up to what has an owner of its own; undefined where one of them is gone. One query a kind. */
  chains(resource: string, rows: readonly unknown[]): Awaitable<readonly (Chain | undefined)[]> {
    const parent = this.#shelf.resources[resource]?.parent;
    return parent === undefined || rows.length === 0
      ? rows.map((row) => [{ resource, row }])
      : this.#chainsUp({ resource, parent }, rows);
  }

  async #chainsUp(
    { resource, parent }: { readonly resource: string; readonly parent: string },
    rows: readonly unknown[],
  ): Promise<readonly (Chain | undefined)[]> {
    const ids = rows.map((row) => {
      const id = this.#shelf.stores[resource]?.parent?.(row);
      if (id === undefined) throw new TypeError(`resources: there is no parent for ${resource}`);
      return id;
    });
    const known = await this.load(parent, "id", ids);
    const parents = ids.map((id) => known.get(id));
    const above = await this.chains(
      parent,
      parents.filter((each) => each !== undefined),
    );
    let next = 0;
    return parents.map((each, index) => {
      const chain = each === undefined ? undefined : above[next++];
      return chain === undefined ? undefined : [{ resource, row: rows[index] }, ...chain];
    });
  }

  #kindOf(resource: string, by: string): Kind {
    const known = this.#kinds.find((each) => each.resource === resource && each.by === by);
    if (known !== undefined) return known;
    const kind: Kind = { resource, by, rows: new Map() };
    this.#kinds.push(kind);
    return kind;
  }
}

/** Rows by what names them. */
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
  // What is not there is not asked for again.
  for (const value of values) known.set(value, undefined);
  for (const row of rows) known.set(keyOf(row, by), row);
  return known;
}

/** A row, and all that it lies in. */
export type Chain = readonly Link[];

export interface Link {
  readonly resource: string;
  readonly row: unknown;
}

export function keyOf(row: unknown, by: string): unknown {
  return isObject(row) ? ownField(row, by) : undefined;
}

/** Whether a caller may know of the last of a chain, by whose it is: its own, or everybody's. */
export function isKnownTo(caller: Caller | undefined, chain: readonly Link[], { resources, stores }: Shelf): boolean {
  const [first] = chain;
  const root = chain.at(-1);
  if (first === undefined || root === undefined) return false;
  const { owner, public: open } = resources[root.resource] ?? { owner: [] };
  if (owner.every((each) => each === "platform")) return true;
  if (open !== undefined && holds(open, root.row)) return true;
  if (caller === undefined) return false;
  const whose = stores[root.resource]?.owner?.(root.row);
  if (whose === undefined) throw new TypeError(`resources: there is no owner for ${root.resource}`);
  return owner.every((each) => each === "platform" || isSame(whose[each], ownerKey(caller, each)));
}

/** What a caller is as an owner. */
export function ownerKey(caller: Caller, kind: "account" | "user" | "client"): Key | undefined {
  return kind === "account" ? caller.account?.id : caller[kind];
}

function isSame(a: Key | undefined, b: Key | undefined): boolean {
  return a !== undefined && a === b;
}

export interface Named {
  readonly id: unknown;
  readonly place: string;
}

const nothing: readonly Named[] = [];

/** What a body names by a reference, each with where it stands: `disks.0`. */
export function namedIn(body: unknown, pointer: readonly string[]): readonly Named[] {
  const [field = ""] = pointer;
  // Most of what could be named is not.
  if (isObject(body) && field !== "*" && ownField(body, field) === undefined) return nothing;
  if (!pointer.includes("*")) {
    const [id] = at(body, pointer);
    return id === undefined || id === null ? nothing : [{ id, place: pointer.join(".") }];
  }
  const found: Named[] = [];
  const walk = (value: unknown, rest: readonly string[], way: readonly string[]): void => {
    const [token, ...more] = rest;
    if (value === undefined || value === null) return;
    if (token === undefined) found.push({ id: value, place: way.join(".") });
    else if (token === "*") for (const [key, child] of childrenOf(value)) walk(child, more, [...way, key]);
    else walk(at(value, [token])[0], more, [...way, token]);
  };
  walk(body, pointer, []);
  return found;
}

function childrenOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (isList(value)) return value.map((each, index) => [String(index), each] as const);
  return isObject(value) ? Object.entries(value) : [];
}
