import type { Case } from "@plumbline/conformance-runtime";
import type { Operation } from "../model/api.js";
import { fieldAt } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { acceptedPlan } from "./callers.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { madeBy } from "./facts.js";
import { calling, planOf } from "./plans.js";
import { namingOf, type Naming } from "./resource-paths.js";

/** An object whose name contains a slash is found by it, where the path accepts encoded slashes. */
export function encodedSlashCases(context: Context): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    // Objects within others need the others first; no description has such names yet.
    const [naming, ...others] = namingOf(operation);
    if (naming?.encodedSlash !== true || others.length > 0) return [];
    const create = context.api.operations.find(
      (each) => madeBy(context.api, each)?.resource.name === naming.reference.to,
    );
    return create !== undefined && mayContainSlash(context, create, naming)
      ? [foundCase(context, operation, { create, naming })]
      : [];
  });
}

interface Named {
  readonly create: Operation;
  readonly naming: Naming;
}

function foundCase(context: Context, operation: Operation, { create, naming }: Named): Case {
  const { name, sources } = naming;
  const created = acceptedPlan(context, create);
  const plan = planOf(context, operation, { objects: "own" });
  const by = nameField(naming);
  const at = madeBy(context.api, create)?.at ?? "";
  const label = { [by]: { $text: [{ $unique: "label" }, "/b"] } };
  const body = created.call.body === undefined ? label : { $merge: [created.call.body, label] };
  return caseOf(context, {
    operation,
    kind: "resources",
    about: ["path", name, "contains-slash"],
    title: `${operation.summary ?? operation.name}: ${name} that contains a slash is found with the slash encoded`,
    requirements: requirementsOf(sources),
    needs: [...new Set([...created.needs, ...plan.needs])],
    alone: created.alone || plan.alone,
    steps: [
      ...created.before,
      calling(created, { body, as: "made" }),
      calling(plan, { path: { ...plan.call.path, [name]: { $get: `made#/body${at}/${by}` } } }),
    ],
  });
}

/** Whether the operation that creates the object accepts any text as its name. */
function mayContainSlash({ api }: Context, { body }: Operation, naming: Naming): boolean {
  const shape = body && jsonContent(body.contents)?.shape;
  const field = shape && fieldAt(api, shape, [nameField(naming)]);
  if (field === undefined) return false;
  const { types, pattern, format, enum: values, maxLength = Infinity } = field;
  const isBound = pattern !== undefined || format !== undefined || values !== undefined;
  return types.includes("string") && !isBound && maxLength >= longestName;
}

function nameField({ reference }: Naming): string {
  return reference.by ?? "id";
}

// A unique label has up to 32 characters; the slash and a letter follow.
const longestName = 34;
