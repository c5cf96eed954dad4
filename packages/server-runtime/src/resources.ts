import type { Check } from "@plumbline/validator-runtime";
import type { Call, Key } from "./call.js";

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
