import type {
  SideEffectInfo,
  OperationInfo,
  ParameterInfo,
  ResponseInfo,
  RequirementInfo,
} from "@plumbline/conformance-runtime";
import {
  type Api,
  type Operation,
  type ResourceReference,
  type OperationResponse,
  type Resource,
  type Schema,
  mediaKind,
  preferredContent,
  findJsonContent,
  collectFields,
  schemaParts,
  memoize,
  memoizeByKey,
  withoutTracking,
  type SourceRef,
  pickDefined,
} from "@plumbline/model";
import { requirementIds, type ConformanceContext } from "../context/context.js";
import { inferResources } from "../context/inferred-resources.js";
import { jsonSchemaOf } from "../values/json-schema.js";
import { credentialInfos } from "../context/security-schemes.js";

/** The data that the runtime needs of each operation. */
export function operationInfos(context: ConformanceContext, api: Api): Record<string, OperationInfo> {
  const all = [...api.operations, ...api.operationsWithoutPath];
  return Object.fromEntries(all.map((operation) => [operation.name, operationInfo(context, api, operation)] as const));
}

function operationInfo(context: ConformanceContext, api: Api, operation: Operation): OperationInfo {
  const mediaType = operation.requestBody && preferredContent(operation.requestBody.contents)?.mediaType;
  const formFields = formFieldInfos(operation, api);
  const list = api.resources.find((resource) => resource.list === operation.name);
  const removes = api.resources.find((resource) => resource.delete === operation.name);
  const made = createdResource(api, operation);
  const names = sideEffectsOf(api, operation);
  const ended = api.resources.find((resource) => endOf(api, resource) === operation);
  const rates = operation.limits.flatMap(({ kind, id, max, window }) =>
    kind !== "rate" || max === undefined || window === undefined
      ? []
      : [{ ...(sharedRates(api).has(id) ? { id } : {}), max, seconds: window.seconds }],
  );
  return {
    method: operation.method,
    path: operation.path,
    tag: operation.tag,
    location: placeOf(context, operation.origin),
    parameters: operation.parameters.map((parameter) => parameterInfo(parameter, api)),
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(formFields.length === 0 ? {} : { formFields }),
    responses: Object.fromEntries(
      operation.responses.map((response) => [String(response.status), responseInfos(response)] as const),
    ),
    ...(made === undefined ? {} : { creates: createsInfo(api, made) }),
    ...(names.length === 0 ? {} : { sideEffects: names }),
    ...(rates.length === 0 ? {} : { rates }),
    ...(removes === undefined ? {} : { deletes: removes.name }),
    ...(ended === undefined ? {} : { ends: ended.name }),
    ...(list === undefined || !isOwnList(list, operation) ? {} : { lists: list.name }),
    ...(operation.security.length === 0 ? { public: true as const } : {}),
    ...pickDefined("credentials", credentialInfos(api, operation)),
  };
}

/** The ids of rate limits that several operations have: servers count their requests together. */
const sharedRates = memoize((api) => {
  const ids = api.operations.flatMap(({ limits }) => limits.filter(({ kind }) => kind === "rate").map(({ id }) => id));
  return new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
});

/** The resource that an operation creates, and its location in the response. */
export interface CreatedResource {
  readonly resource: Resource;
  /** A JSON pointer into the body: empty for the body itself. */
  readonly pointer: string;
}

/**
 * The resource that a POST creates: its response, or a field of the response that can be deleted. Callers do not record a dependency on the
 * response's schema.
 */
export function createdResource(api: Api, operation: Operation): CreatedResource | undefined {
  if (operation.method !== "POST") return undefined;
  // Cached, since every case of an operation uses it.
  return withoutTracking(() => createdResourceCache(api, operation, () => findCreatedResource(api, operation)));
}

/** The creations of all operations, as texts. */
export function createdResources(api: Api): readonly string[] {
  return api.operations.map((operation) => {
    const made = createdResource(api, operation);
    return made === undefined ? "" : `${made.resource.name}#${made.pointer}`;
  });
}

const createdResourceCache = memoizeByKey<Operation, CreatedResource | undefined>();

const inferredBy = memoize(
  (api) => new Map([...inferResources(api).creators].map(([path, { name }]) => [name, path] as const)),
);

function findCreatedResource(api: Api, operation: Operation): CreatedResource | undefined {
  const inferred = inferredBy(api).get(operation.name);
  const named = api.resources.find(({ name }) => name === inferred);
  if (named !== undefined) return named.delete === undefined ? undefined : { resource: named, pointer: "" };
  const [schema] = operation.responses
    .filter(({ status }) => status === 200 || status === 201)
    .flatMap((response) => findJsonContent(response.contents)?.schema ?? []);
  if (schema === undefined) return undefined;
  const made = placesOf(api, schema).flatMap(({ schema: each, pointer }): CreatedResource[] => {
    const names = new Set(schemaParts(api, each).flatMap(({ ref }) => ref ?? []));
    const resource = api.resources.find(({ name }) => names.has(name));
    const isCreated =
      resource !== undefined && (resource.delete !== undefined || isCollectionOf(api, resource, operation));
    return isCreated ? [{ resource, pointer }] : [];
  })[0];
  if (made === undefined) return undefined;
  // An action on an object responds with that object and creates nothing.
  const own = operation.parameters.findLast((each) => each.in === "path")?.reference?.to;
  const copies = /clone|copy|duplicate/i.test(operation.name);
  return own === made.resource.name && !copies ? undefined : made;
}

/** True for `POST /loans` if `/loans/{loanId}` or `listLoans` has the objects: it creates them even if nothing deletes them. */
function isCollectionOf(api: Api, { name, list }: Resource, { path }: Operation): boolean {
  return api.operations.some((each) => {
    if (each.name === list) return each.path === path;
    const own = each.parameters.findLast(({ in: place }) => place === "path");
    return own?.reference?.to === name && each.path.startsWith(`${path}/{${own.name}}`);
  });
}

/** The locations of a resource: a body, and its fields. */
function placesOf(api: Api, schema: Schema): readonly { readonly schema: Schema; readonly pointer: string }[] {
  const fields = schemaParts(api, schema).flatMap((part) => part.properties ?? []);
  return [{ schema, pointer: "" }, ...fields.map((field) => ({ schema: field.schema, pointer: `/${field.name}` }))];
}

function createsInfo(api: Api, { resource, pointer }: CreatedResource): NonNullable<OperationInfo["creates"]> {
  const remove = api.operations.find((each) => each.name === resource.delete) ?? endOf(api, resource);
  if (remove === undefined) return { resource: resource.name };
  const parameters = remove.parameters.filter((each) => each.in === "path");
  const own = parameters.at(-1);
  const path = Object.fromEntries(
    parameters.map((each) =>
      each === own
        ? ([each.name, { response: `${pointer}/${each.reference?.by ?? "id"}` }] as const)
        : ([each.name, { request: each.name }] as const),
    ),
  );
  const releases = releasesOf(api, resource, remove);
  return {
    resource: resource.name,
    deletedBy: { call: remove.name, path, ...(releases.length === 0 ? {} : { releasedBy: releases }) },
  };
}

/** The operations that lead from a state in which an object cannot be deleted to one in which it can. */
function releasesOf(api: Api, { name }: Resource, remove: Operation): readonly string[] {
  const parameters = pathParameters(remove);
  return api.stateMachines.flatMap(({ resource, states, transitions }) => {
    if (resource !== name) return [];
    const ends = transitions.filter(({ event }) => event.kind === "operation" && event.operation === remove.name);
    const free = new Set(ends.flatMap(({ from }) => from));
    if (ends.length === 0 || states.every((state) => free.has(state))) return [];
    return transitions.flatMap(({ event, from, to, then, subject, when }) => {
      const operation =
        event.kind === "operation" ? api.operations.find((each) => each.name === event.operation) : undefined;
      const isRelease = from.some((state) => !free.has(state)) && free.has(then.at(-1) ?? to);
      const isPlain = subject === undefined && when === undefined && operation?.requestBody?.required !== true;
      return operation !== undefined && isRelease && isPlain && pathParameters(operation) === parameters
        ? [operation.name]
        : [];
    });
  });
}

function pathParameters({ parameters }: Operation): string {
  return parameters.flatMap((each) => (each.in === "path" ? [each.name] : [])).join(" ");
}

/**
 * The operation that ends what nothing deletes, such as the return of a loan: it leaves the initial state, needs no body, and its state is final.
 */
export function endOf(api: Api, resource: Resource): Operation | undefined {
  if (resource.delete !== undefined) return undefined;
  return withoutTracking(() => endCache(api, resource, () => findEnd(api, resource)));
}

const endCache = memoizeByKey<Resource, Operation | undefined>();

function findEnd(api: Api, { name }: Resource): Operation | undefined {
  const stateMachine = api.stateMachines.find((each) => each.resource === name);
  if (stateMachine === undefined) return undefined;
  const starts = new Set(stateMachine.initial.map(({ to }) => to));
  const moves = stateMachine.transitions.flatMap(({ event, subject, from, to }) => {
    if (event.kind !== "operation" || subject !== undefined || !from.some((each) => starts.has(each))) return [];
    const isFinal = !stateMachine.transitions.some((each) => each.event.kind === "operation" && each.from.includes(to));
    const operation = api.operations.find((each) => each.name === event.operation);
    const own = operation?.parameters.findLast((each) => each.in === "path")?.reference?.to;
    return operation === undefined || own !== name || operation.requestBody?.required === true || !isFinal
      ? []
      : [operation];
  });
  return moves[0];
}

/** References in the body that create missing objects. */
function sideEffectsOf(api: Api, operation: Operation): readonly SideEffectInfo[] {
  const content = operation.requestBody && findJsonContent(operation.requestBody.contents);
  if (content === undefined) return [];
  const named = collectFields(api, content.schema).flatMap(({ pointer, schema }): SideEffectInfo[] => {
    const { reference } = schema;
    if (reference?.onNotFound !== "create") return [];
    const remove = deletionOf(api, reference);
    const at = pointer.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
    return remove === undefined ? [] : [{ resource: reference.to, pointer: at, deletedBy: remove }];
  });
  return [...new Map(named.map((each) => [each.pointer, each] as const)).values()];
}

/** The operation that deletes a referenced object, if it needs only the name. */
function deletionOf(api: Api, { to, by }: ResourceReference): SideEffectInfo["deletedBy"] | undefined {
  const resource = api.resources.find(({ name }) => name === to);
  const remove = api.operations.find(({ name }) => name === resource?.delete);
  const [own, ...others] = (remove?.parameters ?? []).filter((each) => each.in === "path");
  if (remove === undefined || own === undefined || others.length > 0) return undefined;
  return own.reference?.by === by ? { call: remove.name, parameter: own.name } : undefined;
}

/** True for a list of the account that needs no id. */
function isOwnList(resource: Resource, operation: Operation): boolean {
  const owned = resource.owner.length === 0 || resource.owner.includes("account") || resource.owner.includes("user");
  // Lists of objects that no operation deletes, such as events, only grow.
  return operation.path !== "" && !operation.path.includes("{") && owned && resource.delete !== undefined;
}

function parameterInfo(
  { name, in: place, segments, style, explode, mediaType }: Operation["parameters"][number],
  api: Api,
): ParameterInfo {
  return {
    name,
    in: place,
    segments,
    style,
    explode,
    ...nestedArraysOf(style, api),
    ...(mediaType === undefined ? {} : { mediaType }),
  };
}

function nestedArraysOf(style: string, { nestedArrays }: Api): Pick<ParameterInfo, "nestedArrays"> {
  const isOther = style === "deepObject" && nestedArrays !== undefined && nestedArrays !== "brackets";
  return isOther ? { nestedArrays } : {};
}

/** The fields of a form that have an encoding of their own. */
function formFieldInfos(operation: Operation, api: Api): readonly ParameterInfo[] {
  const content = operation.requestBody && preferredContent(operation.requestBody.contents);
  if (content === undefined || mediaKind(content.mediaType) !== "form") return [];
  return Object.entries(content.encoding).flatMap(([name, { style, explode }]): readonly ParameterInfo[] => {
    if (style === undefined && explode === undefined) return [];
    const written = style ?? "form";
    const repeats = explode ?? written === "form";
    return [{ name, in: "query", segments: 1, style: written, explode: repeats, ...nestedArraysOf(written, api) }];
  });
}

function responseInfos(response: OperationResponse): ResponseInfo {
  const json = findJsonContent(response.contents);
  return {
    requirements: requirementIds(response.sources),
    mediaTypes: response.contents.map(({ mediaType }) => mediaType),
    ...(json === undefined ? {} : { schema: jsonSchemaOf(json.schema) }),
    headers: Object.fromEntries(
      response.headers.map(
        (header) =>
          [
            header.name.toLowerCase(),
            {
              required: header.required,
              schema: jsonSchemaOf(header.schema),
              requirements: requirementIds(header.sources),
            },
          ] as const,
      ),
    ),
  };
}

export function requirementInfos(context: ConformanceContext): Record<string, RequirementInfo> {
  const { api, settings } = context;
  // Titles are long, so documents are referred to by number.
  const documents = [...new Set(api.requirements.map(({ document }) => document))];
  return Object.fromEntries(
    api.requirements.map(({ id, document, line, text, statedAt }) => {
      const untested = settings.untested?.[id];
      const facts = {
        document: String(documents.indexOf(document) + 1),
        line,
        text,
        locations: statedAt.map((place) => placeOf(context, place)),
        ...(untested === undefined ? {} : { untested }),
      };
      return [id, facts] as const;
    }),
  );
}

/** A location as file and line: `spec/instances/paths.yaml:41`. */
function placeOf({ options }: ConformanceContext, origin: SourceRef): string {
  const [file = ""] = options.source(origin).split("#");
  return `${file}:${options.locate(origin).line}`;
}
