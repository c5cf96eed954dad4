import {
  code,
  importValue,
  joinCode,
  propertyKey,
  jsonLiteral,
  renderCode,
  type Code,
  type TypePrinter,
} from "@plumbline/codegen";
import {
  type MediaTypeObject,
  type Operation,
  type OperationResponse,
  itemFormat,
  preferredContent,
  mediaKind,
} from "@plumbline/model";
import { clientRuntime } from "./runtime.js";

/** Returns the documented 2XX responses, or the `default` response if there are none. */
export function successResponses(operation: Operation): readonly OperationResponse[] {
  const stated = operation.responses.filter(({ status }) =>
    typeof status === "number" ? status >= 200 && status < 300 : status === "2XX",
  );
  return stated.length > 0 ? stated : operation.responses.filter(({ status }) => status === "default");
}

/** Returns the type of the result of a call. Named types are imported from `types`. */
export function resultType(operation: Operation, printer: TypePrinter, types = "../types.js"): Code {
  const responses = successResponses(operation);
  const members = responses.map((response) => {
    const content = preferredContent(response.contents);
    if (content === undefined) return code`undefined`;
    const kind = mediaKind(content.mediaType);
    if (streamsItems(content)) return itemsType(content, printer, types);
    return kind === "json"
      ? printer.type(content.schema, types)
      : kind === "text"
        ? code`string`
        : code`globalThis.Blob`;
  });
  const distinct = [...new Map(members.map((member) => [renderCode(member), member] as const)).values()];
  return distinct.length === 0 ? code`undefined` : joinCode(distinct, code` | `);
}

/** True for a stream whose items have a schema: `itemSchema` of OpenAPI 3.2. */
function streamsItems({ mediaType, itemSchema }: MediaTypeObject): boolean {
  return itemSchema !== undefined && itemFormat(mediaType) !== undefined;
}

function itemsType({ itemSchema }: MediaTypeObject, printer: TypePrinter, types: string): Code {
  const item = itemSchema === undefined ? code`unknown` : printer.type(itemSchema, types);
  return code`globalThis.AsyncIterable<${item}>`;
}

/** Emits the `decoder` member of the operation data: how the runtime decodes responses. */
export function emitResponseDecoder(operation: Operation): readonly Code[] {
  const responses = successResponses(operation).flatMap(({ status, contents }) => {
    const content = preferredContent(contents);
    return content === undefined ? [] : [{ status, decoder: decoderOf(content) }];
  });
  const [first] = responses;
  if (responses.every(({ decoder }) => decoder === first?.decoder))
    return first?.decoder === undefined ? [] : [code`decoder: ${importValue(first.decoder, clientRuntime)}`];
  const named = responses.map(({ status, decoder }) => {
    return code`${propertyKey(String(status))}: ${decoder === undefined ? jsonLiteral("json") : importValue(decoder, clientRuntime)}`;
  });
  return [code`decoder: ${importValue("decodeByStatus", clientRuntime)}({ ${joinCode(named, code`, `)} })`];
}

/** Returns the runtime's decoder for a media type, or `undefined` for JSON, which is the default. */
function decoderOf(content: MediaTypeObject): string | undefined {
  const { mediaType } = content;
  if (streamsItems(content)) return itemFormat(mediaType) === "events" ? "asEvents" : "asJsonLines";
  const kind = mediaKind(mediaType);
  return kind === "json" ? undefined : kind === "text" ? "asText" : "asBlob";
}
