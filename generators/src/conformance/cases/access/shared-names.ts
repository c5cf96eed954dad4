import type { Case } from "@plumbline/conformance-runtime";
import { type Operation, type Resource, collectFields } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { isOfTenant } from "../../context/suite-callers.js";
import {
  callOnObjects,
  pathReferences,
  pointerInto,
  readObject,
  requirementsOfResource,
} from "../../requests/object-chains.js";
import { creationSteps } from "../../requests/reference-bodies.js";
import { setupStep } from "../../requests/request-plan.js";

/** Cases of objects with names that callers choose: accounts do not see each other's objects of the same name. */
export function sharedNameCases(context: ConformanceContext): readonly Case[] {
  return context.api.resources.flatMap((resource) => {
    const readOperation = context.operations.get(resource.read ?? "");
    const [parameter, ...more] = readOperation === undefined ? [] : pathReferences(readOperation);
    const { to, by = "id" } = parameter?.reference ?? {};
    if (readOperation === undefined || to !== resource.name || by === "id" || more.length > 0) return [];
    if (!isOfTenant(context.api, resource)) return [];
    return context.api.resources.flatMap((holder) =>
      holderCases(context, { resource, read: readOperation, by, holder }),
    );
  });
}

interface NamedResource {
  readonly resource: Resource;
  readonly read: Operation;
  /** The field with the name. */
  readonly by: string;
  /** The resource that references it in a list. */
  readonly holder: Resource;
}

function holderCases(context: ConformanceContext, { resource, read, by, holder }: NamedResource): readonly Case[] {
  const schema = context.schemas.get(holder.name);
  const isTop = holder.parent === undefined && holder.read !== undefined && holder.delete !== undefined;
  if (schema === undefined || !isTop) return [];
  const field = collectFields(context.api, schema).find(
    ({ pointer, schema: { reference } }) =>
      pointer.length === 2 && pointer[1] === "*" && reference?.to === resource.name && reference.by === by,
  );
  const as = objectName(resource.name);
  const names = { [resource.name]: as };
  const makes = creationSteps(context, { resource: resource.name, as, isOwn: true });
  const [theirs, ...before] =
    creationSteps(context, { resource: holder.name, as: "theirs", by: "other-account", isOwn: true }) ?? [];
  const reads = readObject(context, resource, names);
  const remove = context.operations.get(resource.delete ?? "");
  const removes = remove && callOnObjects(remove, names);
  if (field === undefined || makes === undefined || theirs === undefined || before.length > 0) return [];
  if (reads === undefined) return [];
  const [list = ""] = field.pointer;
  return [
    createCase(context, {
      operation: read,
      kind: "resources",
      idParts: ["others", "same-name", holder.name],
      title: `${read.summary ?? read.name}: a ${resource.name} of the same name in another account does not show`,
      requirements: [...requirementsOfResource(context, resource), ...requirementIds(read.sources)],
      steps: [
        ...makes,
        setupStep({ ...reads, as: "before" }),
        { ...theirs, with: { [list]: [pointerInto(as, `/${by}`)] } },
        { ...reads, expect: { body: { const: { $get: "before#/body" } } } },
        // The deletion of the holder keeps it.
        ...(removes === undefined ? [] : [setupStep({ ...removes, by: "other-account" })]),
      ],
    }),
  ];
}
