import type { CallStep, Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Effect, Operation } from "../model/api.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import type { Known } from "./effect-values.js";
import type { Plan } from "./plans.js";

/** An effect with its operation. */
export interface Caused {
  readonly operation: Operation;
  readonly effect: Effect;
}

/** Creates a case of an effect. Later steps read the response as `answer`. */
export function effectCase(
  context: Context,
  { operation, effect }: Caused,
  given: {
    readonly plan: Plan;
    readonly about?: string;
    readonly title: string;
    readonly steps: readonly Step[];
  },
): Case {
  const { plan, about, title, steps } = given;
  const own = requirementsOf(effect.sources);
  return caseOf(context, {
    operation,
    kind: "effects",
    about: ["effects", effect.id, ...(about === undefined ? [] : [about])],
    title: `${operation.summary ?? operation.name}: ${title}`,
    requirements: own.length > 0 ? own : requirementsOf(operation.sources),
    needs: plan.needs,
    alone: plan.alone,
    steps: [...plan.before, { settle: true }, ...steps],
  });
}

/** The values that are known after the plan's call. */
export function knownIn(plan: Plan, target?: string): Known {
  return { answer: "answer", ...(target === undefined ? {} : { target }), parameters: plan.call.path ?? {} };
}

/** A plan with more fields in its body. */
export function withBody(call: CallStep, overlay: Readonly<Record<string, Template>>): CallStep {
  if (Object.keys(overlay).length === 0) return call;
  return { ...call, body: call.body === undefined ? overlay : { $merge: [call.body, overlay] } };
}
