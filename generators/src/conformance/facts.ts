import type { OperationFacts, ParameterFacts, ReplyFacts, RequirementFacts } from "@plumbline/conformance-runtime";
import type { Api, Operation, Reply, Resource } from "../model/api.js";
import { chosenContent, jsonContent } from "../model/media.js";
import { partsOf } from "../model/fields.js";
import { requirementsOf, type Context } from "./context.js";
import { jsonSchemaOf } from "./json-schema.js";

/** What the runtime has to know of each operation. */
export function operationFacts(context: Context, api: Api): Record<string, OperationFacts> {
  const all = [...api.operations, ...api.linked];
  return Object.fromEntries(all.map((operation) => [operation.name, factsOf(context, api, operation)] as const));
}

function factsOf(context: Context, api: Api, operation: Operation): OperationFacts {
  const mediaType = operation.body && chosenContent(operation.body.contents)?.mediaType;
  const list = api.resources.find((resource) => resource.list === operation.name);
  const removes = api.resources.find((resource) => resource.delete === operation.name);
  const made = madeBy(api, operation);
  return {
    method: operation.method,
    path: operation.path,
    area: operation.area,
    place: context.options.source(operation.origin),
    parameters: operation.parameters.map(parameterFacts),
    ...(mediaType === undefined ? {} : { mediaType }),
    replies: Object.fromEntries(operation.replies.map((reply) => [String(reply.status), replyFacts(reply)] as const)),
    ...(made === undefined ? {} : { makes: makesOf(api, made) }),
    ...(removes === undefined ? {} : { removes: removes.name }),
    ...(list === undefined || !isOwnList(list, operation) ? {} : { lists: list.name }),
    ...(operation.security.length === 0 ? { public: true as const } : {}),
  };
}

/** The resource that a success of an operation makes and answers with: a POST to where it is listed, or whose reply is one. */
export function madeBy(api: Api, operation: Operation): Resource | undefined {
  if (operation.method !== "POST") return undefined;
  const [shape] = operation.replies
    .filter(({ status }) => status === 200 || status === 201)
    .flatMap((reply) => jsonContent(reply.contents)?.shape ?? []);
  if (shape === undefined) return undefined;
  const named = new Set(partsOf(api, shape).flatMap(({ ref }) => ref ?? []));
  const resource = api.resources.find(({ name }) => named.has(name));
  if (resource === undefined || resource.delete === undefined) return undefined;
  // An action on an object answers with that object, and makes nothing.
  const own = operation.parameters.filter((each) => each.in === "path").at(-1)?.reference?.to;
  const copies = /clone|copy|duplicate/i.test(operation.name);
  return own === resource.name && !copies ? undefined : resource;
}

function makesOf(api: Api, resource: Resource): NonNullable<OperationFacts["makes"]> {
  const remove = api.operations.find((each) => each.name === resource.delete);
  if (remove === undefined) return { resource: resource.name };
  const parameters = remove.parameters.filter((each) => each.in === "path");
  const own = parameters.at(-1);
  const path = Object.fromEntries(
    parameters.map((each) =>
      each === own
        ? ([each.name, { reply: `/${each.reference?.by ?? "id"}` }] as const)
        : ([each.name, { request: each.name }] as const),
    ),
  );
  return { resource: resource.name, remove: { call: remove.name, path } };
}

/** A list of the account's that nobody's id has to be known for. */
function isOwnList(resource: Resource, operation: Operation): boolean {
  const isAccounts = resource.owner.includes("account") && resource.name !== "Event";
  return operation.path !== "" && !operation.path.includes("{") && (isAccounts || resource.owner.includes("user"));
}

function parameterFacts({
  name,
  in: place,
  segments,
  style,
  explode,
  mediaType,
}: Operation["parameters"][number]): ParameterFacts {
  return { name, in: place, segments, style, explode, ...(mediaType === undefined ? {} : { mediaType }) };
}

function replyFacts(reply: Reply): ReplyFacts {
  const json = jsonContent(reply.contents);
  return {
    requirements: requirementsOf(reply.sources),
    mediaTypes: reply.contents.map(({ mediaType }) => mediaType),
    ...(json === undefined ? {} : { schema: jsonSchemaOf(json.shape) }),
    headers: Object.fromEntries(
      reply.headers.map(
        (header) =>
          [
            header.name.toLowerCase(),
            {
              required: header.required,
              schema: jsonSchemaOf(header.shape),
              requirements: requirementsOf(header.sources),
            },
          ] as const,
      ),
    ),
  };
}

export function requirementFacts({ api, options, settings }: Context): Record<string, RequirementFacts> {
  return Object.fromEntries(
    api.requirements.map(({ id, document, line, says, statedAt }) => {
      const untested = settings.untested?.[id];
      const places = statedAt.map((place) => options.source(place));
      return [id, { document, line, says, places, ...(untested === undefined ? {} : { untested }) }] as const;
    }),
  );
}
