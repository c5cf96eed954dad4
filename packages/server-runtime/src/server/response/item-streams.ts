import { isObject, toValidationIssue, type Check, type ValidationIssue } from "../../http/index.js";
import { formatEvent } from "./events.js";
import { serializeJson } from "./serialize-json.js";
import type { SerializationContext, Serializer } from "./serializers.js";

/** The items of a response, as bytes. Each is read when the client is ready for it. */
export interface ItemStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Validates each item before it is sent. */
  validateWith(check: Check): void;
}

/** How items become bytes. */
export interface ItemEncoding {
  readonly mediaType: string;
  readonly serialize: Serializer | undefined;
  readonly context: SerializationContext;
  /** Creates the error for an item that the description does not allow. The connection ends with it, since its status is sent already. */
  readonly toError: (...issues: readonly ValidationIssue[]) => Error;
}

/** Serializers of events whose `data` is JSON. */
const jsonDataSerializers = new WeakSet<Serializer>();

/** Marks the serializer of an event: its `data` is any JSON value, and is sent as JSON. */
export function jsonData(serialize: Serializer): Serializer {
  const marked: Serializer = (value, context) => serialize(value, context);
  jsonDataSerializers.add(marked);
  return marked;
}

/** True for media types whose items a server can send one by one. */
export function hasItems(mediaType: string): boolean {
  return isEvents(mediaType) || jsonSequence.test(mediaType) || jsonLines.test(mediaType);
}

/** True for what a handler returns as items: an async iterable, and not a stream of bytes. */
export function isItems(body: unknown): body is AsyncIterable<unknown> {
  return isObject(body) && Symbol.asyncIterator in body && !(body instanceof ReadableStream);
}

/** Encodes items as they are read, with back-pressure. When the client disconnects, it calls `return` of their iterator. */
export function createItemStream(items: AsyncIterable<unknown>, encoding: ItemEncoding): ItemStream {
  const encode = createItemEncoder(encoding);
  let iterator: AsyncIterator<unknown> | undefined;
  let check: Check | undefined;
  let position = 0;
  const iterate = (): AsyncIterator<unknown> => (iterator ??= items[Symbol.asyncIterator]());
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterate().next();
        if (done === true) return controller.close();
        try {
          controller.enqueue(utf8.encode(encode(value, position++, check)));
        } catch (error) {
          await iterator?.return?.();
          throw error;
        }
      },
      async cancel() {
        await iterate().return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    validateWith: (validator) => {
      check = validator;
    },
  };
}

type ItemEncoder = (item: unknown, position: number, check: Check | undefined) => string;

function createItemEncoder({ mediaType, serialize, context, toError }: ItemEncoding): ItemEncoder {
  const hasEvents = isEvents(mediaType);
  const isJsonData = serialize !== undefined && jsonDataSerializers.has(serialize);
  const start = jsonSequence.test(mediaType) ? "\u001e" : "";
  return (item, position, check) => {
    const json = serializeJson(serialize, item, context);
    const within = (issue: ValidationIssue): ValidationIssue => ({
      ...issue,
      field: [position, ...(issue.field === undefined ? [] : [issue.field])].join("."),
    });
    if (typeof json !== "string") throw toError(within(json));
    // The value as the client reads it: dates are texts already.
    const sent: unknown = check !== undefined || hasEvents ? JSON.parse(json) : undefined;
    const issues: Parameters<Check>[1] = [];
    check?.(sent, issues);
    if (issues.length > 0) throw toError(...issues.map((each) => within(toValidationIssue(each, "response"))));
    if (!hasEvents) return `${start}${json}\n`;
    const text = formatEvent(sent, isJsonData);
    if (typeof text !== "string") throw toError(within(text));
    return text;
  };
}

function isEvents(mediaType: string): boolean {
  return /^text\/event-stream\s*(?:;|$)/i.test(mediaType);
}

const jsonLines = /^application\/(?:x-)?(?:jsonl|ndjson|jsonlines)\s*(?:;|$)/i;

/** RFC 7464: each item begins with a record separator. */
const jsonSequence = /^application\/(?:[^/;\s]+\+)?json-seq\s*(?:;|$)/i;

const utf8 = new TextEncoder();
