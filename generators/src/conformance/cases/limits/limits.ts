import type { Case } from "@plumbline/conformance-runtime";
import type { ConformanceContext } from "../../context/context.js";
import { concurrencyCases } from "./concurrency.js";
import { lengthCases } from "./lengths.js";
import { outcomeRateCases } from "./outcome-rates.js";
import { rateCases } from "./rates.js";
import { retentionCases } from "./retention.js";
import { uniqueCases } from "./uniqueness.js";

/** Cases of limits: at the limit, one past it, concurrent requests, and requests that do not count. */
export function limitCases(context: ConformanceContext): readonly Case[] {
  return [
    ...context.api.operations.flatMap((operation) =>
      operation.limits.flatMap((limit) => [
        ...rateCases(context, operation, limit),
        ...outcomeRateCases(context, operation, limit),
        ...concurrencyCases(context, operation, limit),
      ]),
    ),
    ...uniqueCases(context),
    ...lengthCases(context),
    ...retentionCases(context),
  ];
}
