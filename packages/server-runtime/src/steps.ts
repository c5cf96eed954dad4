import type { Grant } from "./grants.js";
import type { Plan } from "./plan.js";

/** What may be judged by what is stored, in this order, and which operations ask for it. */
const asks: Readonly<Record<Step, (plan: Asking) => boolean>> = {
  path: ({ resources: { path, target } }) => path.length > 0 || target !== undefined,
  change: ({ operation }) => operation.definition.body?.contents["application/json"]?.stored !== undefined,
  grants: ({ grants }) => grants.some((each) => !isOfBody(each)),
  body: ({ resources }) => resources.body.length > 0,
  bodyGrants: ({ grants }) => grants.some(isOfBody),
  fill: ({ values }) => values.length > 0,
  whole: ({ merged }) => merged !== undefined,
  ceilings: ({ ceilings }) => ceilings.length > 0,
  changes: ({ changes }) => changes.length > 0,
  refusals: ({ refusals }) => refusals.length > 0,
  states: ({ states }) => states.length > 0,
  unique: ({ limits: { unique = [] } }) => unique.length > 0,
  concurrency: ({ limits: { concurrency = [] } }) => concurrency.length > 0,
  list: ({ resources }) => resources.list !== undefined,
};

export type Step =
  | "path"
  | "change"
  | "grants"
  | "body"
  | "bodyGrants"
  | "fill"
  | "whole"
  | "ceilings"
  | "changes"
  | "refusals"
  | "states"
  | "unique"
  | "concurrency"
  | "list";

type Asking = Omit<Plan, "steps" | "isOrdered" | "isLocking">;

/** Of all steps those that an operation asks for. */
export function stepsOf(plan: Asking): readonly Step[] {
  return (Object.keys(asks) as Step[]).filter((step) => asks[step](plan));
}

/** True for grants that are judged by what the body names. */
export function isOfBody(grant: Grant): boolean {
  if (grant.when?.refs !== undefined) return true;
  return grant.kind === "entity" && grant.on.root === "request" && grant.on.part === "body";
}
