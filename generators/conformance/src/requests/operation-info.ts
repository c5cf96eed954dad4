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
  const list = api.resources.find((resource) => resource.list === operation.name);
  const removes = api.resources.find((resource) => resource.delete === operation.name);
  const made = createdResource(api, operation);
  const names = sideEffectsOf(api, operation);
  const rates = operation.limits.flatMap(({ kind, max, window }) =>
    kind !== "rate" || max === undefined || window === undefined ? [] : [{ max, seconds: window.seconds }],
  );
  return {
    method: operation.method,
    path: operation.path,
    tag: operation.tag,
    location: placeOf(context, operation.origin),
    parameters: operation.parameters.map(parameterInfo),
    ...(mediaType === undefined ? {} : { mediaType }),
    responses: Object.fromEntries(
      operation.responses.map((response) => [String(response.status), responseInfos(response)] as const),
    ),
    ...(made === undefined ? {} : { creates: createsInfo(api, made) }),
    ...(names.length === 0 ? {} : { sideEffects: names }),
    ...(rates.length === 0 ? {} : { rates }),
    ...(removes === undefined ? {} : { deletes: removes.name }),
    ...(list === undefined || !isOwnList(list, operation) ? {} : { lists: list.name }),
    ...(operation.security.length === 0 ? { public: true as const } : {}),
    ...pickDefined("credentials", credentialInfos(api, operation)),
  };
}

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
    return resource?.delete === undefined ? [] : [{ resource, pointer }];
  })[0];
  if (made === undefined) return undefined;
  // An action on an object responds with that object and creates nothing.
  const own = operation.parameters.findLast((each) => each.in === "path")?.reference?.to;
  const copies = /clone|copy|duplicate/i.test(operation.name);
  return own === made.resource.name && !copies ? undefined : made;
}

/** The locations of a resource: a body, and its fields. */
function placesOf(api: Api, schema: Schema): readonly { readonly schema: Schema; readonly pointer: string }[] {
  const fields = schemaParts(api, schema).flatMap((part) => part.properties ?? []);
  return [{ schema, pointer: "" }, ...fields.map((field) => ({ schema: field.schema, pointer: `/${field.name}` }))];
}

function createsInfo(api: Api, { resource, pointer }: CreatedResource): NonNullable<OperationInfo["creates"]> {
  const remove = api.operations.find((each) => each.name === resource.delete);
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
  return { resource: resource.name, deletedBy: { call: remove.name, path } };
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

function parameterInfo({
  name,
  in: place,
  segments,
  style,
  explode,
  mediaType,
}: Operation["parameters"][number]): ParameterInfo {
  return { name, in: place, segments, style, explode, ...(mediaType === undefined ? {} : { mediaType }) };
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
