import { isJson, isObject } from "../../http/index.js";
import { NotFoundError, type HandlerResponse, type UndocumentedStatus } from "../../server/index.js";
import type { MockContext } from "../mock-context.js";
import type { MockOperation } from "../mock-definition.js";

/** A response whose status the description does not document. It is sent as it is. */
export interface UndocumentedResponse<Documented extends number> {
  readonly status: UndocumentedStatus<Documented>;
  /** Sent as JSON, or as it is if it is a string and `headers` has another `Content-Type`. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Statuses of responses without a body. */
const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Keeps the response of a handler that the server would not send.
 *
 * @throws NotFoundError for a status that the description does not document: it ends the transaction, as an error response does
 */
export function keepUndocumented(
  { definition, undocumentedResponses }: MockContext,
  { name, requestId }: { readonly name: string; readonly requestId: string },
  response: HandlerResponse,
): void {
  const operation = definition.operations[name];
  // A handler without types may return anything.
  const { status, body, headers = {} }: Partial<HandlerResponse> = isObject(response) ? response : {};
  if (operation === undefined || !isSendable(status) || isDocumented(operation, status)) return;
  const texts = Object.entries(headers).map(([header, value]) => [header, String(value)] as const);
  const [, contentType] = texts.find(([header]) => header.toLowerCase() === "content-type") ?? [];
  const hasBody = body !== undefined && !bodilessStatuses.has(status);
  const isText = typeof body === "string" && contentType !== undefined && !isJson(contentType);
  undocumentedResponses.set(requestId, {
    status,
    headers: {
      ...(hasBody && contentType === undefined ? { "Content-Type": "application/json" } : {}),
      ...Object.fromEntries(texts),
    },
    ...(hasBody ? { body: isText ? body : JSON.stringify(body) } : {}),
  });
  // The server logs no error of this class.
  throw new NotFoundError();
}

/** Whether a status ends a response. */
function isSendable(status: number | undefined): status is number {
  return /^[2-5]\d\d$/.test(String(status));
}

/** Whether the server sends a status. `default` stands for errors, and for a success if there is no other. */
function isDocumented({ documented }: MockOperation, status: number): boolean {
  const statuses = Object.keys(documented);
  if (statuses.includes(String(status)) || statuses.includes(`${Math.floor(status / 100)}XX`)) return true;
  return statuses.includes("default") && (status >= 400 || !statuses.some((each) => /^[23]/.test(each)));
}
