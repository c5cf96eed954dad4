import {
  code,
  importType,
  importValue,
  joinCode,
  propertyKey,
  jsonLiteral,
  renderCode,
  type Code,
  type TypePrinter,
} from "@plumbline/kit/codegen";
import {
  type Api,
  type Schema,
  type MediaTypeObject,
  type Operation,
  type OperationResponse,
  isItemStream,
  isSuccess,
  itemFormat,
  preferredContent,
  mediaKind,
} from "@plumbline/kit/model";
import { clientRuntime, pureCall } from "./runtime.js";
import { convertedDecoder } from "./values/converted-responses.js";

/** How types of schemas are printed: with converted values, or as JSON has them. */
type SchemaPrinter = "type" | "unconvertedType";

/** Returns the documented 2XX responses, or the `default` response if there are none. */
export function successResponses(operation: Operation): readonly OperationResponse[] {
  const stated = operation.responses.filter(isSuccess);
  return stated.length > 0 ? stated : operation.responses.filter(({ status }) => status === "default");
}

/** Returns the type of the result of a call. Named types are imported from `types`. */
export function resultType(
  operation: Operation,
  printer: TypePrinter,
  types = "../types.js",
  print: SchemaPrinter = "type",
): Code {
  const responses = successResponses(operation);
  const members = responses.map((response) => dataType(response, printer, types, print));
  const distinct = [...new Map(members.map((member) => [renderCode(member), member] as const)).values()];
  return distinct.length === 0 ? code`undefined` : joinCode(distinct, code` | `);
}

/** True if a call returns server-sent events. */
export function returnsEvents(operation: Operation): boolean {
  return successResponses(operation).some(({ contents }) => {
    const content = preferredContent(contents);
    return content !== undefined && itemFormat(content.mediaType) === "events";
  });
}

/** True if a call returns items as they arrive. */
export function returnsStream(operation: Operation): boolean {
  return successResponses(operation).some(({ contents }) => {
    const content = preferredContent(contents);
    return content !== undefined && isItemStream(content);
  });
}

/** Returns the type of what a call returns for one of its responses. */
export function dataType(
  response: OperationResponse,
  printer: TypePrinter,
  types: string,
  print: SchemaPrinter = "type",
): Code {
  const content = preferredContent(response.contents);
  if (content === undefined) return code`undefined`;
  const kind = mediaKind(content.mediaType);
  if (isItemStream(content))
    return itemsType(content, (schema, isJson) => printer[isJson ? print : "unconvertedType"](schema, types));
  if (kind === "json") return printer[print](content.schema, types);
  return kind === "text" ? code`string` : code`globalThis.Blob`;
}

/** Fields of events are texts. Their data are converted if they are JSON, and so are other items. */
function itemsType(
  { mediaType, itemSchema, itemData }: MediaTypeObject,
  print: (schema: Schema, isJson: boolean) => Code,
): Code {
  if (itemSchema === undefined) return code`globalThis.AsyncIterable<${importType("ServerSentEvent", clientRuntime)}>`;
  const isEvent = itemFormat(mediaType) === "events";
  const item = print(isEvent ? withTextFields(itemSchema) : itemSchema, !isEvent || itemData === "json");
  return code`globalThis.AsyncIterable<${item}>`;
}

/** An event whose fields beside `data` have no formats: nothing converts them. */
function withTextFields(event: Schema): Schema {
  const properties = event.properties?.map((property) => {
    const { format: _format, ...schema } = property.schema;
    return property.name === "data" ? property : { ...property, schema };
  });
  return properties === undefined ? event : { ...event, properties };
}

/** Emits the `decoder` member of the operation data: how the runtime decodes responses. With `api`, it converts values. */
export function emitResponseDecoder(operation: Operation, api?: Api): readonly Code[] {
  const responses = contentsOf(successResponses(operation)).map(({ status, content }) => {
    const name = decoderOf(content);
    const decoder = api && convertedDecoder(content, name, api);
    return { status, decoder: decoder ?? (name === undefined ? undefined : importValue(name, clientRuntime)) };
  });
  const [first] = responses;
  const textOf = (decoder: Code | undefined): string => (decoder === undefined ? "" : renderCode(decoder));
  if (responses.every(({ decoder }) => textOf(decoder) === textOf(first?.decoder)))
    return first?.decoder === undefined ? [] : [code`decoder: ${first.decoder}`];
  const entries = responses.map(
    ({ status, decoder }) => code`${propertyKey(String(status))}: ${decoder ?? jsonLiteral("json")}`,
  );
  return [code`decoder: ${pureCall("decodeByStatus", code`{ ${joinCode(entries, code`, `)} }`)}`];
}

// Browsers ask the server of another origin first whether a longer header is allowed.
const maxAcceptLength = 128;

/** Emits the `accept` member of the operation data: the media types of successes that a call reads, those of errors, then any. */
export function emitAccept(operation: Operation): readonly Code[] {
  const successes = successResponses(operation);
  const read = mediaTypesOf(successes);
  const preferred = read.length > 0 ? read : ["application/json"];
  const errors = mediaTypesOf(operation.responses.filter((response) => !successes.includes(response)));
  const others = errors.filter((type) => !preferred.includes(type)).map((type) => `${type};q=0.9`);
  const types = [...preferred, ...others];
  const acceptOf = (count: number): string => [...types.slice(0, count), "*/*;q=0.5"].join(", ");
  const accept = acceptOf(types.filter((_, index) => acceptOf(index + 1).length <= maxAcceptLength).length);
  return accept === "application/json, */*;q=0.5" ? [] : [code`accept: ${jsonLiteral(accept)}`];
}

/** The media types that a call reads, without those that a header cannot have. What may be of any type is read as JSON. */
function mediaTypesOf(responses: readonly OperationResponse[]): readonly string[] {
  const types = contentsOf(responses).map(({ content: { mediaType } }) =>
    mediaKind(mediaType) === "json" && mediaType.includes("*") ? "application/json" : mediaType,
  );
  return [...new Set(types)].filter((type) => /^[\w.*+-]+\/[\w.*+-]+$/.test(type));
}

function contentsOf(
  responses: readonly OperationResponse[],
): readonly { readonly status: OperationResponse["status"]; readonly content: MediaTypeObject }[] {
  return responses.flatMap(({ status, contents }) => {
    const content = preferredContent(contents);
    return content === undefined ? [] : [{ status, content }];
  });
}

/** Returns the runtime's decoder for a media type, or `undefined` for JSON, which is the default. */
function decoderOf(content: MediaTypeObject): string | undefined {
  const { mediaType } = content;
  if (isItemStream(content)) {
    if (itemFormat(mediaType) !== "events") return "asJsonLines";
    return content.itemData === undefined ? "asEvents" : "asJsonEvents";
  }
  const kind = mediaKind(mediaType);
  return kind === "json" ? undefined : kind === "text" ? "asText" : "asBlob";
}
