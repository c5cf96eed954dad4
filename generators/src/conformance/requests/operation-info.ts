import type {
  CreationInfo,
  SideEffectInfo,
  OperationInfo,
  PaginationInfo,
  ParameterInfo,
  ResponseInfo,
  RequirementInfo,
  StreamInfo,
} from "@plumbline/conformance-runtime";
import {
  type Api,
  type MediaTypeObject,
  type Operation,
  type Schema,
  type ResourceReference,
  type OperationResponse,
  type Resource,
  mediaKind,
  preferredContent,
  findJsonContent,
  isItemStream,
  collectFields,
  schemaParts,
  memoize,
  type SourceRef,
  pickDefined,
} from "@plumbline/kit/model";
import { requirementIds, type ConformanceContext } from "../context/context.js";
import { operationErrorFormat } from "../context/error-formats.js";
import { credentialInfos } from "../context/security-schemes.js";
import { isOfTenant } from "../context/suite-callers.js";
import { jsonSchemaOf } from "../values/json-schema.js";
import { fileType } from "../values/uploads.js";
import {
  type CreatedResource,
  createdResource,
  endOf,
  operationsByName,
  resourcesByName,
  resourcesOfOperation,
} from "./created-resources.js";

/** The data that the runtime needs of each operation. */
export function operationInfos(context: ConformanceContext, api: Api): Record<string, OperationInfo> {
  const all = [...api.operations, ...api.operationsWithoutPath];
  return Object.fromEntries(all.map((operation) => [operation.name, operationInfo(context, api, operation)] as const));
}

function operationInfo(context: ConformanceContext, api: Api, operation: Operation): OperationInfo {
  const mediaType = operation.requestBody && preferredContent(operation.requestBody.contents)?.mediaType;
  const formFields = formFieldInfos(operation, api);
  const files = fileTypes(operation, api);
  const { list, deleted: removes, ended } = resourcesOfOperation(api, operation);
  const created = createdResource(api, operation);
  const names = sideEffectsOf(api, operation);
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
    mediaType,
    ...(formFields.length === 0 ? {} : { formFields }),
    ...(Object.keys(files).length === 0 ? {} : { files }),
    responses: Object.fromEntries(
      operation.responses.map((response) => [String(response.status), responseInfos(response)] as const),
    ),
    ...(created === undefined ? {} : { creates: createsInfo(api, created) }),
    ...(names.length === 0 ? {} : { sideEffects: names }),
    ...(rates.length === 0 ? {} : { rates }),
    ...(removes === undefined ? {} : { deletes: removes.name }),
    ...(ended === undefined ? {} : { ends: ended.name }),
    ...(list === undefined || !isOwnList(api, list, operation) ? {} : { lists: list.name }),
    ...pickDefined("pagination", paginationInfo(operation)),
    ...pickDefined("errorFormat", operationErrorFormat(api, operation)),
    ...(operation.security.length === 0 ? { public: true as const } : {}),
    ...pickDefined("credentials", credentialInfos(api, operation)),
  };
}

function paginationInfo({ pagination }: Operation): PaginationInfo | undefined {
  if (pagination === undefined) return undefined;
  const { page, envelope, next } = pagination;
  const place =
    next && (next.in === "header" ? `/headers/${next.name.toLowerCase()}` : `/body/${next.pointer.join("/")}`);
  return {
    page,
    ...pickDefined("items", envelope.items),
    ...pickDefined("pages", envelope.pages),
    ...pickDefined("next", place),
  };
}

/** The ids of rate limits that several operations have: servers count their requests together. */
const sharedRates = memoize((api) => {
  const [once, shared] = [new Set<string>(), new Set<string>()];
  for (const { id, kind } of api.operations.flatMap(({ limits }) => limits)) {
    if (kind !== "rate") continue;
    (once.has(id) ? shared : once).add(id);
  }
  return shared;
});

function createsInfo(api: Api, { resource, pointer }: CreatedResource): CreationInfo {
  const remove = operationsByName(api).get(resource.delete ?? "") ?? endOf(api, resource);
  if (remove === undefined) return { resource: resource.name };
  const parameters = remove.parameters.filter((each) => each.in === "path");
  const pathParameter = parameters.at(-1);
  const path = Object.fromEntries(
    parameters.map((each) =>
      each === pathParameter
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
      const operation = event.kind === "operation" ? operationsByName(api).get(event.operation) : undefined;
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

/** References in the body that create missing objects. */
function sideEffectsOf(api: Api, operation: Operation): readonly SideEffectInfo[] {
  const content = operation.requestBody && findJsonContent(operation.requestBody.contents);
  if (content === undefined) return [];
  const sideEffects = collectFields(api, content.schema).flatMap(({ pointer, schema }): SideEffectInfo[] => {
    const { reference } = schema;
    if (reference?.onNotFound !== "create") return [];
    const remove = deletionOf(api, reference);
    const at = pointer.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
    return remove === undefined ? [] : [{ resource: reference.to, pointer: at, deletedBy: remove }];
  });
  return [...new Map(sideEffects.map((each) => [each.pointer, each] as const)).values()];
}

/** The operation that deletes a referenced object, if it needs only the name. */
function deletionOf(api: Api, { to, by }: ResourceReference): SideEffectInfo["deletedBy"] | undefined {
  const remove = operationsByName(api).get(resourcesByName(api).get(to)?.delete ?? "");
  const [pathParameter, ...others] = (remove?.parameters ?? []).filter((each) => each.in === "path");
  if (remove === undefined || pathParameter === undefined || others.length > 0) return undefined;
  return pathParameter.reference?.by === by ? { call: remove.name, parameter: pathParameter.name } : undefined;
}

/** True for a list of the account that needs no id. */
function isOwnList(api: Api, resource: Resource, operation: Operation): boolean {
  const owned = resource.owner.length === 0 || isOfTenant(api, resource) || resource.owner.includes("user");
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

/** The media types of the files in a multipart body, by field. */
function fileTypes(operation: Operation, api: Api): Readonly<Record<string, string>> {
  const content = operation.requestBody && preferredContent(operation.requestBody.contents);
  if (content === undefined || mediaKind(content.mediaType) !== "multipart") return {};
  const properties = schemaParts(api, content.schema).flatMap((part) => part.properties ?? []);
  return Object.fromEntries(
    properties.flatMap(({ name, schema }) => {
      const type = fileType(api, content, { name, schema });
      return type === undefined ? [] : [[name, type] as const];
    }),
  );
}

function responseInfos(response: OperationResponse): ResponseInfo {
  const json = findJsonContent(response.contents);
  const stream = json === undefined ? response.contents.find(isItemStream) : undefined;
  return {
    requirements: requirementIds(response.sources),
    mediaTypes: response.contents.map(({ mediaType }) => mediaType),
    ...(json === undefined ? {} : { schema: jsonSchemaOf(json.schema) }),
    ...(stream?.itemSchema === undefined ? {} : { items: streamInfo(stream, stream.itemSchema) }),
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

function streamInfo({ mediaType, itemData }: MediaTypeObject, schema: Schema): StreamInfo {
  return { mediaType, schema: jsonSchemaOf(schema), ...(itemData === "json" ? { hasJsonData: true } : {}) };
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
        untested,
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
