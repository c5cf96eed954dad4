import type { Json } from "../../model/index.js";
import { code, type Code } from "../printer.js";
import type { Place, TypesContext } from "./context.js";
import {
  asList,
  asObject,
  entriesOf,
  joinPointer,
  referenceOf,
  resolvePart,
  textOf,
  type JsonObject,
} from "./document.js";
import { elementType, never, objectType, property, unknown } from "./properties.js";
import { referenceType } from "./references.js";
import { schemaType } from "./schemas.js";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
const parameterPlaces = ["query", "header", "path", "cookie"] as const;

/** The type of a path: its parameters, and its operations. */
export function pathItemType(item: Json, place: Place): Code {
  const reference = referenceOf(item);
  if (reference !== undefined) return referenceType(reference);
  const part = asObject(item) ?? {};
  const shared = asList(part["parameters"]);
  return objectType([
    parametersProperty(shared, { ...place, pointer: joinPointer(place.pointer, "parameters") }),
    ...methods.map((method) => {
      const operation = asObject(part[method]);
      if (operation === undefined) return member(method, never, place, { isOptional: true });
      return member(method, operationReference(operation, shared, at(place, method)), place, { about: operation });
    }),
  ]);
}

function operationReference(operation: JsonObject, shared: readonly Json[], place: Place): Code {
  const { context } = place;
  const type = operationType({ ...operation, parameters: mergeParameters(operation, shared, context) }, place);
  const id = textOf(operation["operationId"]);
  // A second operation with the same id has no entry.
  if (id === undefined || context.operations.has(id)) return type;
  context.operations.set(id, type);
  return elementType(code`operations`, id);
}

/** The parameters of an operation override those of its path. */
function mergeParameters(operation: JsonObject, shared: readonly Json[], { document }: TypesContext): readonly Json[] {
  const merged = new Map<string, Json>();
  for (const each of [...shared, ...asList(operation["parameters"])]) {
    const part = resolvePart(document, each);
    merged.set(`${textOf(part?.["in"])} ${textOf(part?.["name"])}`, each);
  }
  return [...merged.values()];
}

function operationType(operation: JsonObject, place: Place): Code {
  const { context } = place;
  const { requestBody } = operation;
  const isRequired = resolvePart(context.document, requestBody)?.["required"] === true;
  return objectType([
    parametersProperty(asList(operation["parameters"]), place),
    requestBody === undefined || requestBody === null
      ? member("requestBody", never, place, { isOptional: true })
      : member("requestBody", requestBodyType(requestBody, at(place, "requestBody")), place, {
          isOptional: !isRequired,
          about: requestBody,
        }),
    member("responses", responsesType(operation["responses"], place), place),
  ]);
}

function parametersProperty(parameters: readonly Json[], place: Place): Code {
  const { context, pointer } = place;
  const all = parameters.map((original) => ({ original, part: resolvePart(context.document, original) ?? {} }));
  const groups = parameterPlaces.map((where) => {
    const members = all.flatMap(({ original, part }) => {
      const name = textOf(part["name"]);
      if (part["in"] !== where || name === undefined) return [];
      const reference = referenceOf(original);
      const isOptional = where !== "path" && part["required"] !== true;
      const parameterPlace = { context, pointer: joinPointer(pointer, "parameters", where, name) };
      const type = reference === undefined ? parameterType(part, parameterPlace) : referenceType(reference, part);
      // A named parameter has its comment in `components`.
      const about = reference === undefined ? { about: part } : {};
      return [{ isOptional, printed: member(name, type, place, { isOptional, ...about }) }];
    });
    const type = members.length === 0 ? never : objectType(members.map(({ printed }) => printed));
    return member(where, type, place, { isOptional: members.every(({ isOptional }) => isOptional) });
  });
  return member("parameters", objectType(groups), place);
}

export function parameterType(parameter: Json, place: Place): Code {
  const schema = asObject(parameter)?.["schema"];
  return schema === undefined || schema === null ? code`string` : schemaType(schema, place);
}

export function requestBodyType(body: Json, place: Place): Code {
  const reference = referenceOf(body);
  if (reference !== undefined) return referenceType(reference);
  const members = mediaTypes(asObject(body)?.["content"], place);
  const content = members.length > 0 ? members : [property("*/*", never, { isOptional: true })];
  return objectType([member("content", objectType(content), place)]);
}

function mediaTypes(content: Json | undefined, place: Place): readonly Code[] {
  return entriesOf(content).map(([mediaType, each]) => {
    const reference = referenceOf(each);
    const schema = asObject(each)?.["schema"];
    const type =
      reference !== undefined
        ? referenceType(reference)
        : schema === undefined || schema === null
          ? unknown
          : schemaType(schema, at(at(place, "content"), mediaType));
    return member(mediaType, type, place, { about: each });
  });
}

function responsesType(responses: Json | undefined, place: Place): Code {
  const members = entriesOf(responses).map(([status, each]) =>
    member(status, responseType(each, at(at(place, "responses"), status)), place, { about: each }),
  );
  return members.length === 0 ? never : objectType(members);
}

export function responseType(response: Json, place: Place): Code {
  const reference = referenceOf(response);
  if (reference !== undefined) return referenceType(reference);
  const part = asObject(response) ?? {};
  const headers = entriesOf(part["headers"]).map(([name, each]) => {
    const target = referenceOf(each);
    const isOptional = target === undefined && asObject(each)?.["required"] !== true;
    const type = target === undefined ? headerType(each, at(at(place, "headers"), name)) : referenceType(target);
    return member(name, type, place, { isOptional, about: each });
  });
  const others =
    place.context.options.readonly === true ? code`readonly [name: string]: unknown;` : code`[name: string]: unknown;`;
  const content = mediaTypes(part["content"], place);
  return objectType([
    property("headers", objectType([...headers, others])),
    content.length === 0 ? property("content", never, { isOptional: true }) : property("content", objectType(content)),
  ]);
}

export function headerType(header: Json, place: Place): Code {
  const part = asObject(header) ?? {};
  if (part["schema"] !== undefined && part["schema"] !== null) return schemaType(part["schema"], place);
  return part["content"] === undefined ? unknown : objectType(mediaTypes(part["content"], place));
}

function at(place: Place, segment: string): Place {
  return { ...place, pointer: joinPointer(place.pointer, segment) };
}

function member(
  name: string,
  type: Code,
  { context }: Place,
  options: { readonly isOptional?: boolean; readonly about?: Json } = {},
): Code {
  return property(name, type, { ...options, isReadonly: context.options.readonly === true });
}
