import { isJson } from "../../http/index.js";
import type { HandlerResponse, SerializedResponse, UndocumentedStatus } from "../../server/index.js";

/** A response whose status the description does not document. It is sent as it is. */
export interface UndocumentedResponse<Documented extends number> {
  readonly status: UndocumentedStatus<Documented>;
  /** Sent as JSON, or as it is if it is a string and `headers` has another `Content-Type`. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Statuses of responses without a body. */
const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/** Serializes a response whose status the description does not document. Undefined for a status that ends no response. */
export function serializeUndocumented(response: HandlerResponse): SerializedResponse | undefined {
  const { status, body } = response;
  if (!/^[2-5]\d\d$/.test(String(status))) return undefined;
  const texts = Object.entries(response.headers ?? {}).map(([name, value]) => [name, String(value)] as const);
  const headers = Object.fromEntries(texts);
  if (body === undefined || bodilessStatuses.has(status)) return { status, headers };
  const [, contentType] = texts.find(([name]) => name.toLowerCase() === "content-type") ?? [];
  const isText = typeof body === "string" && contentType !== undefined && !isJson(contentType);
  return {
    status,
    headers,
    ...(contentType === undefined ? { type: "application/json" } : {}),
    body: isText ? body : JSON.stringify(body),
  };
}
