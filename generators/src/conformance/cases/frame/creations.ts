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
