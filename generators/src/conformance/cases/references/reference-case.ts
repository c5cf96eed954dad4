import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import type { ErrorDefinition, SchemaField } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { planRequest, type RequestPlanOptions } from "../../requests/request-plan.js";
import { callWithReference } from "./calls.js";
import type { ReferenceField } from "./fields.js";

export interface ReferenceCase {
  readonly about: string;
  readonly title: string;
  /** Steps that create the referenced object. */
  readonly setupSteps: readonly Step[];
  readonly value: Template;
  readonly objects: RequestPlanOptions["objects"];
  readonly error: ErrorDefinition | undefined;
  /** An item before it in a list. */
  readonly precedingItem?: Template;
}

/** A case of a valid request with this reference. */
export function createReferenceCase(
  context: ConformanceContext,
  naming: ReferenceField,
  { about, title, setupSteps, value, ...rest }: ReferenceCase,
): readonly Case[] {
  const { operation, field } = naming;
  const plan = planRequest(context, operation, { objects: rest.objects });
  const call = callWithReference(context, { naming, plan, value, ...rest });
  if (call === undefined) return [];
  return [
    createCase(context, {
      operation,
      kind: "references",
      idParts: [...referencePath(field), about],
      title: `${operation.summary ?? operation.name}: ${field.pointer.join(".")} ${title}`,
      requirements: naming.requirements.length > 0 ? naming.requirements : requirementIds(operation.sources),
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [...plan.setupSteps, ...setupSteps, call],
    }),
  ];
}

function referencePath({ pointer }: SchemaField): readonly string[] {
  return ["body", pointer.map((each) => (each === "*" ? "item" : each)).join(".")];
}
