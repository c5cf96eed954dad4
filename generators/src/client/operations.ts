import { byAreaFile } from "../emit/areas.js";
import type { TextFile } from "../emit/files.js";
import { code, comment, imported, join, key, literal, name, print, typeImported, type Code } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import type { Api, Content, Operation, Parameter, ParameterPlace, Shape } from "../model/api.js";
import { describeShape } from "../types/describe.js";
import { TypePrinter } from "../types/print.js";
import { banner } from "../emit/banner.js";
import { documentation } from "./documentation.js";
import { chosenContent, mediaKind } from "../model/media.js";
import { emitPagination } from "./pagination.js";
import { emitUploads } from "./uploads.js";
import { emitIndex } from "./exports.js";
import { emitFilters, filterType } from "./filters.js";
import { failureName, argumentsName } from "./names.js";
import { shapesOf } from "../model/shapes-by-name.js";
import { replyDecoder, resultType } from "./replies.js";
import { runtime } from "./runtime.js";
import { carriesSecurity, emitClient, shownSchemes } from "./security.js";

/** Emits `operations/AREA.ts` (a function for each operation), `client.ts` (creates the client) and `index.ts` (exports everything). */
export function emitOperations(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const printer = new TypePrinter(api);
  const files = byAreaFile(api.operations);
  const areas = [...files].map(([file, operations]) => {
    const statements = operations.flatMap((operation) => emitOperation(operation, { api, printer, options }));
    const own = operations.map((operation) => operation.name);
    return { path: `src/gen/operations/${file}.ts`, text: print(statements, banner, own) };
  });
  return [
    ...areas,
    emitClient(api),
    ...emitFilters(api),
    ...emitPagination(api),
    ...emitUploads(api, options),
    emitIndex(api, [...files.keys()]),
  ];
}

interface Surroundings {
  readonly api: Api;
  readonly printer: TypePrinter;
  readonly options: ArtifactOptions;
}

function emitOperation(operation: Operation, around: Surroundings): readonly Code[] {
  const request = name(argumentsName(operation));
  const client = typeImported("Client", runtime);
  const callOptions = typeImported("CallOptions", runtime);
  const pending = typeImported("Pending", runtime);
  const failure = typeImported(failureName(operation), "../errors.js");
  const given = needsRequest(operation) ? code`request: ${request}` : code`request: ${request} = {}`;
  return [
    requestType(operation, around),
    code`${comment(documentation(operation, around.api, around.options))}
export function ${name(operation.name)}(client: ${client}, ${given}, options?: ${callOptions}): ${pending}<${resultType(operation, around.printer)}, ${failure}> {
  return ${imported("call", runtime)}(client, ${operationData(operation, around.api)}, request, options);
}`,
  ];
}

// Request types

const groups = { path: "path", query: "query", header: "headers", cookie: "cookies" } satisfies Record<
  ParameterPlace,
  string
>;

function requestType(operation: Operation, { api, printer }: Surroundings): Code {
  const members = parameterGroups(operation).map(([place, parameters]) => {
    const fields = parameters.map((parameter) =>
      parameterField(parameter, printer, filterType(api, operation, parameter)),
    );
    const isRequired = parameters.some((parameter) => parameter.required);
    if (isRequired) return code`readonly ${key(groups[place])}: {\n${fields}\n};`;
    return code`readonly ${key(groups[place])}?: {\n${fields}\n};`;
  });
  const body = bodyMember(operation, printer);
  const all = body === undefined ? members : [...members, body];
  const about = code`/** The request of \`${name(operation.name)}\`. */`;
  if (all.length === 0)
    return code`${about}\nexport type ${name(argumentsName(operation))} = Readonly<Record<string, never>>;`;
  return code`${about}\nexport interface ${name(argumentsName(operation))} {\n${all}\n}`;
}

function parameterGroups(operation: Operation): readonly (readonly [ParameterPlace, readonly Parameter[]])[] {
  return (["path", "query", "header", "cookie"] as const)
    .map((place) => [place, operation.parameters.filter((parameter) => parameter.in === place)] as const)
    .filter(([, parameters]) => parameters.length > 0);
}

function parameterField(parameter: Parameter, printer: TypePrinter, filter: Code | undefined): Code {
  const { description, title: _title, ...rest } = parameter.shape;
  const about = parameter.description ?? description;
  const lines = describeShape({
    ...rest,
    ...(about === undefined ? {} : { description: about }),
    ...(parameter.deprecated ? { deprecated: true } : {}),
  });
  const type = filter ?? printer.type(parameter.shape, "../types.js");
  return code`${comment(lines)}\nreadonly ${key(parameter.name)}${parameter.required ? code`: ${type}` : code`?: ${type} | undefined`};`;
}

function bodyMember(operation: Operation, printer: TypePrinter): Code | undefined {
  const { body } = operation;
  const content = body && chosenContent(body.contents);
  if (body === undefined || content === undefined) return undefined;
  const about = body.description === undefined ? code`` : code`${comment(body.description.split("\n"))}\n`;
  const kind = mediaKind(content.mediaType);
  const type =
    kind === "text"
      ? code`string`
      : kind === "binary"
        ? typeImported("RawBody", runtime)
        : printer.type(content.shape, "../types.js", kind === "multipart" ? ["Blob"] : ["string"]);
  return code`${about}readonly body${body.required ? code`: ${type}` : code`?: ${type} | undefined`};`;
}

/** True if every valid call has a request. */
export function needsRequest(operation: Operation): boolean {
  return operation.parameters.some((parameter) => parameter.required) || operation.body?.required === true;
}

// Operation data for the runtime

function operationData(operation: Operation, api: Api): Code {
  const security = carriesSecurity(api) && operation.security.length > 0;
  const write = [
    ...(["query", "header", "cookie"] as const).flatMap((place) => writer(operation, place, api)),
    ...bodyEncoder(operation),
  ];
  const entries = [
    code`method: ${literal(operation.method)}`,
    code`path: ${literal(operation.path)}`,
    ...segmentEncoder(operation, api),
    ...(write.length > 0 ? [code`write: [${join(write, code`, `)}]`] : []),
    ...replyDecoder(operation),
    ...(isPublic(operation) ? [code`public: true`] : []),
    ...(security ? [code`security: ${literal(shownSchemes(operation, api))}`] : []),
  ];
  return code`{ ${join(entries, code`, `)} }`;
}

export function isPublic(operation: Operation): boolean {
  return operation.security.every((alternative) => alternative.length === 0);
}

const writers = { query: "inQuery", header: "inHeaders", cookie: "inCookies" } as const;

/** Emits the function that encodes the parameters of one location. */
function writer(operation: Operation, place: "query" | "header" | "cookie", api: Api): readonly Code[] {
  if (!operation.parameters.some((parameter) => parameter.in === place)) return [];
  const special = encoders(operation, place, api);
  if (special.length === 0) return [imported(writers[place], runtime)];
  return [code`${imported(`${writers[place]}With`, runtime)}({ ${join(special, code`, `)} })`];
}

function segmentEncoder(operation: Operation, api: Api): readonly Code[] {
  const special = encoders(operation, "path", api);
  if (special.length === 0) return [];
  return [code`segment: ${imported("segmentsWith", runtime)}({ ${join(special, code`, `)} })`];
}

function encoders(operation: Operation, place: ParameterPlace, api: Api): readonly Code[] {
  return operation.parameters.flatMap((parameter) => {
    const encoder = parameter.in === place ? parameterEncoder(parameter, api) : undefined;
    return encoder === undefined ? [] : [code`${key(parameter.name)}: ${imported(encoder, runtime)}`];
  });
}

function parameterEncoder(parameter: Parameter, api: Api): string | undefined {
  const encoder = encoderOf(parameter, has(parameter.shape, "object", api));
  if (encoder !== undefined || parameter.in !== "path") return encoder;
  if (parameter.segments > 1) return "severalSegments";
  return has(parameter.shape, "array", api) ? "simple" : undefined;
}

type Written = Pick<Parameter, "in" | "style" | "explode" | "allowReserved" | "mediaType">;

/** Returns the runtime's encoder for a parameter that does not use the default style of its location. */
function encoderOf(
  { in: place, style, explode, allowReserved, mediaType }: Written,
  hasFields: boolean,
): string | undefined {
  switch (style) {
    case "content":
      if (mediaKind(mediaType ?? "") !== "json") return undefined;
      return place === "header" ? "jsonHeader" : "asJson";
    case "simple":
      if (!hasFields) return undefined;
      if (place === "header") return explode ? "objectHeaderExploded" : "objectHeader";
      return explode ? "simpleExploded" : "simple";
    case "form":
      return explode ? (allowReserved && place === "query" ? "reserved" : undefined) : "csv";
    case "spaceDelimited":
    case "pipeDelimited":
      return explode ? undefined : style;
    case "deepObject":
      return style;
    case "label":
      return explode ? "labelExploded" : style;
    case "matrix":
      return explode ? "matrixExploded" : style;
  }
}

/** True if the schema allows objects, or arrays. `seen` holds the visited named schemas, since a schema may contain itself. */
function has(shape: Shape, type: "object" | "array", api: Api, seen: Set<string> = new Set()): boolean {
  const { ref } = shape;
  if (ref !== undefined && !seen.has(ref)) {
    seen.add(ref);
    const named = shapesOf(api).get(ref);
    if (named !== undefined && has(named, type, api, seen)) return true;
  }
  return (
    shape.types.includes(type) ||
    (type === "object" && shape.properties !== undefined) ||
    [...(shape.allOf ?? []), ...(type === "array" ? [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])] : [])].some(
      (each) => has(each, type, api, seen),
    )
  );
}

function bodyEncoder(operation: Operation): readonly Code[] {
  const content = operation.body && chosenContent(operation.body.contents);
  if (content === undefined) return [];
  switch (mediaKind(content.mediaType)) {
    case "json":
      return /^application\/json$|\*/.test(content.mediaType)
        ? [imported("jsonBody", runtime)]
        : [code`${imported("jsonAs", runtime)}(${literal(content.mediaType)})`];
    case "form":
      return [formEncoder(content)];
    case "multipart":
      return [imported("multipart", runtime)];
    case "text":
    case "binary":
      return [code`${imported("raw", runtime)}(${literal(content.mediaType)})`];
  }
}

/** Emits the encoder of a form, with special encoders for fields that have an encoding. */
function formEncoder(content: Content): Code {
  const special = Object.entries(content.encoding).flatMap(([field, { style, explode }]) => {
    if (style === undefined && explode === undefined) return [];
    const written = {
      in: "query",
      style: style ?? "form",
      explode: explode ?? (style ?? "form") === "form",
      allowReserved: false,
    } as const;
    const encoder = encoderOf(written, false) ?? "form";
    return [code`${key(field)}: ${imported(encoder, runtime)}`];
  });
  if (special.length === 0) return imported("urlEncoded", runtime);
  return code`${imported("urlEncodedWith", runtime)}({ ${join(special, code`, `)} })`;
}
