import type { Step, Template } from "@plumbline/conformance-runtime";
import { valueAt } from "../values/body-mutations.js";
import { evaluatePartially, isTemplateList } from "../values/partial-evaluation.js";
import type { BodyCaseContext } from "./body-request.js";

/** Steps that delete objects, such as tags, which the server created because a body named them. */
export function cleanupSteps(around: BodyCaseContext, bodies: readonly Template[]): readonly Step[] {
  const { context, fields, own } = around;
  const steps = new Map<string, Step>();
  for (const field of fields) {
    const reference = field.layers.find((part) => part.reference?.onNotFound === "create")?.reference;
    const resource = reference === undefined ? undefined : context.resources.get(reference.to);
    const remove = context.operations.get(resource?.delete ?? "");
    const parameter = remove?.parameters.findLast((each) => each.in === "path");
    if (remove === undefined || parameter === undefined) continue;
    for (const value of bodies.flatMap((body) => valuesAt(body, field.pointer))) {
      if (typeof evaluatePartially(value) !== "string") continue;
      steps.set(JSON.stringify(value), {
        call: remove.name,
        by: own.call.by,
        path: { [parameter.name]: value },
        // Another case checks whether it was created.
        expect: { status: [200, 204, 404] },
      });
    }
  }
  return [...steps.values()];
}

function valuesAt(body: Template, pointer: readonly string[]): readonly Template[] {
  const last = pointer.lastIndexOf("*");
  if (last < 0 || pointer.slice(0, last).includes("*")) {
    const value = valueAt(body, pointer);
    return value === undefined ? [] : [value];
  }
  const list = valueAt(body, pointer.slice(0, last));
  const items = list !== undefined && list !== null && isTemplateList(list) ? list : [];
  return items.flatMap((item) => valueAt(item, pointer.slice(last + 1)) ?? []);
}
