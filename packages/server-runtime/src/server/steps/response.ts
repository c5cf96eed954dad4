import { rateLimitError } from "../rate-limits/rate-limit-error.js";
import { andThen } from "../request/in-turn.js";
import { InvalidResponseError } from "../response/invalid-response-error.js";
import { UnsuccessfulResponseError } from "../response/response-builder.js";
import {
  serializeResponse,
  validateResponse,
  type HandlerResponse,
  type ResponseTables,
} from "../response/responses.js";
import { validatesResponses } from "../response/validates-responses.js";
import type { StepFactory } from "./step.js";

/** Reserves memory for the response of a read. */
export const reserveResponse: StepFactory = (plan, { responseBudget }) => {
  if (plan.isLocking) return undefined;
  return (evaluation) =>
    andThen(responseBudget.reserve(plan, evaluation.context), (reservation) => {
      evaluation.reservation = reservation;
    });
};

/** Serializes the response of the handler. */
export const formatResponse: StepFactory = ({ name }, { definition, options }) => {
  const { serializers, responseVisibility: visibility, responseHeaders: headers } = definition;
  const { undocumentedResponse } = options;
  const tables: ResponseTables = { serializers, visibility, headers, undocumentedResponse };
  return (evaluation) => {
    const { caller } = evaluation.handlerContext;
    evaluation.serialized = serializeResponse(
      evaluation.response as HandlerResponse,
      { caller, operation: name },
      tables,
    );
  };
};

/** Validates the serialized response. */
export const checkResponse: StepFactory = ({ name }, { options, responseValidators }) => {
  if (!validatesResponses(options)) return undefined;
  return async ({ serialized }) => {
    if (serialized === undefined) return;
    const issues = validateResponse(name, serialized, await responseValidators());
    if (issues.length > 0) throw new InvalidResponseError(name, serialized.status, issues);
  };
};

/** Ends the transaction: an error response that a handler returns rolls back, like one that it throws, and so does an effect above its limit. */
export const checkOutcome: StepFactory =
  (_plan, { definition }, errors) =>
  (evaluation) => {
    const { serialized, response, outcomes } = evaluation;
    if (serialized !== undefined && serialized.status >= 400) throw new UnsuccessfulResponseError(serialized);
    evaluation.effects = response?.effects ?? [];
    const exceeded = outcomes?.exceededBy(evaluation.effects);
    if (exceeded !== undefined) throw rateLimitError(exceeded, { errors, definition });
  };
