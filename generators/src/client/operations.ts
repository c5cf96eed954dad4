import {
  groupByOperationFile,
  type TextFile,
  code,
  renderCode,
  docComment,
  importValue,
  joinCode,
  propertyKey,
  jsonLiteral,
  identifier,
  printSourceFile,
  importType,
  type Code,
  type ArtifactOptions,
  describeSchema,
  TypePrinter,
} from "@plumbline/kit/codegen";
import {
  type Api,
  type MediaTypeObject,
  type Operation,
  type Parameter,
  type ParameterLocation,
  mediaKind,
} from "@plumbline/kit/model";
import { chosenContents, specialParts, withParts } from "./contents.js";
import { describeOperation } from "./documentation.js";
import { emitClientIndex } from "./exports.js";
import { emitFilters, listFilterType } from "./filters.js";
import { errorTypeName, requestTypeName, successTypeName } from "./names.js";
import { emitPagination } from "./pagination.js";
import {
  encodedLocations,
  emitParameterEncoder,
  emitPathEncoder,
  emitSharedEncoders,
  encoderOf,
} from "./parameters.js";
import { emitAccept, emitResponseDecoder, resultType } from "./responses.js";
import { clientRuntime, pureCall } from "./runtime.js";
import {
  callOptionsType,
  needsSecurityNames,
  requiresCredentials,
  emitCreateClient,
  requestSchemes,
} from "./security.js";
import { emitUploads } from "./uploads.js";
import { convertedBodyEncoder } from "./values/converted-bodies.js";
import { convertedErrors } from "./values/converted-errors.js";

/** Emits `operations/TAG.ts` (a function for each operation), `client.ts` (creates the client) and `index.ts` (exports everything). */
export function emitClientOperations(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const printer = new TypePrinter(api);
  const files = groupByOperationFile(api, api.operations);
  const tags = [...files].map(([file, operations]) => {
    const statements = operations.flatMap((operation) => emitOperation(operation, { api, printer, options }));
    const operationNames = operations.map((operation) => operation.name);
    return { path: `src/gen/operations/${file}.ts`, text: printSourceFile(statements, operationNames) };
  });
  return [
    ...tags,
    ...emitSharedEncoders(api),
    emitCreateClient(api),
    ...emitFilters(api),
    ...emitPagination(api),
    ...emitUploads(api, options),
    emitClientIndex(api, [...files.keys()]),
  ];
}

interface ClientContext {
  readonly api: Api;
  readonly printer: TypePrinter;
  readonly options: ArtifactOptions;
}

function emitOperation(operation: Operation, context: ClientContext): readonly Code[] {
  const request = identifier(requestTypeName(context.api, operation));
  const client = importType("Client", clientRuntime);
  const callOptions = importType(callOptionsType(context.api), clientRuntime);
  const pending = importType("ApiPromise", clientRuntime);
  const error = importType(errorTypeName(context.api, operation), "../errors.js");
  const success = importType(successTypeName(context.api, operation), "../successes.js");
  const requestParameter = requiresRequest(operation) ? code`request: ${request}` : code`request?: ${request}`;
  const call = convertedErrors(
    operation,
    pureCall("defineOperation", operationData(operation, context.api)),
    context.api,
  );
  return [
    requestType(operation, context),
    code`${docComment(describeOperation(operation, context.api, context.options))}
export const ${identifier(operation.name)}: (client: ${client}, ${requestParameter}, options?: ${callOptions}) => ${pending}<${resultType(operation, context.printer)}, ${error}, ${success}> = ${call};`,
  ];
}

// Request types

const groups = { path: "path", query: "query", header: "headers", cookie: "cookies" } satisfies Record<
  ParameterLocation,
  string
>;

function requestType(operation: Operation, context: ClientContext): Code {
  const { api, printer } = context;
  const members = parameterGroups(operation).map(([place, parameters]) => {
    const fields = parameters.map((parameter) =>
      parameterField(parameter, printer, listFilterType(api, operation, parameter)),
    );
    const isRequired = parameters.some((parameter) => parameter.required);
    if (isRequired) return code`readonly ${propertyKey(groups[place])}: {\n${fields}\n};`;
    return code`readonly ${propertyKey(groups[place])}?: {\n${fields}\n};`;
  });
  const contents = chosenContents(operation);
  const [content, ...others] = contents;
  const choices = others.length === 0 ? [] : choicesOfBody(operation, context);
  const body = choices.length === 0 ? bodyMember(operation, context, content) : undefined;
  const all = body === undefined ? members : [...members, body];
  const about = code`/** The request of \`${identifier(operation.name)}\`. */`;
  if (choices.length > 0) {
    const union = code`(${joinCode(choices, code` | `)})`;
    const whole = members.length === 0 ? union : code`{\n${members}\n} & ${union}`;
    return code`${about}\nexport type ${identifier(requestTypeName(api, operation))} = ${whole};`;
  }
  if (all.length === 0)
    return code`${about}\nexport type ${identifier(requestTypeName(api, operation))} = Readonly<Record<string, never>>;`;
  return code`${about}\nexport interface ${identifier(requestTypeName(api, operation))} {\n${all}\n}`;
}

function parameterGroups(operation: Operation): readonly (readonly [ParameterLocation, readonly Parameter[]])[] {
  return (["path", "query", "header", "cookie"] as const)
    .map((place) => [place, operation.parameters.filter((parameter) => parameter.in === place)] as const)
    .filter(([, parameters]) => parameters.length > 0);
}

function parameterField(parameter: Parameter, printer: TypePrinter, filter: Code | undefined): Code {
  const { description, title: _title, ...rest } = parameter.schema;
  const stated = parameter.description ?? description;
  const about = filter === undefined ? stated : `${stated ?? ""} See {@link ${renderCode(filter)}}.`.trim();
  const lines = describeSchema({
    ...rest,
    ...(about === undefined ? {} : { description: about }),
    ...(parameter.deprecated ? { deprecated: true } : {}),
  });
  const type = filter ?? printer.type(parameter.schema, "../types.js");
  return code`${docComment(lines)}\nreadonly ${propertyKey(parameter.name)}${parameter.required ? code`: ${type}` : code`?: ${type} | undefined`};`;
}

function bodyMember(
  operation: Operation,
  context: ClientContext,
  content: MediaTypeObject | undefined,
): Code | undefined {
  const { requestBody } = operation;
  if (requestBody === undefined || content === undefined) return undefined;
  const about =
    requestBody.description === undefined ? code`` : code`${docComment(requestBody.description.split("\n"))}\n`;
  const type = bodyType(content, context);
  return code`${about}readonly body${requestBody.required ? code`: ${type}` : code`?: ${type} | undefined`};`;
}

function bodyType(content: MediaTypeObject, { api, printer }: ClientContext): Code {
  const kind = mediaKind(content.mediaType);
  if (kind === "text") return code`string`;
  if (kind === "binary") return importType("RawBody", clientRuntime);
  const type = printer.type(content.schema, "../types.js", kind === "multipart" ? ["Blob"] : ["string"]);
  return kind === "multipart" ? withParts(type, specialParts(content, api)?.withHeaders ?? []) : type;
}

/** One type for each media type of the body, of which the caller chooses one. */
function choicesOfBody(operation: Operation, context: ClientContext): readonly Code[] {
  return chosenContents(operation).map((content, index) => {
    const name = jsonLiteral(content.mediaType);
    const about = docComment(["The media type of the body."]);
    const choice =
      index === 0 ? code`readonly contentType?: ${name} | undefined;` : code`readonly contentType: ${name};`;
    return code`{\n${about}\n${choice}\n${bodyMember(operation, context, content) ?? code``}\n}`;
  });
}

/** True if every valid call has a request. */
export function requiresRequest(operation: Operation): boolean {
  return operation.parameters.some((parameter) => parameter.required) || operation.requestBody?.required === true;
}

// Operation data for the runtime

/** Returns the arguments of `defineOperation`. */
function operationData(operation: Operation, api: Api): Code {
  const security = needsSecurityNames(api) && operation.security.length > 0;
  const encoders = [
    ...encodedLocations.flatMap((location) => emitParameterEncoder(operation, location, api)),
    ...bodyEncoder(operation, api),
  ];
  const more = [
    ...emitAccept(operation),
    ...emitPathEncoder(operation, api),
    ...emitResponseDecoder(operation, api),
    ...(requiresCredentials(api) && isPublicOperation(operation) ? [code`public: true`] : []),
    ...(security ? [code`security: ${jsonLiteral(requestSchemes(operation, api))}`] : []),
  ];
  const callArguments = [
    jsonLiteral(operation.method),
    jsonLiteral(operation.path),
    ...(encoders.length > 0 || more.length > 0 ? [code`[${joinCode(encoders, code`, `)}]`] : []),
    ...(more.length > 0 ? [code`{ ${joinCode(more, code`, `)} }`] : []),
  ];
  return joinCode(callArguments, code`, `);
}

export function isPublicOperation(operation: Operation): boolean {
  return operation.security.every((alternative) => alternative.length === 0);
}

function bodyEncoder(operation: Operation, api: Api): readonly Code[] {
  const contents = chosenContents(operation);
  if (contents.length < 2) return contents.map((content) => contentEncoder(content, api));
  const encoders = contents.map((content) => code`${propertyKey(content.mediaType)}: ${contentEncoder(content, api)}`);
  return [pureCall("bodyByContentType", code`{ ${joinCode(encoders, code`, `)} }`)];
}

function contentEncoder(content: MediaTypeObject, api: Api): Code {
  return convertedBodyEncoder(content, plainEncoder(content, api), api);
}

function plainEncoder(content: MediaTypeObject, api: Api): Code {
  switch (mediaKind(content.mediaType)) {
    case "json":
      return /^application\/json$|\*/.test(content.mediaType)
        ? importValue("jsonBody", clientRuntime)
        : pureCall("jsonBodyAs", jsonLiteral(content.mediaType));
    case "form":
      return formEncoder(content, api);
    case "multipart": {
      const special = specialParts(content, api);
      if (special === undefined) return importValue("multipartBody", clientRuntime);
      return pureCall("multipartBodyWith", jsonLiteral(special.types));
    }
    case "text":
    case "binary":
      return pureCall("rawBody", jsonLiteral(content.mediaType));
  }
}

/** Emits the encoder of a form, with special encoders for fields that have an encoding. */
function formEncoder(content: MediaTypeObject, { nestedArrays }: Api): Code {
  const special = Object.entries(content.encoding).flatMap(([field, { style, explode }]) => {
    if (style === undefined && explode === undefined) return [];
    const written = {
      in: "query",
      style: style ?? "form",
      explode: explode ?? (style ?? "form") === "form",
      allowReserved: false,
    } as const;
    const encoder = encoderOf(written, { hasFields: false, nestedArrays }) ?? "formExploded";
    return [code`${propertyKey(field)}: ${importValue(encoder, clientRuntime)}`];
  });
  if (special.length === 0) return importValue("urlEncodedBody", clientRuntime);
  return pureCall("urlEncodedBodyWith", code`{ ${joinCode(special, code`, `)} }`);
}
