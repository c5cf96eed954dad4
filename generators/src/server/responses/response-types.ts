import {
  code,
  joinCode,
  propertyKey,
  jsonLiteral,
  identifier,
  renderCode,
  type Code,
  type TypePrinter,
} from "@plumbline/kit/codegen";
import {
  type Api,
  type MediaTypeObject,
  type Operation,
  type OperationResponse,
  findJsonContent,
  handlerHeaders,
  isItemStream,
  isSuccess,
  mediaKind,
  type MediaKind,
  pascalCase,
} from "@plumbline/kit/model";
import { serverType } from "../runtime.js";
import { emitStatusType } from "./statuses.js";

/** Returns the name of an operation's response type, such as `CreateInstanceResponse`. */
export function responseTypeName(operation: Operation): string {
  return `${pascalCase(operation.name) ?? operation.name}Response`;
}

/** The model of an operation, and what prints its types. */
export interface ResponseContext {
  readonly api: Api;
  readonly printer: TypePrinter;
}

/** Emits the response type of a handler: a union by status, with equal members merged. */
export function emitResponseType(
  operation: Operation,
  context: ResponseContext,
  effects: readonly string[] = [],
): Code {
  const had = effectsMember(effects);
  const alike = new Map<string, { readonly rest: Code; readonly statuses: OperationResponse["status"][] }>();
  for (const response of operation.responses) {
    for (const content of contentsOf(operation, response, context)) {
      const rest = isSuccess(response) ? code`${content}${had}` : content;
      const existing = alike.get(renderCode(rest));
      if (existing === undefined) alike.set(renderCode(rest), { rest, statuses: [response.status] });
      else existing.statuses.push(response.status);
    }
  }
  const all = operation.responses.map((response) => response.status);
  const members = [...alike.values()].flatMap(({ rest, statuses }) => {
    const status = emitStatusType(statuses, all);
    return status === undefined ? [] : [code`{ readonly status: ${status}${rest} }`];
  });
  const union = members.length === 0 ? code`never` : joinCode(members, code` | `);
  return code`/** The responses that the handler of \`${identifier(operation.name)}\` can return. */
export type ${identifier(responseTypeName(operation))} = ${union};`;
}

/** Emits the member for the effects that limits count. */
function effectsMember(effects: readonly string[]): Code {
  const names = joinCode(
    effects.map((each) => jsonLiteral(each)),
    code` | `,
  );
  return effects.length === 0 ? code`` : code`; readonly effects: readonly (${names})[]`;
}

/** Emits the members beside the status, for each media type. */
function contentsOf(operation: Operation, response: OperationResponse, context: ResponseContext): readonly Code[] {
  const { printer } = context;
  const headers = headersMember(operation, response, context);
  if (response.contents.length === 0) return [headers];
  const isOne = response.contents.length === 1;
  const usual = findJsonContent(response.contents) ?? (isOne ? response.contents[0] : undefined);
  return response.contents.map((content) => {
    const isSaid = !isOne || isRange(content);
    const type = isSaid ? typeMember(content, content === usual) : code``;
    return code`${headers}${type}; readonly body: ${bodyType(content, printer)}`;
  });
}

function typeMember(content: MediaTypeObject, isUsual: boolean): Code {
  const type = isRange(content) ? code`string` : jsonLiteral(content.mediaType);
  const isOptional = isUsual && (!isRange(content) || mediaKind(content.mediaType) === "json");
  return isOptional ? code`; readonly type?: ${type}` : code`; readonly type: ${type}`;
}

function isRange({ mediaType }: MediaTypeObject): boolean {
  return mediaType.endsWith("/*");
}

function bodyType(content: MediaTypeObject, printer: TypePrinter): Code {
  const { mediaType, schema, itemSchema } = content;
  const kind = mediaKind(mediaType);
  if (kind === "json") return printer.type(schema, "./types.js");
  if (!isItemStream(content)) return rawTypes[kind];
  const item = itemSchema === undefined ? serverType("ServerSentEvent") : printer.type(itemSchema, "./types.js");
  return code`globalThis.AsyncIterable<${item}> | string | ${bytes}`;
}

const bytes = code`Uint8Array | ReadableStream<Uint8Array>`;

const rawTypes: Readonly<Record<Exclude<MediaKind, "json">, Code>> = {
  text: code`string`,
  form: code`string`,
  multipart: bytes,
  binary: bytes,
};

function headersMember(operation: Operation, response: OperationResponse, { api, printer }: ResponseContext): Code {
  const headers = handlerHeaders(api, operation, response);
  if (headers.length === 0) return code``;
  const members = headers.map((header) => {
    const type = printer.type(header.schema, "./types.js");
    return code`readonly ${propertyKey(header.name)}${header.required ? code`: ${type}` : code`?: ${type}`}`;
  });
  const fields = code`{ ${joinCode(members, code`; `)} }`;
  return headers.some((header) => header.required)
    ? code`; readonly headers: ${fields}`
    : code`; readonly headers?: ${fields}`;
}
