import {
  contentFor,
  isJson,
  isObject,
  parseMediaType,
  type ValidationIssue,
  type ResponseValidators,
  responseIssues,
  toValidationIssue,
} from "../../http/index.js";
import { InvalidResponseError } from "./invalid-response-error.js";
import { createItemStream, hasItems, isItems, type ItemStream } from "./item-streams.js";
import { mediaTypeOf } from "./media-types.js";
import { serializeHeaders, type ResponseHeaders } from "./response-headers.js";
import { serializeJson } from "./serialize-json.js";
import { isVisibleTo, type Serializers, type SerializationContext, type ResponseVisibility } from "./serializers.js";
import { documentedStatusKey, documentsSuccess } from "./statuses.js";

/** A response as a handler returns it. */
export interface HandlerResponse {
  readonly status: number;
  /** The media type, with its parameters. Default: JSON, or the only documented type. */
  readonly type?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The effects of the request, among those that limits count. */
  readonly effects?: readonly string[];
}

/** What the description says about responses, and what the server does where it says nothing. */
export interface ResponseTables {
  readonly serializers: Serializers;
  readonly visibility: ResponseVisibility;
  readonly headers: ResponseHeaders;
  /** Serializes a response with another status. Default: it is an error. */
  readonly undocumentedResponse?: ((response: HandlerResponse) => SerializedResponse | undefined) | undefined;
}

/** A response without the headers that the server adds. */
export interface SerializedResponse {
  readonly status: number;
  /** The documented headers by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The Content-Type. Absent without a body. */
  readonly type?: string;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array>;
  /** Encodes the items that `body` streams, if the handler returned items. */
  readonly items?: ItemStream;
}

/**
 * Serializes the response of a handler: only what the description documents, and what the caller may see.
 *
 * @throws InvalidResponseError for an undocumented status, media type or body, for a status that the caller may not see, and for values that JSON does not
 * have
 */
export function serializeResponse(
  response: HandlerResponse,
  context: SerializationContext,
  tables: ResponseTables,
): SerializedResponse {
  const { operation } = context;
  if (!isObject(response))
    throw new InvalidResponseError(operation, undefined, [responseIssue("type", "must have a status")]);
  const { status, body, type } = response;
  const invalidResponse = (...issues: readonly ValidationIssue[]) =>
    new InvalidResponseError(operation, status, issues);
  const statuses = tables.serializers[operation] ?? {};
  const documented = Number.isInteger(status) ? documentedStatusKey(status, statuses) : undefined;
  // A description that documents no success does not say what success is: no content.
  if (status === 204 && body === undefined && !documentsSuccess(statuses)) return { status, headers: {} };
  if (documented === undefined) {
    const undocumented = tables.undocumentedResponse?.(response);
    if (undocumented !== undefined) return undocumented;
    throw invalidResponse(undocumentedStatus(status));
  }
  const audience = tables.visibility[operation]?.[documented];
  if (audience !== undefined && !isVisibleTo(context, audience))
    throw invalidResponse(responseIssue("rule", "must not be sent to this caller"));
  const serialized = serializeHeaders(response.headers, tables.headers[operation]?.[documented] ?? []);
  if (serialized.issues.length > 0) throw invalidResponse(...serialized.issues);
  const { headers } = serialized;
  const contents = statuses[documented] ?? {};
  const types = Object.keys(contents);
  if (types.length === 0) {
    if (body !== undefined) throw invalidResponse(responseIssue("media", "must have no body"));
    return { status, headers };
  }
  if (body === undefined) throw invalidResponse(responseIssue("required", "is required"));
  const chosen = mediaTypeOf(type, types);
  if (typeof chosen === "string") throw invalidResponse(responseIssue("media", chosen));
  if (!isJson(chosen.type)) {
    const hasItemType = hasItems(chosen.type);
    if (hasItemType && isItems(body)) {
      const serialize = contents[chosen.described];
      const items = createItemStream(body, {
        mediaType: chosen.type,
        serialize,
        context,
        toError: invalidResponse,
      });
      return { status, headers, type: chosen.type, body: items.body, items };
    }
    const kinds = hasItemType
      ? "must be an AsyncIterable of items, a string, a Uint8Array or a ReadableStream"
      : "must be a string, a Uint8Array or a ReadableStream";
    if (!isRaw(body)) throw invalidResponse(responseIssue("type", kinds));
    return { status, headers, type: typeof body === "string" ? inUtf8(chosen.type) : chosen.type, body };
  }
  const json = serializeJson(contents[chosen.described], body, context);
  if (typeof json !== "string") throw invalidResponse(json);
  return { status, headers, type: chosen.type, body: json };
}

/** Validates a serialized response: JSON at once, items as they are sent. Of any other body, only the media type is validated. */
export function validateResponse(
  operation: string,
  serialized: SerializedResponse,
  table: ResponseValidators,
): readonly ValidationIssue[] {
  const { status, type, body, items } = serialized;
  const statuses = table[operation] ?? {};
  const documented = documentedStatusKey(status, statuses);
  if (documented === undefined) return [undocumentedStatus(status)];
  const mediaType = items && parseMediaType(type ?? "");
  const check = mediaType && contentFor(statuses[documented] ?? {}, mediaType);
  if (check !== undefined) items?.validateWith(check);
  return responseIssues({ status, type, bytes: bodyBytes(type, body) }, { [status]: statuses[documented] ?? {} });
}

function bodyBytes(type: string | undefined, body: SerializedResponse["body"]): Uint8Array {
  if (body === undefined) return new Uint8Array();
  // A body that is not JSON is not read. One byte stands for it.
  return typeof body === "string" && isJson(type ?? "") ? new TextEncoder().encode(body) : new Uint8Array(1);
}

function undocumentedStatus(status: number): ValidationIssue {
  return toValidationIssue({ path: [], code: "status", first: status }, "response");
}

function responseIssue(code: ValidationIssue["code"], reason: string): ValidationIssue {
  return { in: "response", code, reason };
}

function isRaw(body: unknown): body is string | Uint8Array | ReadableStream<Uint8Array> {
  return typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
}

function inUtf8(type: string): string {
  return /^text\//i.test(type) && !/;\s*charset=/i.test(type) ? `${type}; charset=utf-8` : type;
}
