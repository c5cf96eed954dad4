import { valuesOf } from "../../server/index.js";
import { resourceOf } from "../mock-context.js";
import type { MockRequest } from "../objects/evaluation.js";
import { findObjects } from "../objects/objects.js";
import { isOwnedBy, ownerOf } from "../objects/owners.js";
import { createObject } from "./creation.js";

/** Creates what the body refers to and what does not exist, where the description says so. */
export function createMissingReferences(request: MockRequest): void {
  const { mock, operation, caller, body } = request;
  if (body === undefined) return;
  for (const { pointer, resource, by, creates } of operation.bodyReferences) {
    if (creates !== true) continue;
    const values = valuesOf({ root: "request", part: "body", pointer }, request);
    for (const value of values.flat())
      if (typeof value === "string" && !isKnown(request, resource, { by, value }))
        createObject(mock, { resource, values: { [by]: value }, caller, request });
  }
}

/** Whether the caller has an object with this value. Another account may have one of the same name. */
function isKnown(
  { mock, caller }: MockRequest,
  resource: string,
  field: { readonly by: string; readonly value: unknown },
): boolean {
  const owner = ownerOf(resourceOf(mock, resource), caller);
  return findObjects(mock, resource, field).some((each) => isOwnedBy(each, owner));
}
