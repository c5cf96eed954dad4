import type { Suite } from "@plumbline/conformance-runtime";
import type { Fault } from "./fault.js";
import { casesForFault } from "./outcomes.js";

/** The fault of each class with the fewest cases. */
export function oneOfEachClass(faults: readonly Fault[], suite: Pick<Suite, "cases">): readonly Fault[] {
  const fewest = new Map<number, { readonly fault: Fault; readonly cases: number }>();
  for (const fault of faults) {
    const cases = casesForFault(fault, suite).length;
    if (cases < (fewest.get(fault.class)?.cases ?? Infinity)) fewest.set(fault.class, { fault, cases });
  }
  return [...fewest.values()].map(({ fault }) => fault).toSorted((a, b) => a.class - b.class);
}
