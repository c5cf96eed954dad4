import type { Case } from "@plumbline/conformance-runtime";
import { findField, findJsonContent, type Operation, sizeLimits } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { acceptedPlan } from "../../requests/callers.js";
import { createdResource } from "../../requests/created-resources.js";
import { pathReferences, type PathObjectReference } from "../../requests/object-chains.js";
import { callStep, planRequest } from "../../requests/request-plan.js";

/** An object whose name contains a slash is found by it, where the path accepts encoded slashes. */
export function encodedSlashCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    // Objects within others need the others first; no description has such names yet.
    const [naming, ...others] = pathReferences(operation);
    if (naming?.encodedSlash !== true || others.length > 0) return [];
    const create = context.api.operations.find(
      (each) => createdResource(context.api, each)?.resource.name === naming.reference.to,
    );
    return create !== undefined && mayContainSlash(context, create, naming)
      ? [foundCase(context, operation, { create, naming })]
      : [];
  });
}

interface Named {
  readonly create: Operation;
  readonly naming: PathObjectReference;
}

function foundCase(context: ConformanceContext, operation: Operation, { create, naming }: Named): Case {
  const { name, sources } = naming;
  const created = acceptedPlan(context, create);
  const plan = planRequest(context, operation, { objects: "own" });
  const by = nameField(naming);
  const at = createdResource(context.api, create)?.pointer ?? "";
  const label = { [by]: { $text: [{ $unique: "label" }, "/b"] } };
  const body = created.call.body === undefined ? label : { $merge: [created.call.body, label] };
  return createCase(context, {
    operation,
    kind: "resources",
    idParts: ["path", name, "contains-slash"],
    title: `${operation.summary ?? operation.name}: ${name} that contains a slash is found with the slash encoded`,
    requirements: requirementIds(sources),
    requires: [...new Set([...created.requires, ...plan.requires])],
    exclusive: created.exclusive || plan.exclusive,
    steps: [
      ...created.setupSteps,
      callStep(created, { body, as: "made" }),
      callStep(plan, { path: { ...plan.call.path, [name]: { $get: `made#/body${at}/${by}` } } }),
    ],
  });
}

/** Whether the operation that creates the object accepts any text as its name. */
function mayContainSlash(
  { api }: ConformanceContext,
  { requestBody }: Operation,
  naming: PathObjectReference,
): boolean {
  const schema = requestBody && findJsonContent(requestBody.contents)?.schema;
  const field = schema && findField(api, schema, [nameField(naming)]);
  if (field === undefined) return false;
  const { types, pattern, format, enum: values } = field;
  const { most = Infinity } = sizeLimits("characters", [field]);
  const isBound = pattern !== undefined || format !== undefined || values !== undefined;
  return types.includes("string") && !isBound && most >= longestName;
}

function nameField({ reference }: PathObjectReference): string {
  return reference.by ?? "id";
}

// A unique label has up to 32 characters; the slash and a letter follow.
const longestName = 34;
