import { contentFor, parseMediaType, type Issues } from "../../http/index.js";
import { validateChange, type ChangeContent } from "../conditions/mutability.js";
import type { OperationPlan } from "../operation-plan.js";
import { andThen } from "../request/in-turn.js";
import type { RequestContext } from "../request/request-context.js";
import type { StepFactory } from "./step.js";

/** Reads, decodes and validates the request. */
export const decodeRequest: StepFactory =
  (_plan, { decoder }, errors) =>
  (evaluation) =>
    andThen(decoder.inputOf(evaluation.request, errors), (input) => {
      evaluation.input = input;
    });

/** Validates a change of a stored object, after it was loaded. */
export const validateStoredContent: StepFactory = (plan, { options }, errors) => {
  const contents = Object.values(plan.operation.definition.body?.contents ?? {});
  if (contents.every(({ stored }) => stored === undefined)) return undefined;
  const unknown = options.unknown ?? "strip";
  return (evaluation) => {
    const content = storedContentOf(plan, evaluation.handlerContext);
    if (content === undefined || evaluation.body === undefined) return;
    const issues: Issues = [];
    evaluation.body = validateChange(evaluation.body, evaluation.target, { content, unknown, issues });
    if (issues.length > 0) throw errors.invalidBody(issues);
  };
};

/** The schema for the media type of the body. */
function storedContentOf({ operation }: OperationPlan, context: RequestContext): ChangeContent | undefined {
  const contents = operation.definition.body?.contents ?? {};
  const [only, ...others] = Object.values(contents);
  if (others.length === 0) return only?.stored;
  const type = parseMediaType(context.header("content-type") ?? "");
  return type === undefined ? undefined : contentFor(contents, type)?.stored;
}
