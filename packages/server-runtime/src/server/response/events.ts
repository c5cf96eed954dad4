import { isObject, type ValidationIssue } from "../../http/index.js";

/** One event of `text/event-stream`. Without `data`, clients only keep its `id`. */
export interface ServerSentEvent {
  readonly data?: string;
  /** The type of the event. Clients take `message` without it. */
  readonly event?: string;
  /** Sent back by a client that connects again, as `Last-Event-ID`. */
  readonly id?: string;
  /** Milliseconds before a client connects again. */
  readonly retry?: number;
}

/**
 * Formats an event as `text/event-stream` of the HTML standard. Returns an issue for what the format cannot represent.
 *
 * @param event the event, as JSON has it
 * @param isJsonData true if `data` is sent as JSON
 */
export function formatEvent(event: unknown, isJsonData: boolean): string | ValidationIssue {
  if (!isObject(event)) return eventIssue(undefined, "must be an event: an object with `data`");
  const { event: type, id, retry } = event;
  const data = isJsonData && event["data"] !== undefined ? JSON.stringify(event["data"]) : event["data"];
  let text = "";
  for (const [name, value] of Object.entries({ event: type, id })) {
    if (value === undefined || value === null) continue;
    // A line break would begin another field, and browsers ignore an id with a NUL.
    if (typeof value !== "string" || /[\r\n\0]/.test(value))
      return eventIssue(name, "must be a text without line breaks and NUL");
    text += `${name}: ${value}\n`;
  }
  if (retry !== undefined && retry !== null) {
    if (typeof retry !== "number" || !Number.isSafeInteger(retry) || retry < 0)
      return eventIssue("retry", "must be a number of milliseconds, 0 or more");
    text += `retry: ${retry}\n`;
  }
  if (data !== undefined && data !== null) {
    if (typeof data !== "string")
      return eventIssue("data", "must be a text. Describe JSON by `contentMediaType` and `contentSchema`");
    for (const line of data.split(/\r\n|\r|\n/)) text += `data: ${line}\n`;
  }
  return `${text}\n`;
}

function eventIssue(field: string | undefined, reason: string): ValidationIssue {
  return { in: "response", ...(field !== undefined && { field }), code: "type", reason };
}
