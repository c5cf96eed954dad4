import type { CallStep, MakeStep, Template } from "@plumbline/conformance-runtime";
import type { Failure } from "../model/api.js";
import type { Context } from "./context.js";
import { planOf, type Plan } from "./plans.js";
import { calledNamed, isMadeWithin, laidOver, makingOf, placed } from "./reference-bodies.js";
import type { Naming } from "./reference-fields.js";
import { namesIn, part, refusal } from "./resource-paths.js";

/** A reference to set, and the expected result. */
export interface Wanted {
  readonly naming: Naming;
  readonly plan: Plan;
  readonly value: Template;
  /** The expected error. Absent: the request is accepted. */
  readonly failure: Failure | undefined;
  /** An item before it in a list. */
  readonly first?: Template;
}

/** The plan's call with the reference in a field, and with the expected error. */
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

/** Steps for an object that a field may reference. */
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
