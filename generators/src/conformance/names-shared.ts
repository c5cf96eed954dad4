import type { Case } from "@plumbline/conformance-runtime";
import type { Operation, Resource } from "../model/api.js";
import { fieldsOf } from "../model/fields.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { given, nameOf } from "./plans.js";
import { makingOf } from "./reference-bodies.js";
import { callOn, namingOf, part, readOf, requirementsOfResource } from "./resource-paths.js";

/** Cases of objects with names that callers choose: accounts do not see each other's objects of the same name. */
export function sharedNameCases(context: Context): readonly Case[] {
  return context.api.resources.flatMap((resource) => {
    const read = context.operations.get(resource.read ?? "");
    const [parameter, ...more] = read === undefined ? [] : namingOf(read);
    const { to, by = "id" } = parameter?.reference ?? {};
    if (read === undefined || to !== resource.name || by === "id" || more.length > 0) return [];
    if (!resource.owner.includes("account")) return [];
    return context.api.resources.flatMap((holder) => holderCases(context, { resource, read, by, holder }));
  });
}

interface Named {
  readonly resource: Resource;
  readonly read: Operation;
  /** The field with the name. */
  readonly by: string;
  /** The resource that references it in a list. */
  readonly holder: Resource;
}

function holderCases(context: Context, { resource, read, by, holder }: Named): readonly Case[] {
  const shape = context.shapes.get(holder.name);
  const isTop = holder.parent === undefined && holder.read !== undefined && holder.delete !== undefined;
  if (shape === undefined || !isTop) return [];
  const field = fieldsOf(context.api, shape).find(
    ({ pointer, shape: { reference } }) =>
      pointer.length === 2 && pointer[1] === "*" && reference?.to === resource.name && reference.by === by,
  );
  const as = nameOf(resource.name);
  const names = { [resource.name]: as };
  const makes = makingOf(context, { resource: resource.name, as, fresh: true });
  const [theirs, ...before] =
    makingOf(context, { resource: holder.name, as: "theirs", by: "stranger", fresh: true }) ?? [];
  const reads = readOf(context, resource, names);
  const remove = context.operations.get(resource.delete ?? "");
  const removes = remove && callOn(remove, names);
  if (field === undefined || makes === undefined || theirs === undefined || before.length > 0) return [];
  if (reads === undefined) return [];
  const [list = ""] = field.pointer;
  return [
    caseOf(context, {
      operation: read,
      kind: "resources",
      about: ["others", "same-name", holder.name],
      title: `${read.summary ?? read.name}: a ${resource.name} of the same name in another account does not show`,
      requirements: [...requirementsOfResource(context, resource), ...requirementsOf(read.sources)],
      steps: [
        ...makes,
        given({ ...reads, as: "before" }),
        { ...theirs, with: { [list]: [part(as, `/${by}`)] } },
        { ...reads, expect: { body: { const: { $get: "before#/body" } } } },
        // The deletion of the holder keeps it.
        ...(removes === undefined ? [] : [given({ ...removes, by: "stranger" })]),
      ],
    }),
  ];
}
