import { buildGuard, type GuardOptions, type Pending, type Verdict } from "./guard.js";
import { remember } from "./inputs.js";
import { eaten } from "./node.js";
import { readNodeBytes, type NodeStream } from "./node-bytes.js";
import { NodeExchange, type NodeRequest } from "./node-exchange.js";
import type { Operation } from "./operation.js";
import { brokenReply, buildReplyGuard, type ReplyGuard, type ReplyOptions } from "./replies.js";
import { told, type OnError } from "./refusal.js";

/** As much of Fastify's request as is looked at. */
export interface FastifyRequest {
  readonly raw: NodeRequest;
  readonly originalUrl: string;
  body: unknown;
}

export interface FastifyOptions extends GuardOptions, ReplyOptions {
  /** Replaces parts of a refusal: its status, headers or body. */
  readonly onError?: OnError<FastifyRequest>;
}

type Done = (error?: Error) => void;

/** A plugin for `app.register`. Its hooks are those of the context that it is registered in. */
export type FastifyValidator = (instance: object) => Promise<void>;

/**
 * Judges the requests of a Fastify app. Register it before other content type parsers and before routes; a parsed body
 * is in `request.body`.
 *
 * @example
 * await app.register(validator({ basePath: "/v4" }));
 */
export function fastifyValidator(operations: Iterable<Operation>, options: FastifyOptions = {}): FastifyValidator {
  const plugin: FastifyValidator = async (given) => {
    const instance = given as Instance;
    const guard = buildGuard(operations, { ...options, basePath: options.basePath ?? instance.prefix });
    const states = new WeakMap<FastifyRequest, State>();
    const settle = (verdict: Verdict, { request, reply, next }: Settling): void => {
      if (verdict.kind === "refusal") {
        const { status, headers, text } = told(verdict, request, options.onError);
        // Of a text, Fastify would add a charset to the type.
        reply
          .code(status)
          .headers({ ...headers })
          .send(new TextEncoder().encode(text));
        return;
      }
      if (verdict.kind === "accepted") remember(request, verdict);
      next();
    };
    instance.addHook("onRequest", (request, reply, next) => {
      const verdict = guard.judge(new NodeExchange(request.raw, request.originalUrl));
      if (verdict.kind !== "pass") states.set(request, { verdict });
      if (verdict.kind === "pending") next();
      else settle(verdict, { request, reply, next });
    });
    takeOverParsers(instance, states);
    instance.addHook("preValidation", (request, reply, next) => {
      const state = states.get(request);
      if (state?.verdict.kind !== "pending") {
        if (state === undefined || state.isJudgedLate !== true) return next();
        return settle(state.verdict, { request, reply, next });
      }
      // Nobody called our parser: another one did the work, or left it to be done.
      if (request.raw.readableDidRead) return next(new Error(eaten));
      readBody(state, state.verdict, request.raw)
        .then((body) => {
          request.body = body;
          settle(state.verdict as Verdict, { request, reply, next });
        })
        .catch(next);
    });
    const replies = buildReplyGuard(options);
    if (replies !== undefined) watchReplies(instance, states, replies);
  };
  return Object.assign(plugin, {
    [Symbol.for("skip-override")]: true,
    [Symbol.for("fastify.display-name")]: "@plumbline/validator-runtime",
  });
}

interface State {
  verdict: Verdict | Pending;
  isJudgedLate?: true;
}

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

type ParserDone = (error: Error | null, body?: unknown) => void;

/** As much of Fastify's instance as is called. */
interface Instance {
  readonly prefix: string;
  readonly initialConfig: { readonly bodyLimit?: number };
  addHook(name: "onRequest" | "preValidation", hook: Hook): unknown;
  addHook(name: "onSend", hook: SendHook): unknown;
  removeContentTypeParser(types: readonly string[]): unknown;
  addContentTypeParser(
    types: string | readonly string[],
    parser: (request: FastifyRequest, payload: NodeStream, done: ParserDone) => void,
  ): unknown;
  getDefaultJsonParser(
    onProto: "error",
    onConstructor: "error",
  ): (request: FastifyRequest, text: string, done: ParserDone) => void;
}

/** Bodies of our operations are ours to read; others are parsed as Fastify does by itself. */
function takeOverParsers(instance: Instance, states: WeakMap<FastifyRequest, State>): void {
  const usual = ["application/json", "text/plain"];
  const parseJson = instance.getDefaultJsonParser("error", "error");
  instance.removeContentTypeParser(usual);
  const parseWith =
    (otherwise: (request: FastifyRequest, text: string, done: ParserDone) => void) =>
    (request: FastifyRequest, payload: NodeStream, done: ParserDone): void => {
      const state = states.get(request);
      if (state?.verdict.kind === "pending") {
        readBody(state, state.verdict, payload).then((body) => done(null, body), done);
      } else if (state !== undefined) done(null);
      else {
        readText(payload, instance.initialConfig.bodyLimit).then((text) => otherwise(request, text, done), done);
      }
    };
  instance.addContentTypeParser("application/json", parseWith(parseJson));
  instance.addContentTypeParser(
    "text/plain",
    parseWith((_, text, done) => done(null, text)),
  );
  instance.addContentTypeParser("*", (request, payload, done) => {
    if (states.get(request) === undefined) done(failure(415, "Unsupported Media Type"));
    else parseWith(() => undefined)(request, payload, done);
  });
}

/** Streams pass: they would have to be held whole. */
function watchReplies(instance: Instance, states: WeakMap<FastifyRequest, State>, replies: ReplyGuard): void {
  instance.addHook("onSend", (request, reply, payload, next) => {
    const accepted = states.get(request)?.verdict;
    const bytes = bytesOf(payload);
    if (accepted?.kind !== "accepted" || bytes === undefined || request.raw.method === "HEAD")
      return next(null, payload);
    const type = typeOf(reply.getHeader("content-type"));
    replies.breaks(accepted, { status: reply.statusCode, type, bytes }).then((isBroken) => {
      if (!isBroken || !replies.isEnforced) return next(null, payload);
      reply.removeHeader("content-length");
      reply.code(brokenReply.status).headers({ "content-type": brokenReply.type });
      next(null, brokenReply.text);
    }, next);
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

async function readBody(state: State, pending: Pending, payload: NodeStream): Promise<unknown> {
  const bytes = await readNodeBytes(payload, pending.limit);
  const verdict = bytes === undefined ? pending.judgeTooLarge() : await pending.judgeBody(bytes);
  state.verdict = verdict;
  state.isJudgedLate = true;
  return verdict.kind === "accepted" ? verdict.input["body"] : undefined;
}

async function readText(payload: NodeStream, limit = 1_048_576): Promise<string> {
  const bytes = await readNodeBytes(payload, limit);
  if (bytes === undefined) throw failure(413, "Request body is too large");
  return new TextDecoder().decode(bytes);
}

function failure(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}
