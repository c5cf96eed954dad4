import type { CallStep, MakeStep, Template } from "@plumbline/conformance-runtime";
import type { ErrorDefinition } from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { expectError } from "../../requests/expect-error.js";
import { objectNames, pointerInto } from "../../requests/object-chains.js";
import {
  createdObjectName,
  canBeCreatedWithin,
  bodyWithFields,
  creationSteps,
  placeReference,
} from "../../requests/reference-bodies.js";
import { planRequest, type RequestPlan } from "../../requests/request-plan.js";
import type { ReferenceField } from "./fields.js";

/** A reference to set, and the expected result. */
export interface ReferenceTarget {
  readonly naming: ReferenceField;
  readonly plan: RequestPlan;
  readonly value: Template;
  /** The expected error. Absent: the request is accepted. */
  readonly error: ErrorDefinition | undefined;
  /** An item before it in a list. */
  readonly precedingItem?: Template;
}

/** The plan's call with the reference in a field, and with the expected error. */
export function callWithReference(context: ConformanceContext, target: ReferenceTarget): CallStep | undefined {
  const { naming, plan, value, error, precedingItem } = target;
  const { operation, body: schema, field } = naming;
  const beside = context.settings.operations[operation.name]?.beside?.[field.pointer.join(".")];
  const base = plan.call.body;
  const body = beside === undefined ? base : bodyWithFields(base, beside);
  const put = placeReference(context, {
    body,
    schema,
    pointer: field.pointer,
    value,
    precedingItem,
  });
  if (put === undefined) return undefined;
  const call = { ...plan.call, body: put.body };
  return error === undefined ? call : { ...call, expect: expectError(error, put.location) };
}

/** Steps for an object that a field may reference. */
export function referencableObject(
  context: ConformanceContext,
  { operation, reference, parent }: ReferenceField,
  options: { readonly isOwn?: true } = {},
): { readonly makes: readonly MakeStep[]; readonly value: Template } | undefined {
  const as = createdObjectName(reference.to);
  const { names } = planRequest(context, operation, { objects: "shared" });
  if (parent !== undefined && !canBeCreatedWithin(context, reference.to, parent)) return undefined;
  const within = parent === undefined ? {} : objectNames(operation, names);
  const makes = creationSteps(context, { resource: reference.to, as, parents: within, ...options });
  return makes === undefined ? undefined : { makes, value: pointerInto(as, `/${reference.by ?? "id"}`) };
}
