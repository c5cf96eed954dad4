import type { CallStep, Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Effect, Operation } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import type { RequestPlan } from "../../requests/request-plan.js";
import type { EffectValues } from "./expression-values.js";

/** An effect with its operation. */
export interface OperationEffect {
  readonly operation: Operation;
  readonly effect: Effect;
}

/** Creates a case of an effect. Later steps read the response as `answer`. */
export function createEffectCase(
  context: ConformanceContext,
  { operation, effect }: OperationEffect,
  description: {
    readonly plan: RequestPlan;
    readonly about?: string;
    readonly title: string;
    readonly steps: readonly Step[];
  },
): Case {
  const { plan, about, title, steps } = description;
  const stated = requirementIds(effect.sources);
  return createCase(context, {
    operation,
    kind: "effects",
    idParts: ["effects", effect.id, ...(about === undefined ? [] : [about])],
    title: `${operation.summary ?? operation.name}: ${title}`,
    requirements: stated.length > 0 ? stated : requirementIds(operation.sources),
    requires: plan.requires,
    exclusive: plan.exclusive,
    steps: [...plan.setupSteps, { settle: true }, ...steps],
  });
}

/** The values that are known after the plan's call. */
export function effectValuesOf(plan: RequestPlan, target?: string): EffectValues {
  return { response: "answer", target, parameters: plan.call.path ?? {} };
}

/** A plan with more fields in its body. */
export function planWithBody(call: CallStep, overlay: Readonly<Record<string, Template>>): CallStep {
  if (Object.keys(overlay).length === 0) return call;
  return { ...call, body: call.body === undefined ? overlay : { $merge: [call.body, overlay] } };
}
