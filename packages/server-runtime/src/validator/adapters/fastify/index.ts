import {
  defaultBodyLimitBytes,
  type ValidationOutcome,
  ensureKnown,
  isObject,
  readNodeBytes,
  type NodeStream,
  NodeRequestHead,
  type NodeRequest,
  type Operation,
  type SerializedError,
  type HeadOutcome,
} from "../../../http/index.js";
import { HostValidator, type HostOptions } from "../host-validator.js";
import { adapterOptions } from "../known-options.js";
import { bodyUsedMessage, validateStream } from "../node/index.js";
import type { NodeResponse } from "../node/node-response.js";
import { attachedInput } from "../validated-input.js";

/** The part of a Fastify request that the adapter uses. */
export interface FastifyRequest {
  readonly raw: NodeRequest;
  readonly originalUrl: string;
  body: unknown;
  /** A method that `@fastify/multipart` adds. */
  isMultipart?(): boolean;
  [pendingBody]?: HeadOutcome;
  [headersBefore]?: ResponseHeaders;
}

type ResponseHeaders = Record<string, number | string | readonly string[] | undefined>;

export interface FastifyOptions extends HostOptions<FastifyRequest> {}

type Done = (error?: Error) => void;

/** A plugin for `app.register`. Its hooks belong to the context that registers it. */
export type FastifyValidator = (instance: object) => Promise<void>;

/**
 * Creates a Fastify plugin that validates requests. The parsed body is in `request.body`.
 * Register it before other content type parsers and before routes. Without `basePath`, paths start at the plugin's prefix.
 *
 * @param operations the operations to validate
 * @throws TypeError for an unknown option
 *
 * @example
 * await app.register(validator({ basePath: "/v4" }));
 */
export function fastifyValidator(operations: Iterable<Operation>, options: FastifyOptions = {}): FastifyValidator {
  ensureKnown(options, adapterOptions);
  const plugin: FastifyValidator = async (value) => {
    const instance = value as FastifyInstance;
    const { basePath = instance.prefix } = options;
    const validator = new HostValidator<FastifyRequest>(operations, { ...options, basePath });
    const settle = (outcome: ValidationOutcome, { request, response, next }: SettleContext): void => {
      let errorResponse: SerializedError | undefined;
      try {
        errorResponse = validator.settle(outcome, request);
      } catch (error) {
        return next(error as Error);
      }
      if (errorResponse === undefined) {
        if (validator.validatesResponses) request[headersBefore] = response.getHeaders();
        return next();
      }
      const { status, headers, text } = errorResponse;
      // Fastify would add a charset to the media type of a text.
      response.code(status).headers({ ...headers });
      response.send(new TextEncoder().encode(text));
    };
    instance.addHook("onRequest", (request, response, next) => {
      const proceed = (outcome: HeadOutcome): void => {
        if (outcome.kind !== "pending") return settle(outcome, { request, response, next });
        request[pendingBody] = outcome;
        next();
      };
      const outcome = validator.validate(new NodeRequestHead(request.raw, request.originalUrl), request);
      if (outcome instanceof Promise) outcome.then(proceed, next);
      else proceed(outcome);
    });
    replaceParsers(instance);
    instance.addHook("preValidation", (request, response, next) => {
      const outcome = request[pendingBody];
      if (outcome === undefined) return next();
      if (outcome.kind !== "pending") return settle(outcome, { request, response, next });
      const finish = (validated: ValidationOutcome | undefined, error: unknown = new Error(bodyUsedMessage)): void => {
        if (validated === undefined) return next(error as Error);
        if (validated.kind === "accepted") request.body = validated.input["body"];
        settle(validated, { request, response, next });
      };
      // Fastify did not call this adapter's parser: another parser has read the body, or there is none for its type.
      if (!request.raw.readableDidRead)
        return validateStream(request.raw, outcome, (error, validated) => finish(validated, error));
      // `@fastify/multipart` attaches nothing for a form without parts.
      const parsed = request.isMultipart?.() === true ? (request.body ?? {}) : request.body;
      if (options.acceptParsedBody !== true || parsed === undefined) return finish(undefined);
      valueOfForm(parsed)
        .then((body) => finish(outcome.validateValue(body)))
        .catch(next);
    });
    if (validator.validatesResponses) watchResponses(instance, validator);
  };
  return Object.assign(plugin, {
    [Symbol.for("skip-override")]: true,
    [Symbol.for("fastify.display-name")]: "@plumbline/server-runtime/validator",
  });
}

/** Property of a request for its outcome, before and after its body is validated. */
const pendingBody: unique symbol = Symbol("pendingBody");

/** Property of a request for the headers of its response from before the validator. */
const headersBefore: unique symbol = Symbol("headersBefore");

interface SettleContext {
  readonly request: FastifyRequest;
  readonly response: FastifyReply;
  readonly next: Done;
}

interface FastifyReply {
  code(status: number): FastifyReply;
  headers(headers: ResponseHeaders): FastifyReply;
  send(payload: Uint8Array): FastifyReply;
  readonly statusCode: number;
  readonly raw: Pick<NodeResponse, "removeHeader">;
  getHeader(name: string): ResponseHeaders[string];
  getHeaders(): ResponseHeaders;
  removeHeader(name: string): unknown;
}

type SendHook = (request: FastifyRequest, response: FastifyReply, payload: unknown, next: SendDone) => void;

type SendDone = (error: Error | null, payload?: unknown) => void;

type Hook = (request: FastifyRequest, response: FastifyReply, next: Done) => void;

type Parse = (request: FastifyRequest, payload: NodeStream, done: ParserDone) => void;

type ParserDone = (error: Error | null, body?: unknown) => void;

/** The part of a Fastify instance that the adapter calls. */
interface FastifyInstance {
  readonly prefix: string;
  readonly initialConfig: { readonly bodyLimit?: number };
  addHook(name: "onRequest" | "preValidation", hook: Hook): unknown;
  addHook(name: "onSend", hook: SendHook): unknown;
  removeContentTypeParser(types: readonly string[]): unknown;
  addContentTypeParser(types: string | readonly string[], parser: Parse): unknown;
  getDefaultJsonParser(
    onProto: "error",
    onConstructor: "error",
  ): (request: FastifyRequest, text: string, done: ParserDone) => void;
}

/** Parses bodies of validated operations. Passes others to Fastify's own parsers. */
function replaceParsers(instance: FastifyInstance): void {
  const parseJson = instance.getDefaultJsonParser("error", "error");
  instance.removeContentTypeParser(["application/json", "text/plain"]);
  const parseWith =
    (otherwise: Parse) =>
    (request: FastifyRequest, payload: NodeStream, done: ParserDone): void => {
      const pending = request[pendingBody];
      // The operation documents no body, so it stays unread.
      if (pending?.kind !== "pending") return attachedInput(request) ? done(null) : otherwise(request, payload, done);
      validateStream(payload, pending, (error, outcome) => {
        if (outcome === undefined) return done(error as Error);
        request[pendingBody] = outcome;
        done(null, outcome.kind === "accepted" ? outcome.input["body"] : undefined);
      });
    };
  const ofText =
    (parse: (request: FastifyRequest, text: string, done: ParserDone) => void): Parse =>
    (request, payload, done) =>
      readNodeBytes(payload, { limit: instance.initialConfig.bodyLimit ?? defaultBodyLimitBytes }, (error, bytes) => {
        if (bytes === undefined) return done(error ?? failure(413, "Request body is too large"));
        parse(request, new TextDecoder().decode(bytes), done);
      });
  instance.addContentTypeParser("application/json", parseWith(ofText(parseJson)));
  instance.addContentTypeParser("text/plain", parseWith(ofText((_, text, done) => done(null, text))));
  instance.addContentTypeParser(
    "*",
    parseWith((_, __, done) => done(failure(415, "Unsupported Media Type"))),
  );
}

/** The body. Of a form that `attachFieldsToBody: true` of `@fastify/multipart` has attached, the values of its parts. */
async function valueOfForm(body: unknown): Promise<unknown> {
  const isPart = (value: unknown): value is FormPart => isObject(value) && value["fields"] === body;
  const values = new Map<string, unknown[]>();
  for (const [name, field] of Object.entries(Object(body)))
    for (const part of [field].flat().filter(isPart)) {
      const value = part.toBuffer
        ? { fileName: part.filename, type: part.mimetype, bytes: await part.toBuffer() }
        : part.value;
      values.set(name, [...(values.get(name) ?? []), value]);
    }
  return values.size > 0 ? Object.fromEntries(values) : body;
}

/** A part of a form of `@fastify/multipart`. */
interface FormPart {
  readonly value?: unknown;
  readonly filename?: string;
  readonly mimetype: string;
  /** The bytes of a file. */
  toBuffer?(): Promise<Uint8Array>;
}

/** Validates responses except streams, which would have to be buffered. */
function watchResponses(instance: FastifyInstance, validator: HostValidator<FastifyRequest>): void {
  instance.addHook("onSend", (request, response, payload, next) => {
    const validate = validator.responseValidator(attachedInput(request), request, request.raw.method);
    const bytes = bytesOf(payload);
    if (validate === undefined || bytes === undefined) return next(null, payload);
    const header = (name: string) => response.getHeader(name)?.toString();
    const [type, encoding] = [header("content-type"), header("content-encoding")];
    const replace = (replacement: SerializedError | undefined): void => {
      if (replacement === undefined) return next(null, payload);
      const { status, headers, text } = replacement;
      for (const name of Object.keys(response.getHeaders())) {
        response.removeHeader(name);
        response.raw.removeHeader(name);
      }
      response.code(status).headers({ ...request[headersBefore], ...headers });
      next(null, text);
    };
    validate({ status: response.statusCode, type, encoding, bytes, header }).then(replace).catch(next);
  });
}

function bytesOf(payload: unknown): Uint8Array | undefined {
  if (payload === undefined || payload === null) return new Uint8Array();
  if (typeof payload === "string") return new TextEncoder().encode(payload);
  return payload instanceof Uint8Array ? payload : undefined;
}

function failure(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}
