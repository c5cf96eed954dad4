import type { Template } from "@plumbline/conformance-runtime";
import { isTemplateList } from "./partial-evaluation.js";

/** The names of steps that a template reads. */
export function referencedNames(template: Template): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: Template): void => {
    if (value === null || typeof value !== "object") return;
    if (isTemplateList(value)) return value.forEach(visit);
    const get = value["$get"];
    if (typeof get === "string") names.add(get.split("#")[0] ?? "");
    for (const [key, each] of Object.entries(value)) if (key !== "$literal") visit(each);
  };
  visit(template);
  return names;
}
