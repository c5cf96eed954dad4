import type {
  NamedFacts,
  OperationFacts,
  ParameterFacts,
  ReplyFacts,
  RequirementFacts,
} from "@plumbline/conformance-runtime";
import type { Api, Operation, Reference, Reply, Resource, Shape } from "../model/api.js";
import { chosenContent, jsonContent } from "../model/media.js";
import { fieldsOf, partsOf } from "../model/fields.js";
import { once, onceEach } from "../model/once.js";
import { unrecorded } from "../model/reads.js";
import type { Origin } from "../problem.js";
import { given } from "../model/data.js";
import { requirementsOf, type Context } from "./context.js";
import { inferredOf } from "./inferred.js";
import { jsonSchemaOf } from "./json-schema.js";
import { credentialFacts } from "./schemes.js";

/** The data that the runtime needs of each operation. */
export function operationFacts(context: Context, api: Api): Record<string, OperationFacts> {
  const all = [...api.operations, ...api.linked];
  return Object.fromEntries(all.map((operation) => [operation.name, factsOf(context, api, operation)] as const));
}

function factsOf(context: Context, api: Api, operation: Operation): OperationFacts {
  const mediaType = operation.body && chosenContent(operation.body.contents)?.mediaType;
  const list = api.resources.find((resource) => resource.list === operation.name);
  const removes = api.resources.find((resource) => resource.delete === operation.name);
  const made = madeBy(api, operation);
  const names = namedBy(api, operation);
  const rates = operation.limits.flatMap(({ kind, max, window }) =>
    kind !== "rate" || max === undefined || window === undefined ? [] : [{ max, seconds: window.seconds }],
  );
  return {
    method: operation.method,
    path: operation.path,
    area: operation.area,
    place: placeOf(context, operation.origin),
    parameters: operation.parameters.map(parameterFacts),
    ...(mediaType === undefined ? {} : { mediaType }),
    replies: Object.fromEntries(operation.replies.map((reply) => [String(reply.status), replyFacts(reply)] as const)),
    ...(made === undefined ? {} : { makes: makesOf(api, made) }),
    ...(names.length === 0 ? {} : { names }),
    ...(rates.length === 0 ? {} : { rates }),
    ...(removes === undefined ? {} : { removes: removes.name }),
    ...(list === undefined || !isOwnList(list, operation) ? {} : { lists: list.name }),
    ...(operation.security.length === 0 ? { public: true as const } : {}),
    ...given("credentials", credentialFacts(api, operation)),
  };
}

/** The resource that an operation creates, and its location in the response. */
export interface Made {
  readonly resource: Resource;
  /** A JSON pointer into the body: empty for the body itself. */
  readonly at: string;
}

/**
 * The resource that a POST creates: its response, or a field of the response that can be deleted. Callers do not record a dependency on the
 * response's schema.
 */
export function madeBy(api: Api, operation: Operation): Made | undefined {
  if (operation.method !== "POST") return undefined;
  // Cached, since every case of an operation uses it.
  return unrecorded(() => knownMade(api, operation, () => findMade(api, operation)));
}

/** The creations of all operations, as texts. */
export function allMade(api: Api): readonly string[] {
  return api.operations.map((operation) => {
    const made = madeBy(api, operation);
    return made === undefined ? "" : `${made.resource.name}#${made.at}`;
  });
}

const knownMade = onceEach<Operation, Made | undefined>();

const inferredBy = once(
  (api) => new Map([...inferredOf(api).creates].map(([path, { name }]) => [name, path] as const)),
);

function findMade(api: Api, operation: Operation): Made | undefined {
  const inferred = inferredBy(api).get(operation.name);
  const named = api.resources.find(({ name }) => name === inferred);
  if (named !== undefined) return named.delete === undefined ? undefined : { resource: named, at: "" };
  const [shape] = operation.replies
    .filter(({ status }) => status === 200 || status === 201)
    .flatMap((reply) => jsonContent(reply.contents)?.shape ?? []);
  if (shape === undefined) return undefined;
  const made = placesOf(api, shape).flatMap(({ shape: each, at }): Made[] => {
    const names = new Set(partsOf(api, each).flatMap(({ ref }) => ref ?? []));
    const resource = api.resources.find(({ name }) => names.has(name));
    return resource?.delete === undefined ? [] : [{ resource, at }];
  })[0];
  if (made === undefined) return undefined;
  // An action on an object responds with that object and creates nothing.
  const own = operation.parameters.findLast((each) => each.in === "path")?.reference?.to;
  const copies = /clone|copy|duplicate/i.test(operation.name);
  return own === made.resource.name && !copies ? undefined : made;
}

/** The locations of a resource: a body, and its fields. */
function placesOf(api: Api, shape: Shape): readonly { readonly shape: Shape; readonly at: string }[] {
  const fields = partsOf(api, shape).flatMap((part) => part.properties ?? []);
  return [{ shape, at: "" }, ...fields.map((field) => ({ shape: field.shape, at: `/${field.name}` }))];
}

function makesOf(api: Api, { resource, at }: Made): NonNullable<OperationFacts["makes"]> {
  const remove = api.operations.find((each) => each.name === resource.delete);
  if (remove === undefined) return { resource: resource.name };
  const parameters = remove.parameters.filter((each) => each.in === "path");
  const own = parameters.at(-1);
  const path = Object.fromEntries(
    parameters.map((each) =>
      each === own
        ? ([each.name, { reply: `${at}/${each.reference?.by ?? "id"}` }] as const)
        : ([each.name, { request: each.name }] as const),
    ),
  );
  return { resource: resource.name, remove: { call: remove.name, path } };
}

/** References in the body that create missing objects. */
function namedBy(api: Api, operation: Operation): readonly NamedFacts[] {
  const content = operation.body && jsonContent(operation.body.contents);
  if (content === undefined) return [];
  const named = fieldsOf(api, content.shape).flatMap(({ pointer, shape }): NamedFacts[] => {
    const { reference } = shape;
    if (reference?.missing !== "create") return [];
    const remove = removalOf(api, reference);
    const at = pointer.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
    return remove === undefined ? [] : [{ resource: reference.to, at, remove }];
  });
  return [...new Map(named.map((each) => [each.at, each] as const)).values()];
}

/** The operation that deletes a referenced object, if it needs only the name. */
function removalOf(api: Api, { to, by }: Reference): NamedFacts["remove"] | undefined {
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

export function requirementFacts(context: Context): Record<string, RequirementFacts> {
  const { api, settings } = context;
  // Titles are long, so documents are referred to by number.
  const documents = [...new Set(api.requirements.map(({ document }) => document))];
  return Object.fromEntries(
    api.requirements.map(({ id, document, line, says, statedAt }) => {
      const untested = settings.untested?.[id];
      const facts = {
        document: String(documents.indexOf(document) + 1),
        line,
        says,
        places: statedAt.map((place) => placeOf(context, place)),
        ...(untested === undefined ? {} : { untested }),
      };
      return [id, facts] as const;
    }),
  );
}

/** A location as file and line: `spec/instances/paths.yaml:41`. */
function placeOf({ options }: Context, origin: Origin): string {
  const [file = ""] = options.source(origin).split("#");
  return `${file}:${options.locate(origin).line}`;
}
