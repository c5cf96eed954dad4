import type { Check } from "../../http/index.js";
import type { RequestContext, EntityId } from "../request/request-context.js";

/** A resource of the description. */
export interface Resource {
  /** `platform`, or attributes of callers. */
  readonly owner: readonly string[];
  /** The field that identifies a row. Default: `id`. */
  readonly key?: string;
  /** A child is deleted with its parent, and inherits its owner and grants. */
  readonly parent?: string;
  /** The list of a user's grants that has the resource's entities. */
  readonly grants?: string;
  /** Checks whether a row is public: any caller may read it. */
  readonly public?: Check;
}

/** A reference to a resource, in a path parameter or a field of the body. */
export interface Reference {
  readonly to: string;
  /** The field of the resource that identifies it. */
  readonly by: string;
  /** The parameter that names the required parent. */
  readonly of?: string;
  readonly onNotFound?: string;
  /** The condition that the resource has to satisfy. */
  readonly where?: Check;
  readonly onConstraintViolation?: string;
}

export interface BodyReference extends Reference {
  /** JSON pointer; `*` stands for each item. */
  readonly pointer: readonly string[];
  /** The key under which a handler finds the rows. */
  readonly name: string;
}

export interface OperationResources {
  readonly path: readonly (Reference & { readonly parameter: string })[];
  readonly body: readonly BodyReference[];
  /** The last resource that the path names, or the one resource of the caller. */
  readonly target?: { readonly resource: string; readonly parameter?: string };
  /** The resource of a list. The list has only the rows that the caller may see. */
  readonly list?: string;
}

/** The query of a `load` function. */
export interface LoadQuery<Id> {
  /** The field that identifies a row. */
  readonly by: string;
  readonly values: readonly Id[];
  /** True if the operation may change the rows: lock them until the transaction ends, as with SELECT … FOR UPDATE. */
  readonly forUpdate: boolean;
}

/** Loads rows by one field, with one query. Leave out rows that do not exist. */
export interface ResourceLoader<Row, Id, Context> {
  load(wanted: LoadQuery<Id>, context: Context): Iterable<Row> | Promise<Iterable<Row>>;
}

/** Returns the owner of a row. */
export interface HasOwner<Row, Owner extends string> {
  owner(row: Row): Readonly<Record<Owner, EntityId>>;
}

/** Returns the id of a row's parent. */
export interface HasParent<Row, Id> {
  parent(row: Row): Id;
}

/** Loads the resource of which each caller has one, such as a profile. */
export interface Singleton<Row, Context> {
  own(context: Context): Row | undefined | Promise<Row | undefined>;
}

/** Returns the state of a row, for state machines without a field. */
export interface HasState<Row, Machine extends string> {
  readonly states: { readonly [M in Machine]: (row: Row) => string };
}

/** How the server loads one resource. */
export interface ResourceStore {
  load?(wanted: LoadQuery<EntityId>, context: RequestContext): Iterable<unknown> | Promise<Iterable<unknown>>;
  owner?(row: unknown): Readonly<Partial<Record<string, EntityId>>>;
  parent?(row: unknown): EntityId;
  own?(context: RequestContext): unknown;
  readonly states?: Readonly<Record<string, (row: unknown) => string>>;
}

/** The part of a list that the caller may see. */
export interface ListScope<Id = EntityId, Owner extends string = string> {
  /** The required owner. Absent for resources of the platform, and for anonymous callers, who see public rows. */
  readonly owner?: Readonly<Record<Owner, EntityId>>;
  /** The ids to which the list is limited. Absent: all rows of the owner. */
  readonly ids?: readonly Id[];
  /** True if public rows belong to the list, too. */
  readonly includePublic: boolean;
}

export interface ResourceRegistry {
  readonly resources: Readonly<Record<string, Resource>>;
  readonly stores: Readonly<Record<string, ResourceStore>>;
}
