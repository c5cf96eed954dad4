import { rateLimitError } from "../rate-limits/rate-limit-error.js";
import { countRates, type CountedRates } from "../rate-limits/rates.js";
import { andThen } from "../request/in-turn.js";
import type { RequestEvaluation } from "./request-evaluation.js";
import type { StepFactory } from "./step.js";

/** Counts the rates that do not depend on decoded values. */
export const countEarlyRates: StepFactory = ({ earlyRates }, server, errors) => {
  const { definition, options, rateStore: store } = server;
  const { global = [] } = options.limits ?? {};
  const rates = [...earlyRates, ...global.map((limit) => ({ limit }))];
  if (rates.length === 0) return undefined;
  return (evaluation) =>
    andThen(countRates(rates, evaluation.context, { store }), (counted) =>
      applyRates(counted, evaluation, { definition, errors }),
    );
};

/** Counts the rates that depend on decoded values. */
export const countLateRates: StepFactory = ({ lateRates }, { definition, rateStore: store }, errors) => {
  if (lateRates.length === 0) return undefined;
  return (evaluation) => {
    const { context, input } = evaluation;
    return andThen(countRates(lateRates, context, { store, input }), (counted) =>
      applyRates(counted, evaluation, { definition, errors }),
    );
  };
};

/** Notes the rate with the fewest remaining requests. Throws if one is exceeded. */
function applyRates(
  { exceeded, narrowest }: CountedRates,
  evaluation: RequestEvaluation,
  about: Parameters<typeof rateLimitError>[1],
): void {
  const { rate } = evaluation;
  const isNarrower =
    narrowest !== undefined && !(rate !== undefined && rate.result.remaining < narrowest.result.remaining);
  if (isNarrower) evaluation.rate = narrowest;
  if (exceeded === undefined) return;
  evaluation.rate = exceeded;
  throw rateLimitError(exceeded, about);
}
