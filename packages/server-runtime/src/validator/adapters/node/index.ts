import {
  type PendingBody,
  type ValidationOutcome,
  type Next,
  readNodeBytes,
  type NodeStream,
  NodeRequestHead,
  type NodeRequest,
  type Operation,
  type SerializedError,
  type HeadOutcome,
} from "../../../http/index.js";
import { HostValidator, type HostOptions } from "../host-validator.js";
import { errorHeaders, watchResponse, type NodeResponse } from "./node-response.js";

export type { Next, NodeRequest } from "../../../http/index.js";

export interface NodeOptions<Request extends NodeRequest = NodeRequest> extends HostOptions<Request> {}

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
  const validator = new HostValidator<Request>(operations, options);
  const leavesBody = ({ definition }: Operation): boolean => options.unreadBodies?.includes(definition.name) === true;
  return (request, response, next) => {
    const settle = (outcome: ValidationOutcome): void => {
      let errorResponse: SerializedError | undefined;
      try {
        errorResponse = validator.settle(outcome, request);
      } catch (error) {
        return next(error);
      }
      if (errorResponse !== undefined) return sendError(errorResponse, response);
      const validate = validator.responseValidator(outcome, request, request.method);
      if (validate !== undefined) watchResponse(response, validate);
      if (outcome.kind === "accepted") {
        const { operation, input } = outcome;
        if (operation.definition.body !== undefined && !leavesBody(operation))
          (request as { body?: unknown }).body = input["body"];
      }
      next();
    };
    const validateBody = (pending: HeadOutcome): void => {
      if (pending.kind !== "pending") return settle(pending);
      if (request.readableDidRead) {
        const body = options.acceptParsedBody === true ? parsedBody(request as ParsedRequest) : undefined;
        if (body === filesOnDisk) return next(new Error(filesOnDiskMessage));
        const validated = body === undefined ? undefined : pending.validateValue(body);
        return validated === undefined ? next(new Error(bodyUsedMessage)) : settle(validated);
      }
      validateStream(request, pending, (error, validated) => {
        if (validated === undefined) next(error);
        else settle(validated);
      });
    };
    let outcome: HeadOutcome | Promise<HeadOutcome>;
    try {
      outcome = validator.validate(new NodeRequestHead(request, targetOf(request)), request);
    } catch (error) {
      return next(error);
    }
    if (outcome instanceof Promise) outcome.then(validateBody, next);
    else validateBody(outcome);
  };
}

/** Reads and validates a body. Synchronous after its last byte. */
export function validateStream(
  stream: NodeStream,
  pending: PendingBody,
  done: (error: unknown, outcome?: ValidationOutcome) => void,
): void {
  readNodeBytes(stream, pending, (failure, bytes) => {
    if (failure !== undefined) return done(failure);
    let outcome: ValidationOutcome;
    try {
      outcome = bytes === undefined ? pending.rejectTooLarge() : pending.validateBody(bytes);
    } catch (error) {
      return done(error);
    }
    done(undefined, outcome);
  });
}

/** What parsers leave in a request: `body`, and what `multer` leaves beside it. */
interface ParsedRequest {
  readonly body?: unknown;
  readonly file?: Upload;
  readonly files?: readonly Upload[] | Readonly<Record<string, readonly Upload[]>>;
}

interface Upload {
  readonly fieldname: string;
  readonly originalname: string;
  readonly mimetype: string;
  /** Undefined for files on disk. */
  readonly buffer?: Uint8Array;
}

/** Stands for a form whose files `multer` has written to disk, where their bytes are not at hand. */
const filesOnDisk = Symbol("filesOnDisk");

/** The body with the files of `multer` among its fields. */
function parsedBody({ body, file, files = [] }: ParsedRequest): unknown {
  const uploads = [...(file === undefined ? [] : [file]), ...Object.values<Upload | readonly Upload[]>(files).flat()];
  if (uploads.length === 0) return body;
  if (uploads.some(({ buffer }) => buffer === undefined)) return filesOnDisk;
  const fields = new Map<string, unknown[]>();
  for (const { fieldname, originalname, mimetype, buffer } of uploads) {
    const part = { fileName: originalname, type: mimetype, bytes: buffer };
    fields.set(fieldname, [...(fields.get(fieldname) ?? []), part]);
  }
  return { ...(body as object | undefined), ...Object.fromEntries(fields) };
}

export const bodyUsedMessage =
  "The body was read before the request reached the validator. Register the validator before body parsers, or pass `acceptParsedBody: true`.";

const filesOnDiskMessage =
  "The files of the form are on disk, where the validator does not read them. Use `multer.memoryStorage()`, or list the operation in `unreadBodies` and put the validator before `multer`.";

function sendError(error: SerializedError, response: NodeResponse): void {
  response.writeHead(error.status, errorHeaders(error));
  response.end(error.text);
}
