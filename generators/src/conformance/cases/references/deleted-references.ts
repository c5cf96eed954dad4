import type { CallStep, Case } from "@plumbline/conformance-runtime";
import type { ConformanceContext } from "../../context/context.js";
import { callOnObjects, findErrorOf, pointerInto } from "../../requests/object-chains.js";
import { creationSteps } from "../../requests/reference-bodies.js";
import { setupStep } from "../../requests/request-plan.js";
import type { ReferenceField } from "./fields.js";
import { createReferenceCase } from "./reference-case.js";

/** An object that was deleted, by itself or with its parent, is rejected like a missing one. */
export function deletedReferenceCases(context: ConformanceContext, naming: ReferenceField): readonly Case[] {
  const { operation, reference, parent } = naming;
  const error = findErrorOf(context, operation, reference.onNotFound);
  if (error === undefined || parent !== undefined) return [];
  const makes = creationSteps(context, { resource: reference.to, as: "deleted", isOwn: true });
  if (makes === undefined) return [];
  return deletionsOf(context, reference.to).flatMap(({ what, call, resource }) =>
    makes.some(({ make, as }) => make === resource && as === what)
      ? createReferenceCase(context, naming, {
          about: resource === reference.to ? "deleted" : `of-deleted-${resource}`,
          title: `with a ${reference.to} that was deleted${resource === reference.to ? "" : ` with its ${resource}`} is rejected like a missing one`,
          setupSteps: [
            ...makes.map((step) => (step.as === what ? { ...step, fresh: true as const } : step)),
            { settle: true },
            setupStep(call),
            { settle: true },
          ],
          value: pointerInto("deleted", `/${reference.by ?? "id"}`),
          objects: "own",
          error,
        })
      : [],
  );
}

interface Deletion {
  readonly resource: string;
  /** The name of the object that the call deletes. */
  readonly what: string;
  readonly call: CallStep;
}

/** The deletions that end an object named `deleted`: its own, that of the test controls, and that of its parent. */
function deletionsOf(context: ConformanceContext, resource: string): readonly Deletion[] {
  const deletionOf = (name: string, what: string): readonly Deletion[] => {
    const remove = context.operations.get(context.resources.get(name)?.delete ?? "");
    const call = remove && callOnObjects(remove, { [name]: what });
    return call === undefined ? [] : [{ resource: name, what, call }];
  };
  const control = context.controls?.operations.find(
    ({ method, name }) => method === "DELETE" && name === `delete${resource}`,
  );
  const [parameter] = control?.parameters.filter((each) => each.in === "path") ?? [];
  const parents = context.resources.get(resource)?.parent;
  return [
    ...deletionOf(resource, "deleted"),
    ...(control === undefined || parameter === undefined
      ? []
      : [
          {
            resource,
            what: "deleted",
            call: {
              call: `controls:${control.name}`,
              path: { [parameter.name]: pointerInto("deleted", `/${parameter.reference?.by ?? "id"}`) },
            },
          },
        ]),
    ...(parents === undefined ? [] : deletionOf(parents, `deleted${parents}`)),
  ];
}
