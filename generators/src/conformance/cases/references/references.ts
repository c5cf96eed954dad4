import type { Case } from "@plumbline/conformance-runtime";
import { collectFields, findJsonContent } from "@plumbline/kit/model";
import { requirementIds, type ConformanceContext } from "../../context/context.js";
import { isOfTenant } from "../../context/suite-callers.js";
import { findErrorOf, pathReferences, nonexistentId, pointerInto } from "../../requests/object-chains.js";
import { canBeCreatedWithin, creationSteps } from "../../requests/reference-bodies.js";
import { setupStep } from "../../requests/request-plan.js";
import { referencableObject } from "./calls.js";
import { deletedReferenceCases } from "./deleted-references.js";
import { referenceFields, type ReferenceField } from "./fields.js";
import { createReferenceCase } from "./reference-case.js";
import { unchangedOnRejectionCases } from "./unchanged-on-rejection.js";

/** Cases of references in bodies: the object must exist, be visible to the caller, have the right parent and meet the condition. */
export function referenceCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const schema = operation.requestBody && findJsonContent(operation.requestBody.contents)?.schema;
    if (schema === undefined) return [];
    const fields = collectFields(context.api, schema).flatMap((field) =>
      referenceFields(context, operation, { schema, field }),
    );
    return [...fields.flatMap((each) => casesOf(context, each)), ...unchangedOnRejectionCases(context, fields)];
  });
}

function casesOf(context: ConformanceContext, naming: ReferenceField): readonly Case[] {
  return [
    ...missingCases(context, naming),
    ...otherAccountCases(context, naming),
    ...otherParentCases(context, naming),
    ...unmetConditionCases(context, naming),
    ...acceptedReferenceCases(context, naming),
    ...createdByNameCases(context, naming),
    ...deletedReferenceCases(context, naming),
  ];
}

function missingCases(context: ConformanceContext, naming: ReferenceField): readonly Case[] {
  const { operation, reference, field } = naming;
  const error = findErrorOf(context, operation, reference.onNotFound);
  if (error === undefined) return [];
  const value = nonexistentId(context, field.schema);
  const title = `with a missing ${reference.to} is rejected`;
  const alone = createReferenceCase(context, naming, {
    about: "missing",
    title,
    setupSteps: [],
    value,
    objects: "shared",
    error,
  });
  if (field.pointer.at(-1) !== "*") return alone;
  const good = referencableObject(context, naming);
  if (good === undefined) return alone;
  return [
    ...alone,
    ...createReferenceCase(context, naming, {
      about: "second-missing",
      title: `with a missing ${reference.to} as second item is rejected for the second`,
      setupSteps: good.makes,
      precedingItem: good.value,
      value,
      objects: "shared",
      error,
    }),
  ];
}

function otherAccountCases(context: ConformanceContext, naming: ReferenceField): readonly Case[] {
  const { operation, reference } = naming;
  const error = findErrorOf(context, operation, reference.onNotFound);
  const resource = context.resources.get(reference.to);
  const isOwned = resource !== undefined && (isOfTenant(context.api, resource) || resource.owner.includes("user"));
  if (error === undefined || !isOwned) return [];
  const makes = creationSteps(context, { resource: reference.to, as: "foreign", by: "other-account" });
  if (makes === undefined) return [];
  return createReferenceCase(context, naming, {
    about: "of-another-account",
    title: `with a ${reference.to} of another account is rejected like a missing one`,
    setupSteps: makes,
    value: pointerInto("foreign", `/${reference.by ?? "id"}`),
    objects: "shared",
    error,
  });
}

function otherParentCases(context: ConformanceContext, naming: ReferenceField): readonly Case[] {
  const { operation, reference, parent } = naming;
  const error = findErrorOf(context, operation, reference.onNotFound ?? reference.onConstraintViolation);
  if (error === undefined || parent === undefined) return [];
  const isWithin = canBeCreatedWithin(context, reference.to, parent);
  // A fixture without an input for the parent creates its own parent.
  const outer = isWithin ? creationSteps(context, { resource: parent, as: "other", isOwn: true }) : [];
  const within = { [parent]: "other" };
  const makes = creationSteps(context, { resource: reference.to, as: "elsewhere", parents: within });
  if (outer === undefined || makes === undefined) return [];
  return createReferenceCase(context, naming, {
    about: "of-another-parent",
    title: `with a ${reference.to} of another ${parent} is rejected like a missing one`,
    setupSteps: [...outer, ...makes],
    value: pointerInto("elsewhere", `/${reference.by ?? "id"}`),
    objects: "shared",
    error,
  });
}

/** The fixture `Resource@unfit` of the settings creates an object that does not meet the condition. */
function unmetConditionCases(context: ConformanceContext, naming: ReferenceField): readonly Case[] {
  const { operation, reference } = naming;
  const error = findErrorOf(context, operation, reference.onConstraintViolation);
  if (error === undefined || reference.where === undefined) return [];
  const makes = creationSteps(context, { resource: `${reference.to}@unfit`, as: "unfit" });
  if (makes === undefined) return [];
  const cases = createReferenceCase(context, naming, {
    about: "unfit",
    title: `with a ${reference.to} that does not meet the condition is rejected`,
    setupSteps: makes,
    value: pointerInto("unfit", `/${reference.by ?? "id"}`),
    objects: "shared",
    error,
  });
  return cases.map((each) => ({
    ...each,
    requirements: [...new Set([...each.requirements, ...requirementIds(error.sources)])],
  }));
}

function acceptedReferenceCases(context: ConformanceContext, naming: ReferenceField): readonly Case[] {
  const good = referencableObject(context, naming, { isOwn: true });
  if (good === undefined || naming.reference.onNotFound === "create") return [];
  return createReferenceCase(context, naming, {
    about: "fitting",
    title: `with an existing ${naming.reference.to} is accepted`,
    setupSteps: good.makes,
    value: good.value,
    objects: "own",
    error: undefined,
  });
}

function createdByNameCases(context: ConformanceContext, naming: ReferenceField): readonly Case[] {
  const { operation, reference, field } = naming;
  const readOperation = context.operations.get(context.resources.get(reference.to)?.read ?? "");
  const [parameter, ...more] = readOperation === undefined ? [] : pathReferences(readOperation);
  if (reference.onNotFound !== "create" || readOperation === undefined || parameter === undefined || more.length > 0)
    return [];
  return createReferenceCase(context, naming, {
    about: "made",
    title: `with a missing ${reference.to} creates it`,
    setupSteps: [],
    value: { $unique: "label" },
    objects: "own",
    error: undefined,
  }).map((each) => {
    const steps = each.steps.map((step) =>
      "call" in step && step.call === operation.name ? { ...step, as: "answer" } : step,
    );
    const place = `answer#/request/body/${field.pointer.map((token) => (token === "*" ? "0" : token)).join("/")}`;
    const path = { [parameter.name]: { $get: place } };
    const remove = context.resources.get(reference.to)?.delete;
    // The run does not know of this object, so the case deletes it.
    const cleaned = remove === undefined ? [] : [setupStep({ call: remove, path })];
    return { ...each, steps: [...steps, { call: readOperation.name, path }, ...cleaned] };
  });
}
