import type { CallStep, MakeStep, Template } from "@plumbline/conformance-runtime";
import type { Failure } from "../model/api.js";
import type { Context } from "./context.js";
import { planOf, type Plan } from "./plans.js";
import { calledNamed, isMadeWithin, laidOver, makingOf, placed } from "./reference-bodies.js";
import type { Naming } from "./reference-fields.js";
import { namesIn, part, refusal } from "./resource-paths.js";

/** What a field is to name, and what comes of it. */
export interface Wanted {
  readonly naming: Naming;
  readonly plan: Plan;
  readonly value: Template;
  /** Absent: it is accepted. */
  readonly failure: Failure | undefined;
  /** What stands before it, where it is an item. */
  readonly first?: Template;
}

/** The call of a plan in which a field names this; `expect` where it is refused. */
export function callNaming(context: Context, wanted: Wanted): CallStep | undefined {
  const { naming, plan, value, failure, first } = wanted;
  const { operation, body: shape, field } = naming;
  const beside = context.settings.operations[operation.name]?.beside?.[field.pointer.join(".")];
  const base = plan.call.body;
  const body = beside === undefined ? base : laidOver(base, beside);
  const put = placed(context, {
    body,
    shape,
    pointer: field.pointer,
    value,
    ...(first === undefined ? {} : { first }),
  });
  if (put === undefined) return undefined;
  const call = { ...plan.call, body: put.body };
  return failure === undefined ? call : { ...call, expect: refusal(failure, put.place) };
}

/** An object that a field may name, made for the case or the lane. */
export function fitting(
  context: Context,
  { operation, reference, parent }: Naming,
  fresh: { readonly fresh?: true } = {},
): { readonly makes: readonly MakeStep[]; readonly value: Template } | undefined {
  const as = calledNamed(reference.to);
  const { names } = planOf(context, operation, { objects: "shared" });
  if (parent !== undefined && !isMadeWithin(context, reference.to, parent)) return undefined;
  const within = parent === undefined ? {} : namesIn(operation, names);
  const makes = makingOf(context, { resource: reference.to, as, within, ...fresh });
  return makes === undefined ? undefined : { makes, value: part(as, `/${reference.by ?? "id"}`) };
}
