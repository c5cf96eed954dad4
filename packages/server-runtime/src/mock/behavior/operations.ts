import { isObject, type InputGroups } from "../../http/index.js";
import {
  isConditionMet,
  UnavailableError,
  type AnyHandlers,
  type HandlerResponse,
  type RequestContext,
} from "../../server/index.js";
import { grantCreator } from "../access/grants.js";
import { resourceOf, type MockContext } from "../mock-context.js";
import type { MockOperation, MockResponse } from "../mock-definition.js";
import { loadedRows, targetObject, type MockRequest } from "../objects/evaluation.js";
import { storedObject, viewOf } from "../objects/objects.js";
import { bodyOf, composeBody } from "../responses/bodies.js";
import { MockCapacityError } from "../store/mock-store.js";
import type { StoredObject } from "../store/stored-object.js";
import { removeObject, updateObject } from "./changes.js";
import { bodyValues, createObject } from "./creation.js";
import { runEffects } from "./effects.js";
import { startOperation } from "./limits.js";
import { lookUpBody, lookUpPath, statedObject } from "./path-objects.js";
import { createMissingReferences } from "./references.js";
import { ownObject } from "./resource-loaders.js";
import { runTransitions } from "./state-machines.js";

/** A handler of a mock, whose types the generated server knows. */
export type MockHandler = NonNullable<AnyHandlers[string]>;

/** A handler for each operation, which does what the description says. */
export function mockHandlers(mock: MockContext): Readonly<Record<string, MockHandler>> {
  return Object.fromEntries(
    Object.entries(mock.definition.operations).map(([name, operation]) => [
      name,
      (input: InputGroups, context: RequestContext) =>
        withinCapacity(mock, context, () =>
          mock.store.atomically(() => handleRequest(createRequest(mock, { name, operation }, { input, context }))),
        ),
    ]),
  );
}

/**
 * Runs an operation, and keeps why its objects could not be stored.
 *
 * @throws UnavailableError above the maximum number of objects
 */
function withinCapacity<T>({ capacityErrors }: MockContext, { requestId }: RequestContext, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof MockCapacityError)) throw error;
    capacityErrors.set(requestId, error.message);
    throw new UnavailableError(error.message, { cause: error });
  }
}

function createRequest(
  mock: MockContext,
  { name, operation }: { readonly name: string; readonly operation: MockOperation },
  { input, context }: { readonly input: InputGroups; readonly context: RequestContext },
): MockRequest {
  const { caller, requestId } = context;
  const looked =
    operation.isNamedByBody === true
      ? lookUpBody(mock, operation, input["body"])
      : operation.isLookedUp
        ? ownTarget(mock, operation, context)
        : lookUpPath(mock, operation, { input, caller });
  const target = looked === undefined || isObject(input["target"]) ? input["target"] : viewOf(mock, looked);
  return {
    mock,
    name,
    operation,
    requestId,
    caller,
    input,
    now: mock.clock.now(),
    body: input["body"],
    target: isObject(target) ? target : undefined,
    refs: loadedRows(operation, input),
    response: undefined,
    next: undefined,
    created: [],
  };
}

/** The only object of the caller, if the operation is about that. */
function ownTarget(mock: MockContext, { target }: MockOperation, { caller }: RequestContext): StoredObject | undefined {
  return target === undefined || target.parameter !== undefined ? undefined : ownObject(mock, target.resource, caller);
}

/** Performs an operation: its object, states, effects and limits; then the response. */
function handleRequest(request: MockRequest): HandlerResponse {
  const { mock, operation } = request;
  const { role } = operation;
  createMissingReferences(request);
  const target = targetObject(request);
  const subject = role === "create" ? createSubject(request) : target;
  if (role === "update" && target !== undefined) updateObject(request, target);
  const response = operation.success.find(({ when }) => when === undefined || isConditionMet(when, request));
  if (role !== "list" && role !== "read" && response?.body !== undefined)
    request.response = composeBody(request, response.body, subject);
  const isDecided = runTransitions(request);
  const effects = runEffects(request, subject);
  if (role === "delete" && target !== undefined && !isDecided) removeObject(mock, target);
  startOperation(request);
  return respond(request, response, { subject, effects });
}

/** Creates the object of an operation. If its condition does not hold, the operation is about an existing one. */
function createSubject(request: MockRequest): StoredObject | undefined {
  const { mock, operation, caller, body } = request;
  const { resource, createsWhen } = operation;
  if (resource === undefined) return undefined;
  if (createsWhen !== undefined && !isConditionMet(createsWhen, request)) return referencedSubject(request, resource);
  const existing = resourceOf(mock, resource).owner.length === 0 ? statedObject(mock, resource, body) : undefined;
  if (existing !== undefined && resourceOf(mock, resource).parent === undefined) removeObject(mock, existing);
  const target = targetObject(request);
  const parent = target !== undefined && resourceOf(mock, resource).parent === target.resource ? target : undefined;
  const event = { kind: "operation", operation: request.name } as const;
  const created = createObject(mock, { resource, values: bodyValues(body), caller, parent, event, request });
  grantCreator(mock, created, caller);
  return created;
}

function referencedSubject({ mock, operation, refs }: MockRequest, resource: string): StoredObject | undefined {
  for (const reference of operation.bodyReferences) {
    if (reference.resource !== resource) continue;
    const [row] = refs.at(reference.pointer.join("/"))?.values() ?? [];
    const object = storedObject(mock, row);
    if (object !== undefined) return object;
  }
  return undefined;
}

function respond(
  request: MockRequest,
  response: MockResponse | undefined,
  { subject, effects }: { readonly subject: StoredObject | undefined; readonly effects: readonly string[] },
): HandlerResponse {
  if (response === undefined) return { status: 204, effects };
  const { status, mediaType, body, headers } = response;
  // A read composes its body after its effects, every other operation for the second time.
  const composed = body === undefined ? undefined : composeBody(request, body, subject);
  return {
    status,
    effects,
    ...(mediaType === undefined ? {} : { type: mediaType }),
    ...(composed === undefined ? {} : { body: bodyOf(mediaType, composed) }),
    ...pickHeaders(request, headers),
  };
}

/** The sample headers, with the cursor of the next page. */
function pickHeaders(
  { operation, next }: MockRequest,
  samples: MockResponse["headers"],
): Pick<HandlerResponse, "headers"> {
  const place = operation.list?.cursor?.next;
  const cursor = place?.in === "header" ? { [place.name]: next } : {};
  const headers = Object.entries({ ...samples, ...cursor }).filter(([, value]) => value !== undefined);
  return headers.length === 0 ? {} : { headers: Object.fromEntries(headers) };
}
