import type { CallStep, Case, Step } from "@plumbline/conformance-runtime";
import { countOf, durationInWords, type Limit, type Operation } from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { expectError, findOperationError } from "../../requests/expect-error.js";
import { anotherCall } from "../../requests/repeated-calls.js";
import { planRequest } from "../../requests/request-plan.js";
import { aroundEnd } from "../lifecycle/deadlines.js";
import { limitCase, maxTestedRequests } from "./limit-case.js";

/** Cases of rates of outcomes that a valid request has: at the limit, one past it, just before the window ends, and again after it. */
export function outcomeRateCases(context: ConformanceContext, operation: Operation, limit: Limit): readonly Case[] {
  const { kind, max, window, counts, per, error } = limit;
  const failure = findOperationError(context, operation, error);
  const isCaused = operation.effects.some(
    ({ id, when }) => counts?.effects.includes(id) === true && when === undefined,
  );
  if (kind !== "outcome-rate" || max === undefined || window === undefined || failure === undefined || !isCaused)
    return [];
  // Other windows are waited for.
  if (max > maxTestedRequests || per !== undefined || window.seconds <= 10) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  const by = plan.call.by ?? { user: "eve" };
  const first: Step | undefined = plan.call.by === undefined ? { actor: { account: "own" }, as: "eve" } : undefined;
  const call: CallStep = { ...plan.call, by, isImmediate: true };
  const again = anotherCall(plan, call);
  const { near, over } = aroundEnd(context, window.seconds);
  const rejected: CallStep = { ...call, expect: expectError(failure) };
  return [
    limitCase(
      context,
      { operation, limit, failure, plan },
      {
        about: "counts-again",
        title: `${countOf(max, "request")} within ${durationInWords(window)} are accepted, the next one is rejected, and they count again after it`,
        ...(first === undefined ? {} : { first }),
        isNearEnd: true,
        steps: [{ repeat: again, times: max }, rejected, near, rejected, over, { repeat: again, times: max }, rejected],
      },
    ),
  ];
}
