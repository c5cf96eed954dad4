import { callerOf, tenantOf } from "./access/caller.js";
import { removeObject, changeValues } from "./behavior/changes.js";
import { createObject } from "./behavior/creation.js";
import { runPlatformEvent, setState } from "./behavior/state-machines.js";
import { resourceOf, type MockContext } from "./mock-context.js";
import { findObjects, viewOf } from "./objects/objects.js";
import { withValues } from "./objects/values.js";
import type { StoredObject, Values } from "./store/stored-object.js";

/** Whose a new object is. */
export interface ObjectPlace {
  /** The user who owns it, alone or with the account. */
  readonly username?: string | undefined;
  /** The account that owns it, if no user is stated. */
  readonly account?: string | undefined;
  /** The identifier of its parent. */
  readonly parent?: unknown;
  /** The event of the platform that creates it, as a state machine names it. */
  readonly event?: string;
}

/** Creates, changes and removes objects, as only the platform can. Resources have the names of the description. */
export interface MockObjects {
  /** Creates an object, and returns its values. */
  create(resource: string, values: Values, place: ObjectPlace): Values;
  find(resource: string, identifier: unknown): Values | undefined;
  /** The objects of a resource that have these values. */
  list(resource: string, values?: Values): readonly Values[];
  /** The children of an object. */
  children(resource: string, parent: { readonly resource: string; readonly identifier: unknown }): readonly Values[];
  /** Changes values, by dotted paths. Returns false if there is no such object. */
  change(resource: string, identifier: unknown, values: Values): boolean;
  remove(resource: string, identifier: unknown): boolean;
  /** The key of an object, for a token that is valid as long as the object exists. */
  keyOf(resource: string, identifier: unknown): { readonly object?: number };
  /** Performs an event of the platform, such as `suspend`. Returns false if the object's state does not allow it. */
  perform(resource: string, identifier: unknown, event: string): boolean;
  /** Puts an object into a state. */
  setState(resource: string, identifier: unknown, state: string): boolean;
}

export function createObjects(mock: MockContext): MockObjects {
  const object = (resource: string, identifier: unknown): StoredObject | undefined =>
    findObjects(mock, resource, { by: resourceOf(mock, resource).identifier.field, value: identifier })[0];
  const within = (resource: string, identifier: unknown, change: (target: StoredObject) => unknown): boolean => {
    const target = object(resource, identifier);
    if (target === undefined) return false;
    return mock.store.atomically(() => change(target)) !== false;
  };
  return {
    create: (resource, values, { username, account, parent, event }) => {
      const user = username === undefined ? undefined : mock.users.get(username);
      const caller =
        user !== undefined
          ? callerOf(mock, user, {})
          : account === undefined
            ? undefined
            : { user: "", ...tenantOf(mock, account) };
      const { parent: parentResource } = resourceOf(mock, resource);
      const created = mock.store.atomically(() =>
        createObject(mock, {
          resource,
          values,
          caller,
          parent: parentResource === undefined ? undefined : object(parentResource, parent),
          ...(event === undefined ? {} : { event: { kind: "platform", platform: event } as const }),
        }),
      );
      return viewOf(mock, created);
    },
    find: (resource, identifier) => {
      const match = object(resource, identifier);
      return match && viewOf(mock, match);
    },
    list: (resource, values = {}) =>
      [...mock.store.all(resource)]
        .map((each) => viewOf(mock, each))
        .filter((each) => Object.entries(values).every(([field, value]) => each[field] === value)),
    children: (resource, parent) => {
      const above = object(parent.resource, parent.identifier);
      return [...mock.store.all(resource)]
        .filter((each) => above !== undefined && each.parent === above.key)
        .map((each) => viewOf(mock, each));
    },
    change: (resource, identifier, values) =>
      within(resource, identifier, (target) => changeValues(mock, target, (before) => withValues(before, values))),
    remove: (resource, identifier) => within(resource, identifier, (target) => removeObject(mock, target)),
    keyOf: (resource, identifier) => {
      const match = object(resource, identifier);
      return match === undefined ? {} : { object: match.key };
    },
    perform: (resource, identifier, event) =>
      within(resource, identifier, (target) => runPlatformEvent(mock, target, event)),
    setState: (resource, identifier, state) => within(resource, identifier, (target) => setState(mock, target, state)),
  };
}
