import type { ApiPromise } from "../api-promise.js";
import type { CallOptions, Client } from "../client.js";
import type { OperationFunction } from "../define-operation.js";
import { isApiError, type ApiError } from "../errors.js";
import type { Fetch, RequestArguments } from "../operation.js";
import { asEvents, parseJsonLines, type EventStream, type JsonEvent } from "../response/items.js";
import { asStream, type DecodeContext, type ResponseDecoder } from "../response/responses.js";
import { ConversionError, decodeValue, type Converter } from "./convert.js";
import { parseJson, type ParsedJson } from "./exact-json.js";

/** Parses a JSON text: `parseJson`, or `parseExactJson` for a converter of 64-bit integers. */
export type JsonParser = (text: string) => ParsedJson;

/** Decodes the body as JSON, and converts it. What cannot be converted is an error with code `decode`. */
export function convertedJson(converter: Converter, parse: JsonParser = parseJson): ResponseDecoder {
  return async (response, reading) => {
    const bytes = await response.arrayBuffer().catch((cause: unknown) => {
      throw reading.toError("network", {}, cause);
    });
    if (bytes.byteLength === 0) return undefined;
    const type = response.headers.get("content-type");
    const isJson = !type || /json(?!-)/i.test(type);
    const toText = (how?: TextDecoderOptions): string => new TextDecoder("utf-8", how).decode(bytes);
    const read = (): string => (isJson ? toText({ fatal: true }) : "");
    return decodeJson(read, { response, reading, converter, parse, what: `not JSON: ${type ?? "body"}`, body: toText });
  };
}

/** Like `asJsonLines`, and converts each item. */
export function convertedJsonLines(converter: Converter, parse: JsonParser = parseJson): ResponseDecoder {
  return (response, reading) =>
    parseJsonLines(asStream(response, reading), (text) => decodeItem(text, { response, reading, converter, parse }));
}

/** Like `asJsonEvents`, and converts the data of each event. */
export function convertedJsonEvents(converter: Converter, parse: JsonParser = parseJson) {
  return (response: Response, reading: DecodeContext): EventStream<JsonEvent> => {
    const events = asEvents(response, reading);
    const converted = async function* (): AsyncGenerator<JsonEvent, void, undefined> {
      for await (const event of events)
        yield { ...event, data: decodeItem(event.data ?? "", { response, reading, converter, parse }) };
    };
    return Object.assign(converted(), { connection: events.connection });
  };
}

/** The converters of the bodies of errors, by status, range or `default`. Undefined: none, although `default` may have one. */
export type ErrorConverters = Readonly<Record<string, Converter | undefined>>;

/**
 * Creates the function of an operation that converts the bodies of its errors. An error stays what it is if its body cannot be converted: such a
 * value stays as it was sent.
 *
 * @param errors the converters, by status
 * @param parse `parseExactJson` for converters of 64-bit integers
 * @param operation the function of the operation
 */
export function convertErrors<F extends OperationFunction>(
  errors: ErrorConverters,
  parse: JsonParser,
  operation: F,
): F {
  const call = (client: Client, given?: RequestArguments, options?: CallOptions): ApiPromise<unknown, unknown> => {
    let copy: Response | undefined;
    const send = options?.fetch ?? client.options().fetch ?? fetch;
    // The call parses the body itself. Only its text has exact integers.
    const keepCopy: Fetch = async (url, init) => {
      const response = await send(url, init);
      if (!response.ok && converterOf(errors, response.status)) copy = response.clone();
      return response;
    };
    const pending = operation(client, given as never, parse === parseJson ? options : { ...options, fetch: keepCopy });
    const converted = pending.catch(async (error: unknown) => {
      if (isApiError(error) && error.code === "http") await convertBody(error, errors, parse, copy).catch(() => {}); // nests too deeply
      else copy?.body?.cancel().catch(() => {});
      throw error;
    });
    return Object.defineProperty(converted, "response", { get: () => pending.response });
  };
  return call as unknown as F;
}

/** Converts in place: the property `body` of an error cannot be written. */
async function convertBody(
  { status, body }: ApiError,
  errors: ErrorConverters,
  parse: JsonParser,
  copy: Response | undefined,
): Promise<void> {
  const converter = converterOf(errors, status);
  if (!converter || typeof body !== "object") return;
  const text = await copy?.text().catch(() => undefined);
  decodeValue(converter, body, text === undefined ? undefined : parse(text).exact, true);
}

function converterOf(errors: ErrorConverters, status: number): Converter | undefined {
  const key = [status, `${String(status).charAt(0)}XX`].find((each) => Object.hasOwn(errors, each)) ?? "default";
  return errors[key];
}

interface JsonSource {
  readonly response: Response;
  readonly reading: DecodeContext;
  readonly converter: Converter;
  readonly parse: JsonParser;
  /** What an invalid text is. */
  readonly what: string;
  /** The text for an error. */
  readonly body: () => string;
}

function decodeItem(text: string, source: Omit<JsonSource, "what" | "body">): unknown {
  return decodeJson(() => text, { ...source, what: "item is malformed JSON", body: () => text });
}

function decodeJson(read: () => string, source: JsonSource): unknown {
  const { response, reading, converter, parse, what, body } = source;
  const { status, headers } = response;
  const fail = (text: string): never => {
    throw reading.toError("decode", { text, status, headers, body: body().slice(0, 4096) });
  };
  let parsed: ParsedJson;
  try {
    parsed = parse(read());
  } catch {
    return fail(what);
  }
  try {
    return decodeValue(converter, parsed.value, parsed.exact);
  } catch (error) {
    // Otherwise a RangeError: the text nests deeper than the stack allows.
    return fail(
      error instanceof ConversionError ? `${error.pointer || "the body"} ${error.message}` : "body nests too deeply",
    );
  }
}
