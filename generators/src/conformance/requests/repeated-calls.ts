import type { CallStep, MakeStep, Step } from "@plumbline/conformance-runtime";
import type { RequestPlan } from "./request-plan.js";

/** The steps of one more call: the objects that it uses up, and the call. */
export function anotherCall(plan: RequestPlan, call: CallStep): readonly Step[] {
  return [...usedUpSteps(plan), call];
}

/** True when one plan can be called several times without other objects. */
export function isRepeatable({ usedUp }: RequestPlan): boolean {
  return usedUp.length === 0;
}

/** Calls that can be sent concurrently, with the objects that they use up. */
export function separateCalls(
  plan: RequestPlan,
  call: CallStep,
  count: number,
): { readonly setupSteps: readonly Step[]; readonly calls: readonly CallStep[] } | undefined {
  const steps = usedUpSteps(plan);
  if (steps.length === 0) return undefined;
  const copies = Array.from({ length: count }, (_, index) => renamed({ steps, call }, plan.usedUp, String(index)));
  return { setupSteps: copies.flatMap((each) => each.steps), calls: copies.map((each) => each.call) };
}

function usedUpSteps({ setupSteps, usedUp }: RequestPlan): readonly MakeStep[] {
  return setupSteps.filter((step): step is MakeStep => "make" in step && usedUp.includes(step.as));
}

function renamed<T>(steps: T, names: readonly string[], suffix: string): T {
  const text = names.reduce(
    (json, name) =>
      json
        .replaceAll(`"$get":"${name}#`, `"$get":"${name}${suffix}#`)
        .replaceAll(`"$get":"${name}"`, `"$get":"${name}${suffix}"`)
        .replaceAll(`"as":"${name}"`, `"as":"${name}${suffix}"`),
    JSON.stringify(steps),
  );
  return JSON.parse(text) as T;
}
