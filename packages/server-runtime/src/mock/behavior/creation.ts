import { isObject, ownField, safeAssign, valueAt } from "../../http/index.js";
import { mergeChange } from "../../server/index.js";
import type { Caller, EntityId } from "../../server/index.js";
import { resourceOf, type MockContext } from "../mock-context.js";
import type { GeneratedField, MockEvent, MockResource } from "../mock-definition.js";
import type { MockRequest } from "../objects/evaluation.js";
import { accountOf, ownerOf } from "../objects/owners.js";
import { completeNested, copyOf, withValueAt } from "../objects/values.js";
import { identifierOf } from "../store/identifiers.js";
import { formatTime } from "../store/mock-clock.js";
import type { ObjectOwner, StoredObject, Values } from "../store/stored-object.js";
import { removeObject } from "./changes.js";
import { initialStates } from "./state-machines.js";

/** A new object. */
export interface NewObject {
  readonly resource: string;
  /** The values that its creator states. */
  readonly values: Values;
  readonly caller: Caller | undefined;
  readonly parent?: StoredObject | undefined;
  /** The owner, if it is not that of the parent or the caller. */
  readonly owner?: ObjectOwner;
  readonly event?: MockEvent;
  readonly request?: MockRequest;
}

/** Creates an object: initial values, then those of its creator, then those that the platform generates. */
export function createObject(mock: MockContext, created: NewObject): StoredObject {
  const { resource, caller, parent, event, request } = created;
  const definition = resourceOf(mock, resource);
  const key = mock.store.nextKey();
  const stated = completeNested(
    mergeChange(copyOf(definition.initial), copyOf(created.values)) as Values,
    definition.nested,
  );
  const generated = generateValues(mock, definition, { stated: created.values, caller }).reduce(
    (values, [pointer, value]) => withValueAt(values, pointer, value),
    stated,
  );
  const { field, isHidden } = definition.identifier;
  const identified =
    Object.hasOwn(created.values, field) || isHidden === true
      ? generated
      : withValueAt(generated, [field], newIdentifier(mock, resource, definition));
  const { states, values } = initialStates(mock, { resource, values: identified }, { event, request });
  const object: StoredObject = {
    key,
    resource,
    values,
    owner: created.owner ?? (parent === undefined ? ownerOf(definition, caller) : parent.owner),
    parent: parent?.key,
    states,
    createdAt: mock.clock.now(),
  };
  mock.store.put(object);
  mock.jobs.schedule(object);
  registerCredential(mock, object, caller);
  request?.created.push(object);
  trimRetained(mock, object, definition);
  createSeedsIn(mock, object);
  return object;
}

/** Creates the objects that exist from the start. */
export function createSeeds(mock: MockContext): void {
  for (const [resource, { seeds, parent }] of Object.entries(mock.definition.resources))
    if (parent === undefined)
      for (const values of seeds) createObject(mock, { resource, values, caller: undefined, owner: {} });
}

/** Creates the objects that each parent has from the start. */
function createSeedsIn(mock: MockContext, parent: StoredObject): void {
  for (const [resource, { seeds, parent: above }] of Object.entries(mock.definition.resources))
    if (above === parent.resource)
      for (const values of seeds) createObject(mock, { resource, values, caller: undefined, parent });
}

/** The next identifier. Identifiers do not repeat, also those of objects that are gone. */
function newIdentifier(mock: MockContext, resource: string, { identifier }: MockResource): EntityId {
  const counter = `identifiers/${resource}`;
  let number = Number(mock.store.document(counter) ?? 0);
  let candidate: EntityId;
  do candidate = identifierOf(identifier, (number += 1));
  while (mock.store.identified(resource, candidate).length > 0);
  mock.store.setDocument(counter, number);
  return candidate;
}

function generateValues(
  mock: MockContext,
  { generated, secrets }: MockResource,
  { stated, caller }: { readonly stated: Values; readonly caller: Caller | undefined },
): readonly (readonly [pointer: readonly string[], value: unknown])[] {
  const fields = generated.flatMap((field) => {
    const value = generateValue(mock, field, caller);
    return valueAt(stated, field.pointer) !== undefined || value === undefined ? [] : [[field.pointer, value] as const];
  });
  const texts = secrets.flatMap(({ pointer, length }) =>
    valueAt(stated, pointer) === undefined ? [[pointer, mock.random.hex(length)] as const] : [],
  );
  return [...fields, ...texts];
}

function generateValue(
  { clock, random }: MockContext,
  { pointer, value, isDate, seconds = 0 }: GeneratedField,
  caller: Caller | undefined,
): unknown {
  switch (value) {
    case "created":
    case "updated":
      return formatTime(clock.now()).slice(0, isDate ? 10 : undefined);
    case "expires":
      return formatTime(clock.now() + seconds * 1000);
    case "uuid":
      return random.uuid();
    case "username":
      return caller?.user;
    case "attribute":
      return caller && ownField({ ...caller }, pointer[0] ?? "");
  }
}

/** A text that only its creator sees authenticates its holder, if the resource is a credential. */
function registerCredential(mock: MockContext, object: StoredObject, caller: Caller | undefined): void {
  const isCredential = mock.definition.credentials.some(({ resource }) => resource === object.resource);
  if (!isCredential || caller === undefined) return;
  for (const { pointer } of resourceOf(mock, object.resource).secrets) {
    const text = valueAt(object.values, pointer);
    const scopes = ownField(object.values, "scopes");
    if (typeof text === "string")
      mock.users.addToken(text, {
        username: String(caller.user),
        client: caller.client,
        object: object.key,
        scopes: typeof scopes === "string" ? scopes : undefined,
      });
  }
}

/** Deletes the oldest objects beyond the number that is kept. */
function trimRetained(mock: MockContext, object: StoredObject, { retention }: MockResource): void {
  if (retention?.max === undefined) return;
  const siblings = [...mock.store.all(object.resource)].filter(
    (each) => each.parent === object.parent && accountOf(mock.definition, each) === accountOf(mock.definition, object),
  );
  for (const old of siblings.slice(0, Math.max(0, siblings.length - retention.max))) removeObject(mock, old);
}

/** The fields of a body, as values of a new object. */
export function bodyValues(body: unknown): Values {
  if (!isObject(body)) return {};
  const values: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(body)) if (value !== undefined) safeAssign(values, field, value);
  return values;
}
