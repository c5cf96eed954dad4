import { findObject } from "../access/resource-loaders.js";
import { createObject } from "./creation.js";
import type { MockRequest } from "./evaluation.js";
import { valuesOf } from "@plumbline/server-runtime";

/** Creates what the body refers to and what does not exist, where the description says so. */
export function createMissingReferences(request: MockRequest): void {
  const { mock, operation, caller, body } = request;
  if (body === undefined) return;
  for (const { pointer, resource, by, creates } of operation.bodyReferences) {
    if (creates !== true) continue;
    const found = valuesOf({ root: "request", part: "body", pointer }, request);
    for (const value of found.flat())
      if (typeof value === "string" && findObject(mock, resource, { by, value, caller }) === undefined)
        createObject(mock, { resource, values: { [by]: value }, caller, request });
  }
}
