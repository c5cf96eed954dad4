import type { Step } from "@plumbline/conformance-runtime";
import type { ConformanceContext } from "../../context/context.js";
import { bodyCaseContext, type BodyCaseContext } from "../../requests/body-request.js";
import { objectSource } from "../../requests/object-sources.js";

/** The requests that create objects of a resource. */
export function creationOf(context: ConformanceContext, name: string): BodyCaseContext | undefined {
  const resource = context.resources.get(name);
  const source = resource && objectSource(context, resource);
  return source?.kind === "operation" ? bodyCaseContext(context, source.operation) : undefined;
}

/** True for a resource of which a caller has so many objects at most. */
export function isCounted(context: ConformanceContext, resource: string): boolean {
  return creationOf(context, resource)?.operation.limits.some(({ kind }) => kind === "concurrency") ?? false;
}

/** The value with other names of steps. */
export function withOtherNames<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
  const text = JSON.stringify(value, (key, each: unknown) => {
    if (typeof each !== "string" || (key !== "as" && key !== "$get")) return each;
    const [name = "", ...rest] = each.split("#");
    return [names.get(name) ?? name, ...rest].join("#");
  });
  return JSON.parse(text) as Value;
}

/** True for a step that creates an object of the case alone. */
export function isFresh(step: Step): boolean {
  return "make" in step && step.fresh === true;
}
