import type { NormalizedProblem } from "@redocly/openapi-core";
import { makeBundleVisitor } from "@redocly/openapi-core/lib/bundle/bundle-visitor.js";
import { visitDescription, type VisitedDescription } from "./visit-description.js";

/** Makes components of what other files hold, in the document itself. Reports references that cannot be resolved. */
export async function bundleDocument(description: VisitedDescription): Promise<readonly NormalizedProblem[]> {
  return visitDescription(description, (resolvedRefMap) => {
    const visitor = makeBundleVisitor({
      version: "oas3",
      rootDocument: description.document,
      resolvedRefMap,
      dereference: false,
      keepUrlRefs: false,
      componentRenamingConflicts: "off",
      componentNamesStrategy: "basename",
    });
    return [{ ruleId: "bundler", severity: "error", visitor }];
  });
}
