import {
  createRequestValidator,
  ensureKnown,
  serializeError,
  type ErrorOptions,
  type HeadOutcome,
  type Operation,
  type RawResponse,
  type RequestHead,
  type RequestValidator,
  type SerializedError,
  type ValidationOutcome,
  type ValidatorOptions,
} from "../../http/index.js";
import { adapterOptions } from "./known-options.js";
import { createResponseValidator, type ResponseValidationOptions, type ResponseValidator } from "./responses.js";
import type { SecurityOptions } from "./security-options.js";
import { attachInput } from "./validated-input.js";

/** The options of every adapter. */
export interface HostOptions<Subject>
  extends ValidatorOptions, ResponseValidationOptions, SecurityOptions<Subject>, ErrorOptions<Subject> {}

/** Resolves with the replacement of a response that is not valid, if `validateResponses` is `"enforce"`. */
export type ValidateResponse = (response: RawResponse) => Promise<SerializedError | undefined>;

/** What adapters have in common. A subject is what the host passes to handlers: its request, or its context. */
export class HostValidator<Subject extends object> {
  readonly #options: HostOptions<Subject>;
  readonly #requests: RequestValidator;
  readonly #responses: ResponseValidator | undefined;

  /** @throws TypeError for an unknown option */
  constructor(operations: Iterable<Operation>, options: HostOptions<Subject>) {
    ensureKnown(options, adapterOptions);
    this.#options = options;
    this.#requests = createRequestValidator(operations, options);
    this.#responses = createResponseValidator(options);
  }

  get validatesResponses(): boolean {
    return this.#responses !== undefined;
  }

  /** Validates the head of a request. A promise where handlers check its credentials first. */
  validate(head: RequestHead, subject: Subject): HeadOutcome | Promise<HeadOutcome> {
    const { security: handlers, securityCheck, reason } = this.#options;
    if (handlers === undefined) return this.#requests.validate(head);
    return this.#requests.validate(head, async ({ name: operation }) => {
      if (securityCheck === undefined) throw new TypeError("Missing option `securityCheck`.");
      return (await securityCheck())({ operation, head, subject, handlers, reason });
    });
  }

  /** The response to an invalid request. Undefined: the host passes the request on, with the input of a valid one. */
  settle(outcome: ValidationOutcome, subject: Subject): SerializedError | undefined {
    if (outcome.kind === "accepted") attachInput(subject, outcome);
    return outcome.kind === "error" ? serializeError(outcome, subject, this.#options) : undefined;
  }

  /** Undefined if the response is not validated. A response to HEAD has no body. */
  responseValidator(
    outcome: ValidationOutcome | undefined,
    subject: Subject,
    method: string | undefined,
  ): ValidateResponse | undefined {
    const responses = this.#responses;
    if (responses === undefined || outcome?.kind !== "accepted" || method === "HEAD") return undefined;
    return async (response) => {
      const errorResponse = await responses.validate(outcome, response);
      return errorResponse && serializeError(errorResponse, subject, this.#options);
    };
  }
}
