import { buildGuard, type GuardOptions, type Pending, type Verdict } from "./guard.js";
import { remember } from "./inputs.js";
import { adapterOptions, ensureKnown } from "./known-options.js";
import { readNodeBytes, type NodeStream } from "./node-bytes.js";
import { NodeExchange, type NodeRequest } from "./node-exchange.js";
import type { Operation } from "./operation.js";
import { watchReply, type NodeResponse } from "./node-reply.js";
import { buildReplyGuard, type ReplyOptions } from "./replies.js";
import { told, type OnError, type Refusal, type Told } from "./refusal.js";

export interface NodeOptions<Request extends NodeRequest = NodeRequest> extends GuardOptions, ReplyOptions {
  /** Replaces the status, headers or body of an error response, also of the 500 of `responses: "enforce"`. */
  readonly onError?: OnError<Request>;
}

export type Next = (error?: unknown) => void;

/** Validates a request, and calls `next` for the handler. Passes an error to `next` if it cannot read the body. */
export type NodeValidator = (request: NodeRequest, response: NodeResponse, next: Next) => void;

/**
 * Creates a validator for a `node:http` server. The parsed body is in `request.body`.
 *
 * @param operations the operations to validate
 * @throws TypeError for an unknown option
 *
 * @example
 * createServer((request, response) => validate(request, response, (error) => …))
 */
export function nodeValidator(operations: Iterable<Operation>, options: NodeOptions = {}): NodeValidator {
  return validateWith(operations, options, (request) => request.url ?? "/");
}

/** Like `nodeValidator`, with a function that returns the request target. */
export function validateWith<Request extends NodeRequest>(
  operations: Iterable<Operation>,
  options: NodeOptions<Request>,
  targetOf: (request: Request) => string,
): (request: Request, response: NodeResponse, next: Next) => void {
  ensureKnown(options, adapterOptions);
  const guard = buildGuard(operations, options);
  const replies = buildReplyGuard(options);
  return (request, response, next) => {
    const settle = (verdict: Verdict): void => {
      if (verdict.kind === "refusal") return refuse({ verdict, request, response, next, onError: options.onError });
      if (verdict.kind === "accepted") {
        remember(request, verdict);
        if (replies !== undefined && request.method !== "HEAD")
          watchReply(response, {
            accepted: verdict,
            replies,
            tell: (refusal) => told(refusal, request, options.onError),
          });
        const { operation, input } = verdict;
        if (operation.definition.body !== undefined) (request as { body?: unknown }).body = input["body"];
      }
      next();
    };
    let verdict: Verdict | Pending;
    try {
      verdict = guard.judge(new NodeExchange(request, targetOf(request)));
    } catch (error) {
      return next(error);
    }
    if (verdict.kind !== "pending") return settle(verdict);
    const pending = verdict;
    if (request.readableDidRead) return next(new Error(eaten));
    judgeStream(request, pending, (error, judged) => {
      if (judged === undefined) next(error);
      else settle(judged);
    });
  };
}

/** Reads and validates a body. Synchronous after its last byte, except for multipart. */
export function judgeStream(
  stream: NodeStream,
  pending: Pending,
  done: (error: unknown, verdict?: Verdict) => void,
): void {
  readNodeBytes(stream, pending.limit, (failure, bytes) => {
    if (failure !== undefined) return done(failure);
    let judged: Verdict | Promise<Verdict>;
    try {
      judged = bytes === undefined ? pending.judgeTooLarge() : pending.judgeBody(bytes);
    } catch (error) {
      return done(error);
    }
    if (judged instanceof Promise) judged.then((verdict) => done(undefined, verdict), done);
    else done(undefined, judged);
  });
}

export const eaten =
  "The body was read before the request reached the validator. Register the validator before body parsers.";

interface Refusing<Request> {
  readonly verdict: Refusal;
  readonly request: Request;
  readonly response: NodeResponse;
  readonly next: Next;
  readonly onError: OnError<Request> | undefined;
}

function refuse<Request>({ verdict, request, response, next, onError }: Refusing<Request>): void {
  let reply: Told;
  try {
    reply = told(verdict, request, onError);
  } catch (error) {
    return next(error);
  }
  const { status, headers, text } = reply;
  response.writeHead(status, { ...headers, "content-length": String(new TextEncoder().encode(text).length) });
  response.end(text);
}
