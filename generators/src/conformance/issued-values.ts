import type { Step } from "@plumbline/conformance-runtime";
import type { ConformanceContext } from "./context/context.js";
import { referencedNames } from "./values/referenced-names.js";

/**
 * True if a body has what a function of the package or the test controls returned, such as a one-time code: it can end while other cases move
 * the clock.
 */
export function sendsIssuedValue({ controls }: ConformanceContext, steps: readonly Step[]): boolean {
  const reads = new Set(
    controls?.operations.flatMap(({ name, method }) => (method === "GET" ? [`controls:${name}`] : [])),
  );
  const issued = steps.flatMap((step) =>
    "code" in step || ("call" in step && reads.has(step.call)) ? (step.as ?? []) : [],
  );
  const bodies = steps
    .flatMap((step) => ("call" in step ? [step] : "frame" in step ? [step.frame] : []))
    .map(({ body }) => body);
  return issued.length > 0 && bodies.some((body) => issued.some((name) => referencedNames(body ?? null).has(name)));
}
