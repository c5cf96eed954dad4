import {
  binaryBody,
  defaultBodyLimitBytes,
  type InputGroups,
  type PendingBody,
  type ValidationOutcome,
} from "../../http/index.js";
import { toErrorEntries, RejectedRequestError } from "../errors/errors.js";
import type { OperationErrors } from "../errors/operation-errors.js";
import type { Awaitable } from "../handlers.js";
import { BodyAlreadyUsedError, ClientDisconnectedError } from "../http/http-request.js";
import type { OperationPlan } from "../operation-plan.js";
import type { BaseServerOptions } from "../options.js";
import { BodyIntake, isBodyEnd } from "./body-intake.js";
import type { OperationRequest } from "./incoming-request.js";

/** Reads requests and validates them without stored data. */
export class RequestDecoder {
  readonly #options: BaseServerOptions;
  readonly #intake: BodyIntake;

  constructor(options: BaseServerOptions) {
    const { bodyLimit = defaultBodyLimitBytes, bodyMemory = defaultBodyMemoryBytes } = options;
    this.#options = options;
    // One body of the maximum size has to fit.
    this.#intake = new BodyIntake(Math.max(bodyMemory, bodyLimit));
  }

  /**
   * Returns the decoded input of a request.
   *
   * @throws RejectedRequestError if the request is not valid
   */
  inputOf({ plan, match, received, validator }: OperationRequest, errors: OperationErrors): Awaitable<InputGroups> {
    const limit = plan.limits.bytes?.max ?? streamLimitOf(plan, this.#options);
    const outcome = validator.validateMatched(match, received, limit);
    return outcome.kind === "pending"
      ? this.#read(outcome, { plan, received, errors })
      : inputOrThrow(outcome, plan, errors);
  }

  #read(pending: PendingBody, { plan, received, errors }: ReadContext): Awaitable<InputGroups> {
    const meter = this.#intake.watch(this.#timeOf(plan, pending));
    if (pending.isStream)
      return inputOrThrow(pending.acceptStream(received.stream(pending.limit, meter)), plan, errors);
    const reading = received.bytes(pending.limit, pending.isDeclared, meter);
    return reading.then((bytes) => {
      const outcome = bytes === undefined ? pending.rejectTooLarge() : pending.validateBody(bytes);
      return inputOrThrow(outcome, plan, errors);
    }, rethrowDisconnect);
  }

  /** Milliseconds in which the body has to arrive. The time of the description applies if it limits the bytes of the operation. */
  #timeOf({ limits }: OperationPlan, { isStream }: PendingBody): number {
    const { bodyTimeoutMs = defaultBodyTimeoutMs, streamTimeoutMs = defaultStreamTimeoutMs } = this.#options;
    const seconds = limits.bytes?.windowSeconds;
    if (seconds !== undefined) return seconds * 1000;
    return isStream ? streamTimeoutMs : bodyTimeoutMs;
  }
}

interface ReadContext extends Pick<OperationRequest, "plan" | "received"> {
  readonly errors: OperationErrors;
}

function inputOrThrow(outcome: ValidationOutcome, plan: OperationPlan, errors: OperationErrors): InputGroups {
  if (outcome.kind === "accepted") return outcome.input;
  if (outcome.kind === "pass") return {};
  const { status, issues, headers } = outcome;
  const id = status === 413 ? plan.limits.bytes?.error : undefined;
  if (id !== undefined) throw errors.documented(id);
  // An id that is not valid gets the same response as one that does not exist.
  if (status === 404) throw errors.shared(404);
  const { connection } = headers;
  throw new RejectedRequestError({
    status,
    errors: toErrorEntries(issues),
    issues,
    ...(connection === undefined ? {} : { headers: { Connection: connection } }),
  });
}

function streamLimitOf(
  { operation }: OperationPlan,
  { bodyLimit = defaultBodyLimitBytes, streamLimit = defaultStreamLimitBytes }: BaseServerOptions,
): number {
  const contents = Object.values(operation.definition.body?.contents ?? {});
  return contents.length > 0 && contents.every(({ decode }) => decode === binaryBody) ? streamLimit : bodyLimit;
}

const defaultStreamLimitBytes = 1_073_741_824;
const defaultBodyMemoryBytes = 67_108_864;
const defaultBodyTimeoutMs = 60_000;
const defaultStreamTimeoutMs = 3_600_000;

function rethrowDisconnect(error: unknown): never {
  throw error instanceof BodyAlreadyUsedError || isBodyEnd(error) ? error : new ClientDisconnectedError(error);
}
