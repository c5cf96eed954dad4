import { isObject } from "../http/index.js";
import type {
  BodyReferenceData,
  EffectData,
  EventData,
  ListData,
  MockData,
  ObjectData,
  OperationData,
  ResourceData,
  MockStateMachineData,
  StateStepsData,
  ValueSourceData,
} from "./mock-data.js";
import type {
  EffectTarget,
  MockBodyReference,
  MockCallers,
  MockDefinition,
  MockEffect,
  MockEvent,
  MockList,
  MockOperation,
  MockResource,
  MockStateMachine,
  MockStateSteps,
  MockValueSource,
  ObjectExpression,
} from "./mock-definition.js";
import { documentedResponses, readSecrets, successResponse } from "./read-responses.js";
import { mapValues, parseExpression, parsePointer, splitOnce } from "./read-texts.js";

/** Adds to the data of a generated package what it leaves out: defaults, and what follows from the rest. */
export function readDefinition(data: MockData): MockDefinition {
  const { operations, resources = {}, stateMachines = [], callers } = data;
  const routes = new Set(Object.values(operations).map(({ route }) => route));
  return {
    uniqueLimits: {},
    securitySchemes: [],
    credentials: [],
    reachedEffects: {},
    orderedLists: {},
    ...data,
    operations: mapValues(operations, (operation) => readOperation(operation, { data, routes })),
    callers,
    resources: mapValues(resources, (resource) => readResource(resource, callers)),
    stateMachines: stateMachines.map(readStateMachine),
  };
}

interface Definitions {
  readonly data: MockData;
  readonly routes: ReadonlySet<string>;
}

function readOperation(operation: OperationData, { data, routes }: Definitions): MockOperation {
  const { route, resource, target, pathReferences: references = [], list, errors = [], ...rest } = operation;
  const success = [operation.success].flat();
  const [method, path = ""] = splitOnce(route, " ");
  const pathReferences = references.map((each) => ({ by: "id", ...each }));
  const last = pathReferences.at(-1);
  const pathTarget = target === undefined ? last && { resource: last.resource, parameter: last.parameter } : target;
  const subject = (resource === undefined ? pathTarget?.resource : resource) ?? undefined;
  return {
    isLookedUp: true,
    absent: "keep",
    bodyFields: [],
    ...rest,
    method,
    path,
    ...(subject && { resource: subject }),
    ...(pathTarget && { target: pathTarget }),
    pathReferences,
    bodyReferences: (operation.bodyReferences ?? []).map(readBodyReference),
    effects: (operation.effects ?? []).map((effect) => readEffect(effect, data)),
    concurrency: (operation.concurrency ?? []).map(({ id, per, settled }) => ({
      id,
      ...(per !== undefined && { per: parseExpression(per) }),
      ...(settled !== undefined && { settled: parseExpression(settled) }),
    })),
    ...(isDocument(route, path, routes) && { document: path }),
    success: success.map(successResponse),
    documented: documentedResponses([...success, ...errors]),
    ...(list && { list: readList(list, subject) }),
  };
}

/** Whether clients read at a path what they have written there. */
function isDocument(route: string, path: string, routes: ReadonlySet<string>): boolean {
  const isRead = path !== "" && routes.has(`GET ${path}`);
  if (!isRead || !/^(GET|PUT|PATCH) /.test(route)) return false;
  return [...routes].some((each) => each !== `GET ${path}` && splitOnce(each, " ")[1] === path);
}

function readBodyReference({ pointer: text, name, ...reference }: BodyReferenceData): MockBodyReference {
  const pointer = parsePointer(text);
  const isMany = pointer.includes("*");
  const nameTokens = reference.creates ? pointer : pointer.filter((token) => token !== "*");
  return { by: "id", ...reference, pointer, name: name ?? nameTokens.join("."), isMany };
}

function readList({ filterFields = {}, referring = {}, ...list }: ListData, resource: string | undefined): MockList {
  return {
    resources: resource === undefined ? [] : [resource],
    defaultSize: 100,
    queryFields: [],
    ...list,
    filterFields: mapValues(filterFields, (field) => (typeof field === "string" ? { type: field } : field)),
    referring: mapValues(referring, ({ pointer, by = "id" }) => ({ pointer: parsePointer(pointer), by })),
  };
}

function readEffect({ to, of, except, count, values = {}, ...effect }: EffectData, data: MockData): MockEffect {
  return {
    ...effect,
    to: readTarget(to, data),
    ...(of && { of: readObject(of) }),
    ...(except !== undefined && { except: parseExpression(except) }),
    ...(count !== undefined && { count: typeof count === "string" ? parseExpression(count) : count }),
    values: mapValues(values, readValueSource),
  };
}

function readTarget(to: EffectData["to"], { resources = {}, operations }: MockData): EffectTarget {
  if (typeof to === "object") return { kind: "object", ...readObject(to) };
  if (to !== undefined && Object.hasOwn(resources, to)) return { kind: "resource", resource: to };
  if (to !== undefined && Object.hasOwn(operations, to)) return { kind: "operation", operation: to };
  return { kind: "unknown" };
}

function readObject([expression, resource, by]: ObjectData): ObjectExpression {
  return {
    expression: parseExpression(expression),
    ...(resource !== undefined && { resource }),
    ...(by !== undefined && { by }),
  };
}

function readValueSource(source: ValueSourceData): MockValueSource {
  if (source === null || typeof source !== "object") return { kind: "value", value: source };
  if ("value" in source) return { kind: "value", value: source.value };
  if ("from" in source) {
    const { from, minus, ...rest } = source;
    return {
      kind: "from",
      from: parseExpression(from),
      ...rest,
      ...(minus !== undefined && { minus: parseExpression(minus) }),
    };
  }
  const { by, ...rest } = source;
  return { kind: by, ...rest };
}

function readResource(data: ResourceData, { tenant }: MockCallers): MockResource {
  const { optional = [], nested = [], generated = {}, secrets = {}, references = [], ...rest } = data;
  const { field = "id", ...identifier } = rest.identifier ?? {};
  const sample = Object.hasOwn(rest.initial, field) ? rest.initial[field] : undefined;
  const type = typeof (identifier.sample ?? sample) === "string" ? "string" : "number";
  return {
    owner: tenant === undefined ? [] : [tenant],
    isSingleton: false,
    seeds: [],
    embedded: [],
    ...rest,
    identifier: { field, type, sample, ...identifier },
    fields: [...Object.keys(rest.initial), ...optional],
    nested: nested.map(({ pointer, initial }) => ({ pointer: parsePointer(pointer), initial })),
    generated: Object.entries(generated).map(([name, value]) => ({
      pointer: [name],
      ...(isObject(value) ? value : { value }),
    })),
    secrets: readSecrets(secrets),
    references: references.map(({ pointer, ...reference }) => ({
      by: "id",
      ...reference,
      pointer: parsePointer(pointer),
    })),
  };
}

function readStateMachine({
  hidden = {},
  initial = [],
  transitions = [],
  ...rest
}: MockStateMachineData): MockStateMachine {
  return {
    ...rest,
    hidden,
    initial: initial.map(readSteps),
    transitions: transitions.map(({ from = rest.states, subject, while: limit, ...steps }) => ({
      ...readSteps(steps),
      from,
      ...(limit !== undefined && { while: limit }),
      ...(subject && { subject: readObject(subject) }),
    })),
  };
}

function readSteps({ on, then = [], sets = {}, ...steps }: StateStepsData): MockStateSteps {
  return { ...steps, event: readEvent(on), then, sets: mapValues(sets, readValueSource) };
}

function readEvent(on: EventData): MockEvent {
  if ("operation" in on) return { kind: "operation", ...on };
  if ("platform" in on) return { kind: "platform", ...on };
  return "after" in on ? { kind: "after", seconds: on.after } : { kind: "at", field: on.at };
}
