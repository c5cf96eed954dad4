import { buildGuard, usualBodyLimit, type GuardOptions, type Pending, type Verdict } from "./guard.js";
import { remember, remembered } from "./inputs.js";
import { adapterOptions, ensureKnown } from "./known-options.js";
import { eaten, judgeStream } from "./node.js";
import { readNodeBytes, type NodeStream } from "./node-bytes.js";
import { NodeExchange, type NodeRequest } from "./node-exchange.js";
import type { Operation } from "./operation.js";
import { buildReplyGuard, type ReplyGuard, type ReplyOptions } from "./replies.js";
import { told, type OnError, type Refusal } from "./refusal.js";

/** The part of a Fastify request that the adapter uses. */
export interface FastifyRequest {
  readonly raw: NodeRequest;
  readonly originalUrl: string;
  body: unknown;
  [waiting]?: Verdict | Pending;
}

export interface FastifyOptions extends GuardOptions, ReplyOptions {
  /** Replaces the status, headers or body of an error response, also of the 500 of `responses: "enforce"`. */
  readonly onError?: OnError<FastifyRequest>;
}

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
  const plugin: FastifyValidator = async (given) => {
    const instance = given as Instance;
    const guard = buildGuard(operations, { ...options, basePath: options.basePath ?? instance.prefix });
    const settle = (verdict: Verdict, { request, reply, next }: Settling): void => {
      if (verdict.kind === "refusal") {
        const { status, headers, text } = told(verdict, request, options.onError);
        // Fastify would add a charset to the media type of a text.
        reply.code(status).headers({ ...headers });
        reply.send(new TextEncoder().encode(text));
        return;
      }
      if (verdict.kind === "accepted") remember(request, verdict);
      next();
    };
    instance.addHook("onRequest", (request, reply, next) => {
      const verdict = guard.judge(new NodeExchange(request.raw, request.originalUrl));
      if (verdict.kind !== "pending") return settle(verdict, { request, reply, next });
      request[waiting] = verdict;
      next();
    });
    takeOverParsers(instance);
    instance.addHook("preValidation", (request, reply, next) => {
      const verdict = request[waiting];
      if (verdict === undefined) return next();
      if (verdict.kind !== "pending") return settle(verdict, { request, reply, next });
      // Fastify did not call this adapter's parser: another parser has read the body, or there is none for its type.
      if (request.raw.readableDidRead) return next(new Error(eaten));
      judgeStream(request.raw, verdict, (error, judged) => {
        if (judged === undefined) return next(error as Error);
        if (judged.kind === "accepted") request.body = judged.input["body"];
        settle(judged, { request, reply, next });
      });
    });
    const replies = buildReplyGuard(options);
    if (replies !== undefined) watchReplies(instance, { replies, onError: options.onError });
  };
  return Object.assign(plugin, {
    [Symbol.for("skip-override")]: true,
    [Symbol.for("fastify.display-name")]: "@plumbline/validator-runtime",
  });
}

/** Property of a request for its verdict, before and after its body is validated. */
const waiting: unique symbol = Symbol("waiting");

interface Settling {
  readonly request: FastifyRequest;
  readonly reply: Reply;
  readonly next: Done;
}

interface Reply {
  code(status: number): Reply;
  headers(headers: Record<string, string>): Reply;
  send(payload: Uint8Array): Reply;
  readonly statusCode: number;
  getHeader(name: string): unknown;
  removeHeader(name: string): unknown;
}

type SendHook = (request: FastifyRequest, reply: Reply, payload: unknown, next: SendDone) => void;

type SendDone = (error: Error | null, payload?: unknown) => void;

type Hook = (request: FastifyRequest, reply: Reply, next: Done) => void;

type Parse = (request: FastifyRequest, payload: NodeStream, done: ParserDone) => void;

type ParserDone = (error: Error | null, body?: unknown) => void;

/** The part of a Fastify instance that the adapter calls. */
interface Instance {
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
function takeOverParsers(instance: Instance): void {
  const parseJson = instance.getDefaultJsonParser("error", "error");
  instance.removeContentTypeParser(["application/json", "text/plain"]);
  const parseWith =
    (otherwise: Parse) =>
    (request: FastifyRequest, payload: NodeStream, done: ParserDone): void => {
      const pending = request[waiting];
      // The operation documents no body, so it stays unread.
      if (pending?.kind !== "pending") return remembered(request) ? done(null) : otherwise(request, payload, done);
      judgeStream(payload, pending, (error, judged) => {
        if (judged === undefined) return done(error as Error);
        request[waiting] = judged;
        done(null, judged.kind === "accepted" ? judged.input["body"] : undefined);
      });
    };
  const ofText =
    (parse: (request: FastifyRequest, text: string, done: ParserDone) => void): Parse =>
    (request, payload, done) =>
      readNodeBytes(payload, instance.initialConfig.bodyLimit ?? usualBodyLimit, (error, bytes) => {
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

/** Validates responses except streams, which would have to be buffered. */
function watchReplies(
  instance: Instance,
  { replies, onError }: { readonly replies: ReplyGuard; readonly onError: OnError<FastifyRequest> | undefined },
): void {
  instance.addHook("onSend", (request, reply, payload, next) => {
    const accepted = remembered(request);
    const bytes = bytesOf(payload);
    if (accepted === undefined || bytes === undefined || request.raw.method === "HEAD") return next(null, payload);
    const type = typeOf(reply.getHeader("content-type"));
    const replace = (refusal: Refusal | undefined): void => {
      if (refusal === undefined) return next(null, payload);
      const { status, headers, text } = told(refusal, request, onError);
      reply.removeHeader("content-length");
      reply.code(status).headers({ ...headers });
      next(null, text);
    };
    replies.judge(accepted, { status: reply.statusCode, type, bytes }).then(replace).catch(next);
  });
}

function typeOf(header: unknown): string | undefined {
  return typeof header === "string" ? header : undefined;
}

function bytesOf(payload: unknown): Uint8Array | undefined {
  if (payload === undefined || payload === null) return new Uint8Array();
  if (typeof payload === "string") return new TextEncoder().encode(payload);
  return payload instanceof Uint8Array ? payload : undefined;
}

function failure(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}
